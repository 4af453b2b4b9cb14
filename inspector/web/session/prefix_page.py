"""The shared prefix over a session: a bar a turn, why it broke, and what that cost."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from inspector.store.models import Turn as Row
from inspector.turns.turn import CacheMark, Prefix, Reading
from inspector.web.cached import disagreement
from inspector.web.comparison.break_words import cause_words
from inspector.web.comparison.cache_marks import counted_marks
from inspector.web.comparison.page import cached_note
from inspector.web.figures.strip import Strip, strip, weights
from inspector.web.titles import trail

WIDTH, HEIGHT, TOP = 1000.0, 72.0, 4.0
REASONS = 4
"""Reasons that are named."""
PIECES = 12

type Href = Callable[[str], str]


@dataclass(frozen=True, slots=True)
class Bar:
    """One turn: its prompt's tokens, and how many the turn before had already."""

    seq: int
    href: str
    title: str
    x: float
    width: float
    top: float
    height: float
    shared_top: float
    shared: float
    broken: bool


@dataclass(slots=True)
class Reason:
    """Breaks in one outer section."""

    section: str
    causes: Counter[str] = field(default_factory=Counter)
    rebilled: int = 0
    gain: int = 0
    """Tokens that could have been reused besides, had the section at the break stood last."""

    @property
    def turns(self) -> int:
        """How often."""
        return self.causes.total()

    @property
    def words(self) -> str:
        """``text was inserted 3×, a clock changed``."""
        return ", ".join(
            f"{cause} {count}×" if count > 1 and len(self.causes) > 1 else cause
            for cause, count in self.causes.most_common()
        )


@dataclass(slots=True)
class Summary:
    """The prefixes of some turns taken together."""

    bars: list[Bar] = field(default_factory=list)
    compared: int = 0
    """Turns with one before them."""
    broken: int = 0
    shared: int = 0
    total: int = 0
    rebilled: int = 0
    gain: int = 0
    gain_of_all: int = 0
    """With all sections last that change by themselves."""
    marks: list[CacheMark] = field(default_factory=list)
    reported: int | None = None
    """Cached tokens by the provider's count."""
    ours: int = 0
    """By ours, for the same turns."""
    readable: int | None = None
    """What their breakpoints let the provider read, if each of them sets any."""
    reasons: list[Reason] = field(default_factory=list)
    reasons_left: int = 0

    @property
    def note(self) -> str:
        """Where the two counts disagree."""
        return disagreement(self.ours, self.reported, self.readable)

    @property
    def marks_words(self) -> str:
        """``5 of 8 breakpoints hit``; empty without any."""
        return counted_marks(self.marks)


def broken_section(reading: Reading, prefix: Prefix) -> str:
    """The section in which the prefix ends, by the names of what it lies in."""
    path = prefix.broken_at.section if prefix.broken_at else None
    index = next((i for i, section in enumerate(reading.sections) if section.path == path), None)
    return trail(reading.sections, index) if index is not None else ""


def gain_of(prefix: Prefix) -> int:
    """Tokens that would be reused besides, with the section at the break last."""
    return max(0, prefix.if_moved.shared_tokens - prefix.shared_tokens) if prefix.if_moved else 0


def gain_of_all(prefix: Prefix) -> int:
    """The same with all sections last that change by themselves; never less than with one."""
    everything = prefix.if_all_moved
    return max(gain_of(prefix), everything.shared_tokens - prefix.shared_tokens if everything else 0)


def summary_of(rows: Sequence[Row], read: Mapping[int, Reading | None], href: Href) -> Summary | None:
    """Of these turns, oldest first; None when none has a turn before it."""
    found = Summary()
    reasons: dict[str, Reason] = {}
    for row in rows:
        reading = read.get(row.pk)
        if reading is None or reading.since_previous is None:
            continue
        add(found, reasons, reading, reading.since_previous.prefix)
    if not found.compared:
        return None
    ordered = sorted(reasons.values(), key=lambda reason: -reason.rebilled)
    found.reasons, found.reasons_left = ordered[:REASONS], max(0, len(ordered) - REASONS)
    found.bars = bars_of(rows, read, href)
    return found


def add(found: Summary, reasons: dict[str, Reason], reading: Reading, prefix: Prefix) -> None:
    """Count one turn in."""
    found.compared += 1
    found.shared += prefix.shared_tokens
    found.total += prefix.tokens
    found.marks += prefix.breakpoints
    if prefix.reported_cached_tokens is not None:
        add_reported(found, prefix, prefix.reported_cached_tokens)
    if prefix.broken_at is None:
        return
    found.broken += 1
    found.rebilled += prefix.rebilled_tokens
    found.gain += gain_of(prefix)
    found.gain_of_all += gain_of_all(prefix)
    outer = broken_section(reading, prefix).partition(" › ")[0]
    reason = reasons.setdefault(outer, Reason(outer))
    reason.causes[cause_words(prefix.broken_at)] += 1
    reason.rebilled += prefix.rebilled_tokens
    reason.gain += gain_of(prefix)


def add_reported(found: Summary, prefix: Prefix, reported: int) -> None:
    """Count in what the provider said of one turn."""
    before = 0 if found.reported is None else found.readable
    readable = prefix.readable_tokens
    found.readable = before + readable if before is not None and readable is not None else None
    found.reported = (found.reported or 0) + reported
    found.ours += prefix.shared_tokens


def bars_of(rows: Sequence[Row], read: Mapping[int, Reading | None], href: Href) -> list[Bar]:
    """A bar a turn that was read."""
    known = [(row, reading) for row in rows if (reading := read.get(row.pk)) is not None]
    high = max((reading.tokens for _, reading in known), default=0) or 1
    slot = WIDTH / max(len(known), 1)
    return [
        bar_of(row, reading, index, slot, (HEIGHT - TOP) / high, href)
        for index, (row, reading) in enumerate(known)
    ]


def bar_of(row: Row, reading: Reading, index: int, slot: float, scale: float, href: Href) -> Bar:
    """One turn's bar."""
    since = reading.since_previous
    prefix = since.prefix if since else None
    shared = prefix.shared_tokens if prefix else 0
    height = max(1.0, reading.tokens * scale)
    title = f"Turn {row.seq}: {reading.tokens:,} tokens"
    if prefix:
        why = cause_words(prefix.broken_at)
        title += f", {shared:,} reused" + (f"; {why}" if why else "")
    return Bar(
        row.seq,
        href(row.key),
        title,
        round(slot * index + 1, 1),
        round(max(1.0, min(slot - 2, 52.0)), 1),
        round(HEIGHT - height, 1),
        round(height, 1),
        round(HEIGHT - shared * scale, 1),
        round(shared * scale, 1),
        prefix is not None and prefix.broken_at is not None,
    )


# ---------------------------------------------------------------- turn by turn


@dataclass(frozen=True, slots=True)
class PrefixRow:
    """One turn of the table."""

    seq: int
    href: str
    agent: str
    strip: Strip | None
    prefix: Prefix | None
    section: str
    line_href: str
    cause: str
    gain: int
    gain_of_all: int
    marks: str
    note: str
    compare: str


def row_of(row: Row, reading: Reading | None, before: str, href: Href, agent: str) -> PrefixRow:
    """A turn as the table shows it; ``before`` is the address of its comparison."""
    since = reading.since_previous if reading else None
    prefix = since.prefix if since else None
    drawn = None
    if reading and reading.sections:
        bar = weights(reading.sections, most=PIECES)
        marks = prefix.breakpoints if prefix else ()
        drawn = strip(bar, prefix.shared_tokens if prefix else None, reading.tokens, marks=marks)
    line = prefix.broken_at.line if prefix and prefix.broken_at else None
    return PrefixRow(
        row.seq,
        href(row.key),
        row.agent if row.agent != agent else "",
        drawn,
        prefix,
        broken_section(reading, prefix) if reading and prefix else "",
        f"{href(row.key)}?line={line}#L{line}" if line else "",
        cause_words(prefix.broken_at) if prefix else "",
        gain_of(prefix) if prefix else 0,
        gain_of_all(prefix) if prefix else 0,
        counted_marks(prefix.breakpoints) if prefix else "",
        cached_note(prefix) if prefix else "",
        before,
    )
