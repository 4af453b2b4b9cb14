"""Values that change by themselves, as pages tell of them: learnt from a session's latest turns."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from inspector.store.errors import Damaged, NotFound
from inspector.store.models import Turn as Row
from inspector.store.texts import opened
from inspector.turns.errors import TurnError
from inspector.turns.learnt import Pattern, Slot, learn_sections, restless_in
from inspector.turns.turn import ReadTurn
from inspector.web.chains import alike

TURNS = 12
"""Turns that are learnt from."""
LETTERS = 4_000_000
"""Code points of all their prompts together."""
SECTIONS = 60
"""Sections that are looked into."""
SHOWN = 30
"""Values that are told on one page."""
AROUND = 40
"""Code points of the line shown before and behind a value."""
NAMES = {
    "clock": "clock",
    "date": "date",
    "id": "id",
    "counter": "counter",
    "number": "number",
    "text": "words",
}


@dataclass(frozen=True, slots=True)
class ValueRow:
    """One value."""

    section: str
    name: str
    before: str
    after: str
    slot: Slot
    href: str
    """The line that holds it."""
    history: str = ""

    @property
    def latest(self) -> str:
        """What it is now."""
        return self.slot.samples[-1]

    @property
    def earlier(self) -> str:
        """What it was, the latest first."""
        return ", ".join(reversed(self.slot.samples[:-1]))


@dataclass(frozen=True, slots=True)
class Learnt:
    """What the latest turns of a chain tell."""

    latest: ReadTurn | None
    patterns: Mapping[str, tuple[Pattern, ...]]
    turns: int


def learnt_up_to(row: Row) -> Learnt:
    """Learnt from the turns before this one and from itself."""
    rows: list[Row] = []
    room = LETTERS
    for each in alike(row).filter(seq__lte=row.seq).order_by("-seq")[:TURNS]:
        room -= each.prompt_chars
        if room < 0:
            break
        rows.append(each)
    try:
        reads = opened(rows[::-1])
    except (NotFound, Damaged, TurnError):
        reads = []
    found = learn_sections(reads, restless_in(reads)[:SECTIONS]) if len(reads) > 2 else {}
    return Learnt(reads[-1] if reads else None, found, len(reads))


def innermost(learnt: Learnt) -> Iterator[tuple[str, Pattern]]:
    """The patterns of sections that hold no other section with some, in the prompt's order."""
    for path, patterns in learnt.patterns.items():
        if not any(other.startswith(f"{path}/") for other in learnt.patterns):
            yield from ((path, pattern) for pattern in patterns)


def value_rows(title: str, pattern: Pattern, href: str, history: str = "") -> list[ValueRow]:
    """The values of one line."""
    return [
        ValueRow(
            title, NAMES[slot.name], before[-AROUND:].lstrip(), after[:AROUND].rstrip(), slot, href, history
        )
        for slot, before, after in zip(pattern.slots, pattern.fixed, pattern.fixed[1:], strict=False)
    ]


def few(rows: Sequence[ValueRow]) -> tuple[list[ValueRow], int]:
    """Those that a page shows, and how many it does not."""
    return list(rows[:SHOWN]), max(0, len(rows) - SHOWN)
