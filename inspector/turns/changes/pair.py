"""An old section and the new one that it became, and how alike two sections are."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from rapidfuzz import fuzz

from inspector.turns.changes.change import ChangeName
from inspector.turns.changes.tree import Node
from inspector.turns.turn import Reading, ReadTurn

LIKE = 55.0
"""Least likeness, 0 to 100, of two texts that are taken for versions of one section."""
LOOKED_AT = 2_000
"""Code points of each text that likeness looks at."""
BLANK = 8
"""Most code points of blank space behind a section that don't make it another one."""
GUESSES = 400
"""Most pairs of texts that likeness looks at in one comparison."""


@dataclass(slots=True, eq=False)
class Pair:
    """An old section and what became of it; one side is None when it was added or removed."""

    old: Node | None
    new: Node | None
    moved: bool = False
    renamed: bool = False
    own_differs: bool = False
    """Text of the section that no section below it covers differs."""
    ends_differ: bool = False
    """Only the blank space behind the text differs: another section came or went there."""
    children: list["Pair"] = field(default_factory=list)

    @property
    def same(self) -> bool:
        """Both sides hold the same text."""
        return self.old is not None and self.new is not None and self.old.identity == self.new.identity

    @property
    def change(self) -> ChangeName:
        """What became of the section, in one word."""
        if self.old is None:
            return "added"
        if self.new is None:
            return "removed"
        same = self.same or self.ends_differ
        if self.moved and same:
            return "moved"
        if self.renamed:
            return "renamed"
        return "same" if same else "changed"


def each(roots: Sequence[Pair]) -> Iterator[Pair]:
    """All pairs, parents before children, in order."""
    pending = list(reversed(roots))
    while pending:
        pair = pending.pop()
        yield pair
        pending += reversed(pair.children)


class Texts:
    """The texts of two turns, and how often they may still be compared."""

    def __init__(self, old: ReadTurn, new: ReadTurn) -> None:
        self.old = [message.text for message in old.turn.messages]
        self.new = [message.text for message in new.turn.messages]
        self.guesses = GUESSES
        self.backwards = _rank(old.reading) > _rank(new.reading)
        """Siblings are matched from the lesser turn on, so that both directions find the same pairs."""

    def differ_at_their_ends(self, old: Node, new: Node) -> bool:
        """Two sections' texts are the same but for blank space behind them."""
        a, b = old.section, new.section
        if a is None or b is None or not 0 < abs(a.chars - b.chars) <= BLANK:
            return False
        if a.message >= len(self.old) or b.message >= len(self.new):
            return False
        before, after = self.old[a.message], self.new[b.message]
        if a.end == len(before) and b.end == len(after):
            return False  # nothing came or went behind them: their own text differs
        shorter = min(a.chars, b.chars)
        longer = before[a.start + shorter : a.end] + after[b.start + shorter : b.end]
        return (
            not longer.strip() and before[a.start : a.start + shorter] == after[b.start : b.start + shorter]
        )

    def fit(self, first: Node, second: Node) -> float:
        """Likeness of two nodes in the order in which siblings are matched."""
        return self.likeness(second, first) if self.backwards else self.likeness(first, second)

    def likeness(self, old: Node, new: Node) -> float:
        """How like two nodes' texts are, 0 to 100; 0 when it may not be asked any more."""
        if self.guesses <= 0 or old.message >= len(self.old) or new.message >= len(self.new):
            return 0.0
        self.guesses -= 1
        a, b = _cut(old, self.old), _cut(new, self.new)
        if min(len(a), len(b)) * 8 < max(len(a), len(b)):
            return 0.0
        return fuzz.ratio(a, b, score_cutoff=LIKE)


def _rank(reading: Reading) -> tuple[int, int, list[str]]:
    return (reading.chars, len(reading.sections), [section.digest for section in reading.sections])


def _cut(node: Node, texts: list[str]) -> str:
    if node.beside is not None:
        return node.beside[:LOOKED_AT]
    text = texts[node.message]
    if node.section is None:
        return text[:LOOKED_AT]
    return text[node.section.start : min(node.section.end, node.section.start + LOOKED_AT)]
