"""Who may see what: strangers and missing things get the same answer."""

from typing import Literal

from django.contrib.auth.models import AbstractBaseUser, AnonymousUser

from inspector.store.errors import Forbidden, NotFound
from inspector.store.models import Member, Project, Session, Turn
from inspector.store.queries.turns import is_plain, session_in, turn_in

Person = AbstractBaseUser | AnonymousUser
Role = Literal["viewer", "member", "owner"]
_RANKS = {"viewer": 0, "member": 1, "owner": 2}


def project_for(user: Person, slug: str, *, role: Role = "viewer") -> Project:
    """The project, if this person is a member with at least this role. Raises NotFound, Forbidden."""
    member = membership(user, slug)
    if _RANKS[member.role] < _RANKS[role]:
        raise Forbidden(f"This needs the role {role}; you are {member.role} here.")
    return member.project


def membership(user: Person, slug: str) -> Member:
    """This person's place in a project. Raises NotFound."""
    if not user.is_authenticated or not user.is_active or not is_plain(slug):
        raise NotFound("No such project.")
    member = Member.objects.filter(user_id=user.pk, project__slug=slug).select_related("project").first()
    if member is None:
        raise NotFound("No such project.")
    return member


def session_for(user: Person, slug: str, short_id: str) -> Session:
    """A session by its short id. Raises NotFound."""
    return session_in(project_for(user, slug), short_id)


def turn_for(user: Person, slug: str, key: str) -> Turn:
    """A turn by its id, with its session. Raises NotFound."""
    return turn_in(project_for(user, slug), key)
