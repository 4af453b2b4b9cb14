"""Turns and sessions of one project."""

from dataclasses import dataclass
from datetime import datetime

from django.db.models import Min, QuerySet

from inspector.store.errors import NotFound
from inspector.store.models import Project, SectionVersion, Session, Turn


@dataclass(frozen=True, slots=True)
class Neighbours:
    """The turns before and after one in its session."""

    previous: Turn | None
    next: Turn | None


def is_plain(text: str) -> bool:
    """Whether an id from outside can be one of ours at all; databases choke on some that can't."""
    return text.isascii() and "\x00" not in text


def session_in(project: Project, short_id: str) -> Session:
    """A session by its short id. Raises NotFound."""
    session = None
    if is_plain(short_id):
        session = Session.objects.filter(project=project, short_id=short_id).first()
    if session is None:
        raise NotFound("No such session.")
    session.project = project
    return session


def turn_in(project: Project, key: str) -> Turn:
    """A turn by its id, with its session. Raises NotFound."""
    turn = None
    if is_plain(key):
        turn = Turn.objects.filter(project=project, key=key).select_related("session").first()
    if turn is None:
        raise NotFound("No such turn.")
    turn.project = turn.session.project = project
    return turn


def turns_of(session: Session) -> QuerySet[Turn]:
    """A session's turns in order. Their records and readings are elsewhere, so this never loads one."""
    return Turn.objects.filter(session=session).order_by("seq")


def neighbours(turn: Turn) -> Neighbours:
    """The turns before and after one in its session."""
    turns = turns_of(turn.session)
    return Neighbours(
        previous=turns.filter(seq__lt=turn.seq).order_by("-seq").first(),
        next=turns.filter(seq__gt=turn.seq).first(),
    )


def before(turn: Turn) -> Turn | None:
    """The turn that a reading compares with: the one before in the session, by the same agent and parent."""
    same = Turn.objects.filter(session_id=turn.session_id, agent=turn.agent, parent_key=turn.parent_key)
    return same.filter(seq__lt=turn.seq).order_by("-seq").first()


def due_since() -> datetime | None:
    """When the oldest turn that waits for its reading arrived; None when none waits, but to be read again."""
    waiting = Turn.objects.filter(due=True, again=False)
    oldest: datetime | None = waiting.aggregate(at=Min("received_at"))["at"]
    return oldest


def versions_of(project: Project, kind: str | None = None) -> QuerySet[SectionVersion]:
    """The distinct instructions, actions and format texts of a project, latest first."""
    versions = SectionVersion.objects.filter(project=project).select_related(
        "first_turn", "last_turn__session"
    )
    return (versions.filter(kind=kind) if kind else versions).order_by("-last_at", "-pk")
