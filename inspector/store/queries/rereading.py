"""Which turns are to be read again."""

from dataclasses import dataclass

from django.db.models import Q

from inspector.store.models import Turn
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


def ask_again(which: Which) -> int:
    """Mark turns as due; how many."""
    turns = Turn.objects.filter(due=False)
    if which.project:
        turns = turns.filter(project__slug=which.project)
    if which.keys:
        turns = turns.filter(key__in=which.keys)
    elif which.session:
        turns = turns.filter(session__short_id=which.session)
    elif not which.everything:
        turns = turns.filter(Q(read_with__lt=READ_WITH) | Q(state=Turn.State.UNREADABLE))
    return turns.update(due=True, attempts=0)
