"""The members of a project: adding, changing and removing them."""

from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_POST

from inspector.store import audit
from inspector.store.accounts import (
    INVITATION_LASTS,
    account,
    end_invitation,
    is_name,
    may_invite,
    sign_in_token,
)
from inspector.store.errors import NotFound
from inspector.store.models import Key, Member, Project, Share
from inspector.store.queries import project_for
from inspector.web.confirming import Question, confirm
from inspector.web.crumbs import Crumb
from inspector.web.faults import translated
from inspector.web.person import person, signed_in
from inspector.web.settings import page
from inspector.web.throttle import note_failure, too_many

ROLES = Member.Role.values
UNKNOWN = (
    "Nobody is called “{0}” here, and only who runs this server makes accounts: ask for "
    "“manage.py invite {0}”, then add them."
)
NEEDS_OWNER = "A project needs an owner. Make another one first."


def here(slug: str) -> str:
    """The card of members."""
    return f"{reverse('settings', args=[slug])}#members"


@require_POST
@signed_in
@translated
def member_add(request: HttpRequest, slug: str) -> HttpResponse:
    """Give somebody a place. Who is new gets an account and a link to sign in with, shown once."""
    project = project_for(request.user, slug, role="owner")
    name, role = request.POST.get("username", "").strip(), request.POST.get("role", "")
    if role not in ROLES or not is_name(name):
        words = "A name has at most 150 letters, digits or @ . + - _, and needs a role."
        return page(request, project, 400, member_problem=words)
    if too_many(request, "invite"):
        return page(request, project, 429, member_problem="Too many unknown names. Wait a minute.")
    user = account(name)
    if user is None and not may_invite(person(request)):
        note_failure(request, "invite")
        return page(request, project, 400, member_problem=UNKNOWN.format(name))
    if user is not None and (member := Member.objects.filter(project=project, user=user).first()):
        return change_role(request, project, member, role)
    return _added(request, project, user, name, role)


def _added(request: HttpRequest, project: Project, user: User | None, name: str, role: str) -> HttpResponse:
    token = ""
    if user is None:
        user = User.objects.create_user(name)
        token = sign_in_token(user, INVITATION_LASTS)
    Member.objects.create(project=project, user=user, role=role)
    audit.note(project, person(request), "member.add", member=user.username, role=role, invited=bool(token))
    if not token:
        return redirect(here(project.slug))
    address = request.build_absolute_uri(reverse("sign-in-link", args=[token]))
    return page(request, project, invitation=address, invited_name=name)


def is_last_owner(project: Project, member: Member) -> bool:
    """A project without an owner could not be put right by anybody."""
    owners = Member.objects.filter(project=project, role="owner").exclude(pk=member.pk)
    return member.role == "owner" and not owners.exists()


def change_role(request: HttpRequest, project: Project, member: Member, role: str) -> HttpResponse:
    """Another role for somebody who is in already."""
    if role != "owner" and is_last_owner(project, member):
        return page(request, project, 400, member_problem=NEEDS_OWNER)
    member.role = role
    member.save(update_fields=["role"])
    audit.note(project, person(request), "member.role", member=member.user.get_username(), role=role)
    return redirect(here(project.slug))


def _member(project: Project, member_id: int) -> Member:
    member = Member.objects.filter(project=project, pk=member_id).select_related("user").first()
    if member is None:
        raise NotFound("No such member.")
    return member


@require_POST
@signed_in
@translated
def member_change(request: HttpRequest, slug: str, member_id: int) -> HttpResponse:
    """Another role."""
    project = project_for(request.user, slug, role="owner")
    member, role = _member(project, member_id), request.POST.get("role", "")
    if role not in ROLES:
        raise NotFound("No such role.")
    return change_role(request, project, member, role)


@require_http_methods(["GET", "HEAD", "POST"])
@signed_in
@translated
def member_remove(request: HttpRequest, slug: str, member_id: int) -> HttpResponse:
    """Asks, then takes somebody out of the project; their account stays."""
    project = project_for(request.user, slug, role="owner")
    member = _member(project, member_id)
    if is_last_owner(project, member):
        return page(request, project, 400, member_problem=NEEDS_OWNER)
    if request.method != "POST":
        way = [Crumb("Settings", reverse("settings", args=[slug])), Crumb("Remove a member")]
        return confirm(request, project, way, question_of(project, member))
    member.delete()
    end_invitation(member.user)
    audit.note(project, person(request), "member.remove", member=member.user.get_username())
    is_self = member.user_id == request.user.pk
    return redirect(reverse("projects") if is_self else here(slug))


def question_of(project: Project, member: Member) -> Question:
    """What ends with a member's place."""
    name = member.user.get_username()
    shares = Share.objects.filter(project=project, created_by=member.user, revoked_at=None)
    links = shares.filter(expires_at__gt=timezone.now()).count()
    keys = Key.objects.filter(project=project, created_by=member.user, revoked_at=None).count()
    says = [f"{name} is out with the next request, on every browser."]
    if links:
        says.append(
            f"{_many(links, 'shared link')} that {name} made stop{'s' if links == 1 else ''} opening."
        )
    if keys:
        says.append(
            f"{_many(keys, 'key')} that {name} made {'goes' if keys == 1 else 'go'} on posting and reading: "
            "revoke what they know. Links and changes can't be made with them any more."
        )
    if member.user.last_login is None:
        says.append(f"{name} has not signed in yet; their invitation ends unless another project has them.")
    return Question(f"Remove {name} from {project.name}?", "Remove", says, here(project.slug))


def _many(count: int, noun: str) -> str:
    return f"{count} {noun}{'' if count == 1 else 's'}"
