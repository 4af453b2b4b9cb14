"""Line differences of two texts, as edits that a person would draw.

An edit replaces ``old[a:b]`` by ``new[c:d]``. Between edits both texts are equal (by ``key``).
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import count as numbers_from

from rapidfuzz import fuzz

from inspector.turns.changes.sequence import Budget, Run, runs

SLIDES = 100
"""Most places that an added or removed block is tried at."""
LIKE = 60.0
"""Least likeness, 0 to 100, of two lines that are versions of each other."""
LOOKED_AT = 200
"""Code points of a line that likeness looks at."""
WEAK = 2
"""Most lines of an equal run that may be given up to join two larger edits."""


@dataclass(frozen=True, slots=True)
class Edit:
    """Lines ``old_start`` to ``old_end`` became lines ``new_start`` to ``new_end``, counted from 0."""

    old_start: int
    old_end: int
    new_start: int
    new_end: int

    @property
    def size(self) -> int:
        """Lines on both sides."""
        return self.old_end - self.old_start + self.new_end - self.new_start


def edits(
    old: Sequence[str],
    new: Sequence[str],
    budget: Budget,
    key: Callable[[str], str] | None = None,
) -> list[Edit]:
    """The edits that make ``old`` into ``new``, in order; lines with one ``key`` count as equal."""
    left, right = numbered(old, new)
    found = _between(runs(left, right, budget), len(left), len(right))
    if key is not None:
        found = [part for edit in found for part in _looked_through(edit, old, new, budget, key)]
    slid = [_slid(found, index, old, new, left, right) for index in range(len(found))]
    return _joined(slid, old, new)


def numbered(old: Sequence[str], new: Sequence[str]) -> tuple[list[int], list[int]]:
    """Both sequences with equal elements as equal numbers."""
    numbers: dict[str, int] = {}
    fresh = numbers_from()
    return list(map(numbers.setdefault, old, fresh)), list(map(numbers.setdefault, new, fresh))


def _looked_through(
    edit: Edit, old: Sequence[str], new: Sequence[str], budget: Budget, key: Callable[[str], str]
) -> list[Edit]:
    """What is left of an edit when lines with one key count as equal; no blank lines if keys ignore space."""
    olds = [key(line) for line in old[edit.old_start : edit.old_end]]
    news = [key(line) for line in new[edit.new_start : edit.new_end]]
    left, right = numbered(olds, news)
    blank = "" if key(" ") == "" else None
    return [
        Edit(
            edit.old_start + part.old_start,
            edit.old_start + part.old_end,
            edit.new_start + part.new_start,
            edit.new_start + part.new_end,
        )
        for part in _between(runs(left, right, budget), len(left), len(right))
        if any(line != blank for line in olds[part.old_start : part.old_end])
        or any(line != blank for line in news[part.new_start : part.new_end])
    ]


def _between(equal: Sequence[Run], old_size: int, new_size: int) -> list[Edit]:
    found: list[Edit] = []
    low = new_low = 0
    for run in [*equal, Run(old_size, new_size, 0)]:
        if low < run.old or new_low < run.new:
            found.append(Edit(low, run.old, new_low, run.new))
        low, new_low = run.old + run.size, run.new + run.size
    return found


# ---------------------------------------------------------------- where a block is drawn


def _slid(
    found: list[Edit],
    index: int,
    old: Sequence[str],
    new: Sequence[str],
    left: Sequence[int],
    right: Sequence[int],
) -> Edit:
    """A block that only came or went, put where its bounds read best; the edit itself otherwise."""
    edit = found[index]
    if edit.old_start < edit.old_end and edit.new_start < edit.new_end:
        return edit
    came = edit.old_start == edit.old_end
    lines, numbers = (new, right) if came else (old, left)
    start, end = (edit.new_start, edit.new_end) if came else (edit.old_start, edit.old_end)
    before = found[index - 1] if index else Edit(0, 0, 0, 0)
    after = found[index + 1] if index + 1 < len(found) else None
    up = min(edit.old_start - before.old_end, edit.new_start - before.new_end, SLIDES)
    down = min(
        (after.old_start if after else len(old)) - edit.old_end,
        (after.new_start if after else len(new)) - edit.new_end,
        SLIDES,
    )
    shift = _best_shift(lines, numbers, start, end, up, down)
    return Edit(edit.old_start + shift, edit.old_end + shift, edit.new_start + shift, edit.new_end + shift)


def _best_shift(
    lines: Sequence[str], numbers: Sequence[int], start: int, end: int, up: int, down: int
) -> int:
    low = high = 0
    while -low < up and numbers[start + low - 1] == numbers[end + low - 1]:
        low -= 1
    while high < down and numbers[start + high] == numbers[end + high]:
        high += 1
    if low == high:
        return 0
    return min(
        range(high, low - 1, -1),
        key=lambda shift: _awkwardness(lines, start + shift) + _awkwardness(lines, end + shift),
    )


def _awkwardness(lines: Sequence[str], at: int) -> int:
    """How badly a block's bound stands before line ``at``: best after a blank line, before an outer one."""
    if at in (0, len(lines)):
        return 0
    line, before = lines[at], lines[at - 1].strip()
    words = line.lstrip()
    awkward = 1 if before else 0
    if not words:
        return awkward + 6
    if words.startswith(("</", "}", "]", ")", "```")):
        awkward += 8
    return awkward + 2 * min(len(line) - len(words), 40)


# ---------------------------------------------------------------- edits worth keeping apart


def _joined(found: Sequence[Edit], old: Sequence[str], new: Sequence[str]) -> list[Edit]:
    """Edits that touch, or that only blank or bare lines keep apart, made into one.

    Not if what stands beside those lines is alike on both sides: then they part two paragraphs that
    were each rewritten.
    """
    joined: list[Edit] = []
    for edit in found:
        last = joined[-1] if joined else None
        between = new[last.new_end : edit.new_start] if last else ()
        if last and _is_weak(between, min(last.size, edit.size)) and not _parts(last, edit, old, new):
            joined[-1] = Edit(last.old_start, edit.old_end, last.new_start, edit.new_end)
        else:
            joined.append(edit)
    return joined


def _is_weak(between: Sequence[str], smaller: int) -> bool:
    """An equal run that says nothing by itself, and less than the edits around it."""
    if not between:
        return True
    if len(between) > min(WEAK, smaller - 1):
        return False
    return not any(character.isalnum() for line in between for character in line[:200])


def _parts(last: Edit, edit: Edit, old: Sequence[str], new: Sequence[str]) -> bool:
    """Whether the lines before or behind an equal run are versions of each other."""
    if last.new_end == edit.new_start:
        return False
    before = last.old_start < last.old_end and last.new_start < last.new_end
    behind = edit.old_start < edit.old_end and edit.new_start < edit.new_end
    return (before and _alike(old[last.old_end - 1], new[last.new_end - 1])) or (
        behind and _alike(old[edit.old_start], new[edit.new_start])
    )


def _alike(old: str, new: str) -> bool:
    return fuzz.ratio(old[:LOOKED_AT], new[:LOOKED_AT]) >= LIKE
