"""Making, listing and revoking links."""

from datetime import timedelta
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_safe

from inspector.sharing import links
from inspector.sharing.errors import LinksOff, NotShareable
from inspector.store.errors import NotFound
from inspector.store.models import Project, Session, Share, ShareView
from inspector.store.queries import membership, project_for, shares_page
from inspector.web.confirming import Question, confirm
from inspector.web.crumbs import Crumb, crumbs
from inspector.web.faults import translated
from inspector.web.fragments import page_or_fragment
from inspector.web.person import person, signed_in
from inspector.web.query import kept
from inspector.web.shares.form import DAYS, Subject, form_of, subject_of
from inspector.web.shares.preview import Preview, preview
from inspector.web.tags import ago, plural

ROWS = 50
VIEWS = 20
"""Openings that are told of one link."""


def what(share: Share) -> str:
    """What a link shows, in words."""
    if share.scope == Share.Scope.SESSION:
        return f"Session {share.session.key[:60]}, to turn {share.last_seq}"
    seq = share.turn.seq if share.turn else "?"
    if share.scope == Share.Scope.COMPARISON:
        return f"Comparison {share.old_turn.seq if share.old_turn else '?'} → {seq}"
    if share.scope == Share.Scope.SECTION:
        return f"Section {links.section_of(share)[:60]} of turn {seq}"
    return f"Turn {seq}"


def row_of(request: HttpRequest, project: Project, share: Share, role: str) -> dict[str, Any]:
    """A link as it is listed."""
    mine = share.created_by_id == request.user.pk
    turn = share.turn
    href = (
        reverse("turn", args=[project.slug, turn.key])
        if turn
        else reverse("session", args=[project.slug, share.session.short_id])
    )
    return {
        "share": share,
        "what": what(share),
        "href": href,
        "by": share.created_by.get_username() if share.created_by else "someone who left",
        "may_look": role == "owner" or (mine and role != "viewer"),
        "may_revoke": share.revoked_at is None and (role == "owner" or (mine and role != "viewer")),
    }


def rows_of(request: HttpRequest, project: Project, session: Session | None = None) -> dict[str, Any]:
    """A page of the links of a project, or of one of its sessions, and how many of all still open."""
    cursor = request.GET.get("cursor")
    page = shares_page(project, session, cursor, ROWS)
    role = membership(request.user, project.slug).role
    shares = Share.objects.filter(project=project, **({} if session is None else {"session": session}))
    return {
        "links": [row_of(request, project, share, role) for share in page.items],
        "active": shares.filter(revoked_at=None, expires_at__gt=timezone.now()).count(),
        "newest": kept(request, cursor="") if cursor else "",
        "older": kept(request, cursor=page.next) if page.next else "",
    }


@require_safe
@signed_in
@translated
def shares(request: HttpRequest, slug: str) -> HttpResponse:
    """All links of the project."""
    project = project_for(request.user, slug)
    way = [Crumb("Sessions", reverse("sessions", args=[slug])), Crumb("Shared links")]
    context = {"project": project, "crumbs": way, **rows_of(request, project)}
    return page_or_fragment(request, "shares/shares.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@signed_in
@translated
def share(request: HttpRequest, slug: str) -> HttpResponse:
    """The form, and the link that it makes."""
    project = project_for(request.user, slug, role="member")
    data = request.POST if request.method == "POST" else request.GET
    subject = subject_of(project, data)
    context: dict[str, Any] = {
        "project": project,
        "crumbs": crumbs(project, subject.session, "Share"),
    }
    status = 200
    if request.method == "POST" and "preview" not in data:
        made, problem = make(request, subject)
        status = 200 if made else 400
        context |= {"made": made, "form": form_of(subject, data, problem)}
    else:
        context["form"] = form_of(
            subject, data, "" if project.public_links else "Links are off in this project."
        )
    if form := context.get("form"):
        context["previews"] = previews_of(subject, form)
    context |= rows_of(request, project, subject.session)
    return page_or_fragment(request, "shares/share.html", context, status=status)


def previews_of(subject: Subject, form: dict[str, Any]) -> list[Preview]:
    """What each choice would show."""
    mask = [each["value"] for each in form["masks"] if each["chosen"]]
    return [preview(subject, one["value"], one["name"], one["chosen"], mask) for one in form["scopes"]]


def make(request: HttpRequest, subject: Subject) -> tuple[dict[str, Any] | None, str]:
    """The new link, or why there is none."""
    days = request.POST.get("days", "7")
    if days not in {str(each) for each in DAYS}:
        return None, "Choose one of the times."
    try:
        made, token = links.create(
            subject.project,
            scope=request.POST.get("scope", ""),
            session=subject.session,
            turn=subject.turn,
            old_turn=subject.old_turn,
            section=subject.section,
            label=request.POST.get("label", ""),
            mask=request.POST.getlist("mask"),
            expires_at=timezone.now() + timedelta(days=int(days)),
            by=person(request),
        )
    except (LinksOff, NotShareable) as error:
        return None, str(error)
    turn = subject.turn
    slug = subject.project.slug
    back = (
        reverse("turn", args=[slug, turn.key])
        if turn
        else reverse("session", args=[slug, subject.session.short_id])
    )
    url = request.build_absolute_uri(reverse("shared", args=[token]))
    return {"share": made, "url": url, "what": what(made), "back": back}, ""


@require_http_methods(["GET", "HEAD", "POST"])
@signed_in
@translated
def revoke(request: HttpRequest, slug: str, share_id: int) -> HttpResponse:
    """Asks, then ends a link: one's own, or any for an owner."""
    project = project_for(request.user, slug, role="member")
    known = Share.objects.filter(project=project).select_related("session", "turn", "old_turn")
    found = known.filter(pk=share_id).first()
    role = membership(request.user, slug).role
    if found is None or (role != "owner" and found.created_by_id != request.user.pk):
        raise NotFound("No such link.")
    back = reverse("shares", args=[slug])
    if request.method != "POST":
        way = [Crumb("Shared links", back), Crumb("Revoke")]
        return confirm(request, project, way, revoking(found, back))
    links.revoke(found, person(request))
    return redirect(back)


def revoking(share: Share, back: str) -> Question:
    """What ends with a link, and who opened it so far."""
    name = f"{share.label or share.prefix + '…'} to {what(share)}"
    lately = [
        f"Opened {ago(view.at)} from {view.address or 'an unknown address'}, {view.agent or 'unnamed'}."
        for view in ShareView.objects.filter(share=share).order_by("-pk")[:VIEWS]
    ]
    opened = f"It was opened {plural(share.views, 'time')}{', lately:' if share.views > len(lately) else '.'}"
    if share.revoked_at is not None:
        return Question(f"The link {name} was revoked", "", [opened, *lately], back)
    says = [
        "Whoever has it sees nothing any more.",
        "This can't be undone: nobody knows its address but who has it.",
    ]
    return Question(f"Revoke the link {name}?", "Revoke", [*says, opened, *lately], back)
