"""The lines of one text over its versions: which version brought each, and which lines went when."""

from collections.abc import Sequence
from dataclasses import dataclass

from inspector.turns.changes.lines import edits
from inspector.turns.changes.sequence import Budget


@dataclass(frozen=True, slots=True)
class Step:
    """What one version did to the one before it."""

    added: int
    removed: int


@dataclass(frozen=True, slots=True)
class Gone:
    """A line that a version no longer has."""

    version: int
    """Index of the first version without it."""
    text: str


@dataclass(frozen=True, slots=True)
class Ancestry:
    """What is known of the last version's lines."""

    origins: tuple[int, ...]
    """For each line, the index of the version that brought it."""
    steps: tuple[Step, ...]
    """One for each version; the first one brought all its lines."""
    gone: tuple[Gone, ...]
    """In the order in which they went; a line that came again later is not among them."""
    coarse: bool
    """A step was too large: lines count as new although they may be old."""


def ancestry(versions: Sequence[Sequence[str]]) -> Ancestry:
    """The ancestry of the last of some versions of a text, oldest first, each as its lines."""
    budget = Budget(steps=4_000_000)
    origins: list[int] = []
    steps: list[Step] = []
    gone: list[Gone] = []
    before: Sequence[str] = ()
    for index, lines in enumerate(versions):
        kept: list[int] = []
        at = added = removed = 0
        for edit in edits(before, lines, budget):
            kept += origins[at : edit.old_start]
            kept += [index] * (edit.new_end - edit.new_start)
            gone += [Gone(index, before[line]) for line in range(edit.old_start, edit.old_end)]
            added += edit.new_end - edit.new_start
            removed += edit.old_end - edit.old_start
            at = edit.old_end
        origins = kept + origins[at:]
        steps.append(Step(added, removed))
        before = lines
    last = set(before)
    missing = tuple(each for each in gone if each.text.strip() and each.text not in last)
    return Ancestry(tuple(origins), tuple(steps), missing, budget.coarse)
