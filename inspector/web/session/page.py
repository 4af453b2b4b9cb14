"""What a session's page shows: for members and for visitors of a share alike."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from inspector.store.models import Turn as Row
from inspector.store.readings import readings_of
from inspector.turns.turn import Reading
from inspector.web.figures import chart as charts
from inspector.web.figures.branches import Branch, branches
from inspector.web.figures.matrix import Slot, in_words, matrix
from inspector.web.figures.strip import Strip, strip, weights
from inspector.web.kinds import KindCard, in_order
from inspector.web.turn.bar import took
from inspector.web.turn.composition import Part, by_kind, parts

ROWS = 25
LOW = 0.25
"""A prefix reuse under this is drawn as low."""
PIECES = 24
"""Sections of a row's strip; more are joined by kind."""

Cover = Callable[[Row, str], str]
"""Hides in a name of a turn what a share masks."""


def bare(row: Row, name: str) -> str:
    """For members: nothing is hidden."""
    return name


@dataclass(frozen=True, slots=True)
class TurnRow:
    """One turn of the table."""

    key: str
    seq: int
    href: str
    state: str
    agent: str
    at: datetime
    errors: int
    warnings: int
    infos: int
    slots: tuple[Slot, ...]
    words: str
    why: str
    """Shown in place of the matrix."""
    delta: int
    strip: Strip | None
    label: str
    shared: int | None
    low: bool
    tokens: int
    out: int
    took: float | None
    calls: str
    a: bool
    b: bool
    from_seq: int | None = None
    """The turn that called this one, of a sub-agent's."""
    branch: Branch | None = None
    """None when the session has no sub-agent."""

    @property
    def is_sub(self) -> bool:
        """A sub-agent's turn."""
        return bool(self.agent)


@dataclass(frozen=True, slots=True)
class Latest:
    """The latest turn's composition."""

    seq: int
    first: int
    total: int
    parts: list[Part]


def calls_of(row: Row, cover: Cover) -> str:
    """``gameStatus ×2, storeScore``."""
    counts = Counter(cover(row, str(name))[:60] for name in row.calls)
    return ", ".join(f"{name} ×{count}" if count > 1 else name for name, count in list(counts.items())[:6])


def row_of(
    row: Row,
    reading: Reading | None,
    kinds: Sequence[KindCard],
    href: str,
    agent: str,
    chosen: tuple[int, int],
    cover: Cover,
) -> TurnRow:
    """A turn as the table shows it."""
    since = reading.since_previous if reading else None
    slots = matrix(kinds, since.changed_kinds) if since else ()
    shared = since.prefix.shared_tokens if since else None
    total = reading.tokens if reading else row.prompt_tokens
    why = "" if reading is None else "first turn"
    return TurnRow(
        row.key,
        row.seq,
        href,
        row.state,
        cover(row, row.agent) if row.parent_key or row.agent != agent else "",
        row.started_at or row.received_at,
        row.errors,
        row.warnings,
        row.infos,
        slots,
        in_words(slots) if since else "",
        why,
        since.tokens if since else 0,
        strip(weights(reading.sections, most=PIECES)) if reading and reading.sections else None,
        f"Composition of turn {row.seq}",
        shared,
        shared is not None and total > 0 and shared / total < LOW,
        total,
        row.response_tokens,
        took(row),
        calls_of(row, cover),
        row.seq == chosen[0],
        row.seq == chosen[1],
    )


def branched(found: Sequence[TurnRow], rows: Sequence[Row]) -> list[TurnRow]:
    """The rows with their branches, and which turn called a sub-agent's."""
    seqs = {row.key: row.seq for row in rows}
    drawings = branches([row.is_sub for row in found], begins=not rows or rows[0].seq == 1)
    return [
        replace(each, from_seq=seqs.get(row.parent_key), branch=drawings[index] if drawings else None)
        for index, (each, row) in enumerate(zip(found, rows, strict=True))
    ]


def latest_of(columns: Sequence[charts.Column]) -> Latest | None:
    """The last column in numbers, against the first that is drawn."""
    if not columns:
        return None
    first, last = columns[0], columns[-1]
    return Latest(last.seq, first.seq, last.total, parts(dict(last.tokens), dict(first.tokens)))


def turns_context(
    shown: Sequence[Row], charted: Sequence[Row], href: Callable[[str], str], agent: str, cover: Cover = bare
) -> dict[str, Any]:
    """The chart and the table. ``shown`` are the table's rows, ``charted`` the chart's, oldest first."""
    rows = list({row.pk: row for row in [*charted, *shown]}.values())
    read = dict(zip((row.pk for row in rows), readings_of(rows), strict=True))
    columns = [
        charts.Column(row.seq, by_kind(reading.sections), href(row.key), row.errors)
        for row in charted
        if (reading := read[row.pk]) is not None
    ]
    kinds = in_order(
        section.kind for row in shown if (reading := read[row.pk]) is not None for section in reading.sections
    )
    chosen = (shown[-2].seq, shown[-1].seq) if len(shown) > 1 else (0, 0)
    found = [row_of(row, read[row.pk], kinds, href(row.key), agent, chosen, cover) for row in shown]
    return {
        "chart": charts.chart(columns),
        "latest": latest_of(columns[-charts.MOST :]),
        "readings": read,
        "rows": branched(found, shown),
    }
