"""Which turns are to be read again."""

from dataclasses import dataclass

from django.db.models import Q

from inspector.store.models import Project, Session, Turn
from inspector.turns.turn import READ_WITH


@dataclass(frozen=True, slots=True)
class Which:
    """Turns to read again; with nothing set, those read with an older version and the unreadable ones."""

    everything: bool = False
    keys: tuple[str, ...] = ()
    session: str = ""
    """Short id."""
    project: str = ""
    """Slug."""


def left_to_reread(project: Project, session: Session | None = None) -> int:
    """How many turns of a project, or of one of its sessions, still wait to be read again."""
    waiting = Turn.objects.filter(project=project, due=True, again=True)
    return (waiting.filter(session=session) if session else waiting).count()


def ask_again(which: Which) -> int:
    """Mark turns as due, after whatever is new; how many."""
    turns = Turn.objects.filter(due=False)
    if which.project:
        turns = turns.filter(project__slug=which.project)
    if which.keys:
        turns = turns.filter(key__in=which.keys)
    elif which.session:
        turns = turns.filter(session__short_id=which.session)
    elif not which.everything:
        turns = turns.filter(Q(read_with__lt=READ_WITH) | Q(state=Turn.State.UNREADABLE))
    return turns.update(due=True, again=True, attempts=0)
