"""Which elements of two sequences of numbers belong together: anchors first, then a capped fallback.

Every step is paid for from a ``Budget`` of counted work; when it runs out, what is left counts as
replaced. No clock is asked, so that the same pair always gives the same answer.
"""

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import count as numbers_from
from operator import lt

from rapidfuzz.distance import LCSseq

CELLS_AT_ONCE = 40_000_000
"""Largest table of the fallback: 5 MB of memory, about 10 ms."""
SMALL = 4_096
"""Table that costs less than looking for longer anchors."""
CONTEXTS = (1, 3, 8)
"""Lengths of the runs that are tried as anchors: one element alone, then runs of them."""


@dataclass(slots=True)
class Budget:
    """Work that may still be spent: elements visited by the anchors, cells of the fallback."""

    steps: int = 1_500_000
    cells: int = 400_000_000
    coarse: bool = False
    """Something was too large: a stretch counts as replaced although parts of it may be equal."""

    def walk(self, steps: int) -> bool:
        """Pay for ``steps`` visited elements; False (and coarse) when they can't be paid for."""
        if steps > self.steps:
            self.coarse = True
            return False
        self.steps -= steps
        return True

    def fill(self, cells: int) -> bool:
        """Pay for a table of ``cells``; False (and coarse) when it is too large."""
        if cells > CELLS_AT_ONCE or cells > self.cells:
            self.coarse = True
            return False
        self.cells -= cells
        return True


@dataclass(frozen=True, slots=True)
class Run:
    """``size`` equal elements from ``old`` and ``new`` on."""

    old: int
    new: int
    size: int


def runs(old: Sequence[int], new: Sequence[int], budget: Budget) -> list[Run]:
    """The equal runs in order, neither overlapping nor touching each other."""
    found: list[Run] = []
    blocks = [(0, len(old), 0, len(new))]
    while blocks:
        low, high, new_low, new_high = blocks.pop()
        head = _equal_head(old, new, low, high, new_low, new_high)
        if head:
            found.append(Run(low, new_low, head))
        low, new_low = low + head, new_low + head
        tail = _equal_tail(old, new, low, high, new_low, new_high)
        high, new_high = high - tail, new_high - tail
        if tail:
            found.append(Run(high, new_high, tail))
        if low < high and new_low < new_high and budget.walk(high - low + new_high - new_low):
            inner, gaps = _split(old[low:high], new[new_low:new_high], budget)
            found += [Run(low + run.old, new_low + run.new, run.size) for run in inner]
            blocks += [(low + a, low + b, new_low + c, new_low + d) for a, b, c, d in gaps]
    return _joined(found)


def _equal_head(old: Sequence[int], new: Sequence[int], low: int, high: int, at: int, end: int) -> int:
    most = min(high - low, end - at)
    length = 0
    while length < most and old[low + length] == new[at + length]:
        length += 1
    return length


def _equal_tail(old: Sequence[int], new: Sequence[int], low: int, high: int, at: int, end: int) -> int:
    most = min(high - low, end - at)
    length = 0
    while length < most and old[high - 1 - length] == new[end - 1 - length]:
        length += 1
    return length


type Gap = tuple[int, int, int, int]


def _split(old: Sequence[int], new: Sequence[int], budget: Budget) -> tuple[list[Run], list[Gap]]:
    """Equal runs inside a block that starts and ends with a difference, and the gaps still to look at."""
    if set(old).isdisjoint(new):
        return [], []
    for size in CONTEXTS:
        if size > 1 and len(old) * len(new) <= SMALL and budget.fill(len(old) * len(new)):
            return _longest(old, new), []
        anchors = _anchors(old, new, size)
        if anchors:
            return anchors, _between(anchors, len(old), len(new))
        if not budget.walk(size * (len(old) + len(new))):
            return [], []
    if budget.fill(len(old) * len(new)):
        return _longest(old, new), []
    return [], []


def _anchors(old: Sequence[int], new: Sequence[int], size: int) -> list[Run]:
    """Runs of at least ``size`` that stand exactly once on either side, in an order that both share."""
    olds, news = _once(old, size), _once(new, size)
    pairs = zip(olds.values(), map(news.get, olds), strict=True)
    shared = sorted((at, there) for at, there in pairs if there is not None)
    anchors: list[Run] = []
    start = start_new = 0
    end = end_new = -1
    for index in increasing([there for _, there in shared]):
        at, there = shared[index]
        if at <= end and at - start == there - start_new:
            end, end_new = at + size, there + size
        elif at >= end and there >= end_new:
            anchors.append(Run(start, start_new, end - start))
            start, start_new, end, end_new = at, there, at + size, there + size
    anchors.append(Run(start, start_new, end - start))
    return anchors[1:]


def _once(elements: Sequence[int], size: int) -> dict[object, int]:
    """Where each run of ``size`` stands, for those that stand there once."""
    keys: Sequence[object] = elements
    if size > 1:
        keys = list(zip(*(elements[shift:] for shift in range(size)), strict=False))
    places = dict(zip(keys, numbers_from(), strict=False))
    if len(places) == len(keys):
        return places
    first = dict(zip(reversed(keys), range(len(keys) - 1, -1, -1), strict=True))
    return {key: at for key, at in places.items() if first[key] == at}


def _between(anchors: list[Run], old_size: int, new_size: int) -> list[Gap]:
    gaps: list[Gap] = []
    low = new_low = 0
    for run in [*anchors, Run(old_size, new_size, 0)]:
        if low < run.old and new_low < run.new:
            gaps.append((low, run.old, new_low, run.new))
        low, new_low = run.old + run.size, run.new + run.size
    return gaps


def _longest(old: Sequence[int], new: Sequence[int]) -> list[Run]:
    """The longest common subsequence, by rapidfuzz's bit-parallel table."""
    blocks = LCSseq.opcodes(old, new)
    return [
        Run(block.src_start, block.dest_start, block.src_end - block.src_start)
        for block in blocks
        if block.tag == "equal"
    ]


def _joined(found: list[Run]) -> list[Run]:
    joined: list[Run] = []
    for run in sorted(found, key=lambda each: each.old):
        last = joined[-1] if joined else None
        if last and last.old + last.size == run.old and last.new + last.size == run.new:
            joined[-1] = Run(last.old, last.new, last.size + run.size)
        else:
            joined.append(run)
    return joined


def increasing(values: Sequence[int]) -> list[int]:
    """Indexes of a longest strictly increasing subsequence."""
    if all(map(lt, values, values[1:])):
        return list(range(len(values)))
    tops: list[int] = []
    chain: list[int] = []
    before = [-1] * len(values)
    for index, value in enumerate(values):
        at = bisect_left(tops, value)
        before[index] = chain[at - 1] if at else -1
        if at == len(tops):
            tops.append(value)
            chain.append(index)
        else:
            tops[at] = value
            chain[at] = index
    picked: list[int] = []
    index = chain[-1] if chain else -1
    while index >= 0:
        picked.append(index)
        index = before[index]
    return picked[::-1]
