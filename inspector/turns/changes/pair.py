"""An old section and the new one that it became, and how alike two sections are."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from rapidfuzz import fuzz

from inspector.turns.changes.change import ChangeName
from inspector.turns.changes.tree import Node
from inspector.turns.turn import ReadTurn

LIKE = 55.0
"""Least likeness, 0 to 100, of two texts that are taken for versions of one section."""
LOOKED_AT = 2_000
"""Code points of each text that likeness looks at."""
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
        if self.moved and self.same:
            return "moved"
        if self.renamed:
            return "renamed"
        return "same" if self.same else "changed"


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

    def likeness(self, old: Node, new: Node) -> float:
        """How like two nodes' texts are, 0 to 100; 0 when it may not be asked any more."""
        if self.guesses <= 0 or old.message >= len(self.old) or new.message >= len(self.new):
            return 0.0
        self.guesses -= 1
        a, b = _cut(old, self.old), _cut(new, self.new)
        if min(len(a), len(b)) * 8 < max(len(a), len(b)):
            return 0.0
        return fuzz.ratio(a, b, score_cutoff=LIKE)


def _cut(node: Node, texts: list[str]) -> str:
    if node.beside is not None:
        return node.beside[:LOOKED_AT]
    text = texts[node.message]
    if node.section is None:
        return text[:LOOKED_AT]
    return text[node.section.start : min(node.section.end, node.section.start + LOOKED_AT)]
