"""The shapes of a comparison of two prompts."""

from dataclasses import dataclass
from typing import Any, Literal

from inspector.turns.turn import Kind, Prefix, SectionCounts

ChangeName = Literal["added", "removed", "changed", "moved", "renamed", "same"]
Op = Literal["=", "-", "+"]


@dataclass(frozen=True, slots=True)
class Stretch:
    """Where one side of a section change lies."""

    path: str
    title: str
    message: int
    start: int
    end: int
    line: int
    end_line: int
    tokens: int
    digest: str


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a hunk, without its line end."""

    op: Op
    text: str
    words: tuple[tuple[int, int], ...] = ()
    """Changed stretches of the line, in code points."""
    old_line: int | None = None
    """Line number over the whole old prompt, from 1; None on added lines."""
    new_line: int | None = None


@dataclass(frozen=True, slots=True)
class Hunk:
    """A run of changed lines with the context around it. Numbers are over the whole prompts."""

    old_line: int
    new_line: int
    lines: tuple[Line, ...]


@dataclass(frozen=True, slots=True)
class SectionChange:
    """What became of one section. Hunks cover the section's own text only where it has no children
    that are listed themselves."""

    path: str
    kind: Kind
    title: str
    depth: int
    change: ChangeName
    old: Stretch | None
    new: Stretch | None
    whitespace_only: bool = False
    hunks: tuple[Hunk, ...] = ()
    note: str | None = None
    """What a person can't see in the hunks: "only line ends differ", "3 zero-width characters" …"""
    added: int = 0
    """Lines that came …"""
    removed: int = 0
    """… and went, those that the hunks leave out included."""
    left_out: int = 0
    """Lines that came or went and that the hunks leave out."""


@dataclass(frozen=True, slots=True)
class Window:
    """Which changed sections are looked into line by line; the others are told without hunks."""

    skip: int = 0
    """Changed sections before the first of them."""
    count: int = 30
    only: int | None = None
    """The one section with this index, if that is all that is asked for."""
    lines: int = 1_000
    """Most changed lines of a section that are drawn on either side."""

    def holds(self, index: int, place: int) -> bool:
        """Whether the section at an index, the ``place``-th changed one, is looked into."""
        if self.only is not None:
            return index == self.only
        return self.skip <= place < self.skip + self.count


@dataclass(frozen=True, slots=True)
class ContractChange:
    """A difference in what the two prompts offer."""

    where: str
    """``attack``, ``attack.priority``, ``output text``."""
    change: str
    """``action-added``, ``argument-required``, ``enum-narrowed`` …"""
    old: Any
    new: Any
    breaking: bool


@dataclass(frozen=True, slots=True)
class Changes:
    """All that differs between two prompts, in the new prompt's order (removed ones where they stood)."""

    summary: SectionCounts
    tokens: int
    """New minus old."""
    prefix: Prefix
    sections: tuple[SectionChange, ...]
    contract: tuple[ContractChange, ...]
    coarse: bool
    """A limit was reached: some texts are shown as wholly replaced."""
