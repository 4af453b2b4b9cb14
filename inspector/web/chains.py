"""The turns that follow one another: of one session, by one agent, under one parent."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import QuerySet

from inspector.store.errors import NotFound
from inspector.store.models import Session
from inspector.store.models import Turn as Row
from inspector.store.queries import turns_of

MOST = 500
"""Turns of a chain that are looked at."""


@dataclass(frozen=True, slots=True)
class Chain:
    """Turns that were read, oldest first."""

    rows: Sequence[Row]
    earlier: int
    """Turns before them that are not looked at."""
    later: int
    """And behind them."""
    others: int
    """The session's turns by other agents."""

    def at(self, seq: int) -> int | None:
        """Index of the turn with this number."""
        return next((index for index, row in enumerate(self.rows) if row.seq == seq), None)


def alike(row: Row) -> QuerySet[Row]:
    """All turns that were read of the chain that this one is in."""
    same = turns_of(row.session).filter(agent=row.agent, parent_key=row.parent_key)
    return same.filter(state=Row.State.READ)


def chain_of(session: Session, seq: int | None = None) -> Chain:
    """The chain of the turn with this number, or of the session's first turn. Raises NotFound."""
    read = turns_of(session).filter(state=Row.State.READ)
    anchor = read.filter(seq=seq).first() if seq is not None else read.first()
    if anchor is None and seq is not None:
        raise NotFound("No such turn.")
    if anchor is None:
        return Chain([], 0, 0, 0)
    anchor.session = session
    chain = alike(anchor)
    rows = list(chain.order_by("-seq")[:MOST])[::-1]
    total = len(rows) if len(rows) < MOST else chain.count()
    later = 0
    if seq is not None and rows and rows[0].seq > seq:
        bound = list(chain.filter(seq__gte=seq)[: MOST // 2])[-1].seq
        later = chain.filter(seq__gt=bound).count()
        rows = list(chain.filter(seq__lte=bound).order_by("-seq")[:MOST])[::-1]
    for row in rows:
        row.session = session
    return Chain(rows, total - len(rows) - later, later, max(0, session.turn_count - total))
