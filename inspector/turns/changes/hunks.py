"""Edits drawn as hunks: with the lines around them, and the changed words inside."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from rapidfuzz import fuzz

from inspector.turns.changes.change import Hunk, Line
from inspector.turns.changes.lines import Edit, edits
from inspector.turns.changes.numbered import Numbered
from inspector.turns.changes.sequence import Budget
from inspector.turns.changes.words import Spans, changed_words

AROUND = 3
"""Unchanged lines shown before and after a change."""
PAIRED = 900
"""Most pairs of lines of one edit that are tried; a larger edit pairs its lines one by one."""
LOOKED_AT = 400
"""Code points of a line that its likeness to another is judged by."""
LIKE = 45.0
"""Least likeness, 0 to 100, of two lines whose words are compared."""
type Words = dict[int, Spans]


@dataclass(slots=True)
class Limits:
    """What one comparison may spend."""

    lines: Budget
    words: Budget
    drawn: int | None = None
    """Most changed lines of a section that are drawn on either side; all of them if None."""

    @classmethod
    def fresh(cls, drawn: int | None = None) -> "Limits":
        """The limits of one comparison of two prompts."""
        return cls(Budget(), Budget(steps=2_500_000, cells=200_000_000), drawn)

    @property
    def coarse(self) -> bool:
        """A stretch of lines was too large to be looked into."""
        return self.lines.coarse


@dataclass(frozen=True, slots=True)
class Drawn:
    """The changes of a section as hunks."""

    hunks: tuple[Hunk, ...] = ()
    added: int = 0
    """Lines that came …"""
    removed: int = 0
    """… and went, those that are not drawn included."""
    left_out: int = 0
    """Lines that came or went and are not drawn."""


def hunks(
    old: Numbered, new: Numbered, limits: Limits, key: Callable[[str], str] | None = None
) -> tuple[Hunk, ...]:
    """The hunks that make ``old`` into ``new``; none when they are equal by ``key``."""
    return drawn(old, new, limits, key).hunks


def drawn(old: Numbered, new: Numbered, limits: Limits, key: Callable[[str], str] | None = None) -> Drawn:
    """The same hunks with their size, as many of them as ``limits`` allow to be drawn."""
    found = edits(old.lines, new.lines, limits.lines, key)
    removed = sum(edit.old_end - edit.old_start for edit in found)
    added = sum(edit.new_end - edit.new_start for edit in found)
    few = found if limits.drawn is None else list(_cut(found, limits.drawn))
    shown = sum(edit.size for edit in few)
    groups = _grouped(few, old, new)
    end = _end_of_context(found, few, len(old.lines))
    pieces = tuple(_hunk(group, old, new, limits, end) for group in groups)
    return Drawn(pieces, added, removed, removed + added - shown)


def one_sided(side: Numbered, op: Literal["-", "+"], limits: Limits) -> Drawn:
    """The hunk of a text that came or went as a whole."""
    count = len(side.lines)
    if not count:
        return Drawn()
    shown = zip(side.lines[: limits.drawn], side.numbers, strict=False)
    if op == "-":
        gone = tuple(Line(op, text, (), number, None) for text, number in shown)
        return Drawn((Hunk(side.numbers[0], 0, gone),), 0, count, count - len(gone))
    came = tuple(Line(op, text, (), None, number) for text, number in shown)
    return Drawn((Hunk(0, side.numbers[0], came),), count, 0, count - len(came))


def _end_of_context(found: Sequence[Edit], few: Sequence[Edit], size: int) -> int:
    """The old line from which on changes are not drawn: they are no context of those that are."""
    if few and few[-1] != found[len(few) - 1]:
        return few[-1].old_end
    return found[len(few)].old_start if len(few) < len(found) else size


def _cut(found: Sequence[Edit], most: int) -> Iterator[Edit]:
    """The first edits, so many that no side has more lines; the last one of them cut."""
    removed = added = most
    for edit in found:
        if removed <= 0 or added <= 0:
            return
        old_end = min(edit.old_end, edit.old_start + removed)
        new_end = min(edit.new_end, edit.new_start + added)
        yield Edit(edit.old_start, old_end, edit.new_start, new_end)
        if (old_end, new_end) != (edit.old_end, edit.new_end):
            return
        removed, added = removed - (old_end - edit.old_start), added - (new_end - edit.new_start)


def _grouped(found: Sequence[Edit], old: Numbered, new: Numbered) -> list[list[Edit]]:
    """Edits that share a hunk."""
    groups: list[list[Edit]] = []
    for edit in found:
        last = groups[-1][-1] if groups else None
        if last and edit.new_start - last.new_end <= 2 * AROUND and _unbroken(last, edit, old, new):
            groups[-1].append(edit)
        else:
            groups.append([edit])
    return groups


def _unbroken(last: Edit, edit: Edit, old: Numbered, new: Numbered) -> bool:
    """The lines between two edits follow each other in both prompts."""
    return _follow(old.numbers, last.old_end, edit.old_start) and _follow(
        new.numbers, last.new_end, edit.new_start
    )


def _follow(numbers: Sequence[int], start: int, end: int) -> bool:
    low, high = max(start - 1, 0), min(end, len(numbers) - 1)
    return low >= high or numbers[high] - numbers[low] == high - low


def _hunk(group: Sequence[Edit], old: Numbered, new: Numbered, limits: Limits, end: int) -> Hunk:
    first, last = group[0], group[-1]
    before = _context(first.old_start, first.new_start, -1, old, new)
    after = min(_context(last.old_end, last.new_end, 1, old, new), end - last.old_end)
    lines = [_same(first.old_start - step, first.new_start - step, old, new) for step in range(before, 0, -1)]
    at = first.new_start
    for edit in group:
        lines += [
            _same(edit.old_start - step, edit.new_start - step, old, new)
            for step in range(edit.new_start - at, 0, -1)
        ]
        lines += _changed(edit, old, new, limits)
        at = edit.new_end
    lines += [_same(last.old_end + step, last.new_end + step, old, new) for step in range(after)]
    return Hunk(
        _number(old.numbers, first.old_start - before),
        _number(new.numbers, first.new_start - before),
        tuple(lines),
    )


def _number(numbers: Sequence[int], at: int) -> int:
    if at < len(numbers):
        return numbers[at]
    return numbers[-1] + 1 if numbers else 0


def _context(at: int, there: int, step: int, old: Numbered, new: Numbered) -> int:
    """How many lines of context there are before (-1) or after (1) a place."""
    count = 0
    while count < AROUND:
        a, b = (at - count - 1, there - count - 1) if step < 0 else (at + count, there + count)
        if a < 0 or b < 0 or a >= len(old.lines) or b >= len(new.lines):
            break
        if not (_next_to(old.numbers, a, step) and _next_to(new.numbers, b, step)):
            break
        count += 1
    return count


def _next_to(numbers: Sequence[int], at: int, step: int) -> bool:
    neighbour = at - step
    return not 0 <= neighbour < len(numbers) or numbers[at] - numbers[neighbour] == step


def _same(at: int, there: int, old: Numbered, new: Numbered) -> Line:
    return Line("=", new.lines[there], (), old.numbers[at], new.numbers[there])


def _changed(edit: Edit, old: Numbered, new: Numbered, limits: Limits) -> list[Line]:
    left, right = _words(edit, old.lines, new.lines, limits.words)
    removed = [
        Line("-", old.lines[at], left.get(at, ()), old.numbers[at], None)
        for at in range(edit.old_start, edit.old_end)
    ]
    added = [
        Line("+", new.lines[at], right.get(at, ()), None, new.numbers[at])
        for at in range(edit.new_start, edit.new_end)
    ]
    return removed + added


# ---------------------------------------------------------------- words


def _words(edit: Edit, old: Sequence[str], new: Sequence[str], budget: Budget) -> tuple[Words, Words]:
    left: Words = {}
    right: Words = {}
    for at, there in paired_lines(edit, old, new, budget):
        left[at], right[there] = changed_words(old[at], new[there], budget)
    return left, right


def paired_lines(edit: Edit, old: Sequence[str], new: Sequence[str], budget: Budget) -> list[tuple[int, int]]:
    """Lines of an edit that are versions of each other, in order."""
    olds, news = range(edit.old_start, edit.old_end), range(edit.new_start, edit.new_end)
    if len(olds) * len(news) > PAIRED:
        if len(olds) != len(news):
            return []
        return [
            pair for pair in zip(olds, news, strict=True) if _likeness(old[pair[0]], new[pair[1]], budget)
        ]
    scores = [[_likeness(old[at], new[there], budget) for there in news] for at in olds]
    return [(olds[a], news[b]) for a, b in _best_in_order(scores)]


def _likeness(old: str, new: str, budget: Budget) -> float:
    if not budget.walk(min(len(old), LOOKED_AT) + min(len(new), LOOKED_AT) // 4 + 10):
        return 0.0
    return fuzz.ratio(old[:LOOKED_AT], new[:LOOKED_AT], score_cutoff=LIKE)


def _best_in_order(scores: Sequence[Sequence[float]]) -> list[tuple[int, int]]:
    """Pairs in order with the greatest sum of scores."""
    rows, columns = len(scores), len(scores[0]) if scores else 0
    best = [[0.0] * (columns + 1) for _ in range(rows + 1)]
    for a in range(rows - 1, -1, -1):
        for b in range(columns - 1, -1, -1):
            both = scores[a][b] + best[a + 1][b + 1] if scores[a][b] else 0.0
            best[a][b] = max(both, best[a + 1][b], best[a][b + 1])
    picked: list[tuple[int, int]] = []
    a = b = 0
    while a < rows and b < columns:
        if scores[a][b] and best[a][b] == scores[a][b] + best[a + 1][b + 1]:
            picked.append((a, b))
            a, b = a + 1, b + 1
        elif best[a][b] == best[a + 1][b]:
            a += 1
        else:
            b += 1
    return picked
