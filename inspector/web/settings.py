"""A project's settings: name, retention, links and keys."""

from datetime import timedelta
from typing import Any

from django.db.models import Q, QuerySet
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from inspector.store import audit
from inspector.store.accounts import may_invite
from inspector.store.errors import NotFound
from inspector.store.models import Audit, Key, Member, Project, Session
from inspector.store.queries import make_key, project_for, revoke_key
from inspector.store.queries.rereading import left_to_reread
from inspector.web.confirming import Question, confirm
from inspector.web.crumbs import Crumb
from inspector.web.faults import translated
from inspector.web.fragments import page_or_fragment
from inspector.web.kinds import CARDS
from inspector.web.person import is_owner, person, signed_in
from inspector.web.tags import ago, plural

AUDIT = 50
REVOKED_DAYS = 30
"""Days for which a revoked key is still listed."""
MOST_DAYS = 3650


def page(request: HttpRequest, project: Project, status: int = 200, **more: Any) -> HttpResponse:
    """The page, with what just happened."""
    context = {
        "project": project,
        "crumbs": [Crumb("Sessions", reverse("sessions", args=[project.slug])), Crumb("Settings")],
        "members": Member.objects.filter(project=project).select_related("user").order_by("user__username"),
        "keys": keys_of(project),
        "audit": Audit.objects.filter(project=project).order_by("-pk")[:AUDIT],
        "noted": Audit.objects.filter(project=project).count(),
        "kinds": sorted(project.kinds.items()),
        "cards": CARDS,
        "left": left_to_reread(project),
        "roles": Member.Role.values[::-1],
        "may_invite": may_invite(person(request)),
        "may_edit": is_owner(request, project),
        **more,
    }
    return page_or_fragment(request, "settings/settings.html", context, status=status)


def keys_of(project: Project) -> QuerySet[Key]:
    """Every key that still opens something, and those that were revoked lately."""
    lately = timezone.now() - timedelta(days=REVOKED_DAYS)
    good = Q(revoked_at=None) | Q(revoked_at__gt=lately)
    return Key.objects.filter(good, project=project).select_related("created_by").order_by("-pk")


@require_safe
@signed_in
@translated
def settings(request: HttpRequest, slug: str) -> HttpResponse:
    """For members to see, for owners to change."""
    return page(request, project_for(request.user, slug, role="member"))


@require_POST
@signed_in
@translated
def general(request: HttpRequest, slug: str) -> HttpResponse:
    """Name, retention and links."""
    project = project_for(request.user, slug, role="owner")
    name = " ".join(request.POST.get("name", "").replace("\x00", " ").split())[:100]
    days = request.POST.get("retention_days", "").strip()
    if not name:
        return page(request, project, 400, general_problem="Give the project a name.")
    if days and not (days.isascii() and days.isdigit() and 1 <= int(days[:6]) <= MOST_DAYS):
        return page(
            request, project, 400, general_problem=f"Days: a whole number from 1 to {MOST_DAYS}, or nothing."
        )
    if days and "sure" not in request.POST and (question := retaining(project, int(days), request.POST)):
        way = [Crumb("Settings", reverse("settings", args=[slug])), Crumb("Keep sessions")]
        return confirm(request, project, way, question)
    project.name, project.retention_days = name, int(days) if days else None
    project.public_links = request.POST.get("public_links") == "on"
    project.save(update_fields=["name", "retention_days", "public_links"])
    audit.note(
        project, person(request), "project.change", links=project.public_links, days=project.retention_days
    )
    return redirect("settings", slug)


def retaining(project: Project, days: int, posted: QueryDict) -> Question | None:
    """What would be dropped within the hour; None when nothing would."""
    before = timezone.now() - timedelta(days=days)
    going = Session.objects.of(project).filter(last_at__lt=before).count()
    if not going:
        return None
    go = "goes" if going == 1 else "go"
    says = [
        f"{plural(going, 'session')} without a turn for {plural(days, 'day')} {go} within the hour, "
        "with all that was read there.",
        "This can't be undone.",
    ]
    names = ("name", "retention_days", "public_links")
    values = {name: str(posted[name]) for name in names if name in posted}
    return Question(
        f"Keep sessions for {plural(days, 'day')}?",
        "Keep them so long",
        says,
        reverse("settings", args=[project.slug]),
        {**values, "sure": "yes"},
    )


@require_POST
@signed_in
@translated
def key_create(request: HttpRequest, slug: str) -> HttpResponse:
    """A new key, shown in this answer and never again."""
    project = project_for(request.user, slug, role="owner")
    name = " ".join(request.POST.get("name", "").replace("\x00", " ").split())[:100] or "Key"
    may_read = request.POST.get("may_read") == "on"
    token, key = make_key(project, name, may_read=may_read, by=person(request))
    audit.note(
        project, person(request), "key.create", key=key.pk, name=name, prefix=key.prefix, may_read=may_read
    )
    return page(request, project, made_key=token, made_name=name)


@require_http_methods(["GET", "HEAD", "POST"])
@signed_in
@translated
def key_revoke(request: HttpRequest, slug: str, key_id: int) -> HttpResponse:
    """Asks, and from then on it opens nothing."""
    project = project_for(request.user, slug, role="owner")
    key = Key.objects.filter(project=project, pk=key_id).first()
    if key is None:
        raise NotFound("No such key.")
    back = f"{reverse('settings', args=[slug])}#keys"
    if request.method != "POST":
        way = [Crumb("Settings", reverse("settings", args=[slug])), Crumb("Revoke a key")]
        return confirm(request, project, way, revoking(key, back))
    revoke_key(key)
    audit.note(project, person(request), "key.revoke", key=key.pk, prefix=key.prefix)
    return redirect(back)


def revoking(key: Key, back: str) -> Question:
    """What ends with a key."""
    used = f"It was last used {ago(key.last_used_at)}." if key.last_used_at else "It was never used."
    says = [
        f"Programs that post with {key.prefix}… are refused within a second.",
        used,
        "This can't be undone.",
    ]
    return Question(f"Revoke the key {key.name}?", "Revoke", says, back)
