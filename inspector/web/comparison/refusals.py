"""Earlier calls of a session that a newer prompt would refuse: from outlines, no record is opened."""

from dataclasses import dataclass

from django.urls import reverse

from inspector.store.models import Turn as Row
from inspector.store.readings import readings_of
from inspector.turns.changes.change import Changes
from inspector.turns.changes.effects import MOST, refused_now
from inspector.turns.turn import ReadTurn
from inspector.turns.turn import Turn as Content
from inspector.web.chains import alike

TURNS = 60
"""Latest turns with calls that are looked at."""
SHOWN = 20


@dataclass(frozen=True, slots=True)
class RefusedRow:
    """One call."""

    seq: int
    href: str
    name: str
    why: str


@dataclass(frozen=True, slots=True)
class RefusedCalls:
    """What would be refused, the latest first."""

    rows: list[RefusedRow]
    total: int
    more: bool
    """Counting stopped."""
    looked_at: int
    left_out: int
    """Earlier turns with calls that were not looked at."""

    @property
    def left(self) -> int:
        """Calls that are not listed."""
        return self.total - len(self.rows)


def is_breaking(changes: Changes) -> bool:
    """Whether what is offered changed so that earlier calls may be refused."""
    return any(change.breaking for change in changes.contract)


def refused_of(old: Row, after: ReadTurn) -> RefusedCalls:
    """Calls of the older turn and those before it that ``after`` would refuse."""
    calling = alike(old).filter(seq__lte=old.seq).exclude(calls=[])
    rows = list(calling.order_by("-seq")[:TURNS])[::-1]
    left_out = calling.count() - len(rows) if len(rows) == TURNS else 0
    read = [
        ReadTurn(row.key, row.seq, Content(), reading)
        for row, reading in zip(rows, readings_of(rows), strict=True)
        if reading is not None
    ]
    found = refused_now(read, after.reading.contract)
    shown = [
        RefusedRow(each.seq, address(old, each.turn, each.call), each.name, each.why)
        for each in found[:SHOWN]
    ]
    return RefusedCalls(shown, len(found), len(found) >= MOST, len(read), left_out)


def address(old: Row, key: str, call: int) -> str:
    """The call's card."""
    return f"{reverse('turn', args=[old.project.slug, key])}#call-{call}"
