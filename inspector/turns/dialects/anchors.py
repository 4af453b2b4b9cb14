"""The known sections of a prompt, found by full boundaries and known order.

A framework that escapes nothing lets anybody write what looks like a boundary. So a boundary counts only as a
whole (heading or lead-in line above its opening tag, at a line's start), and where one stands twice, the
chain of boundaries is taken that leaves the doubles where other people's words are expected.
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import islice, pairwise
from typing import NamedTuple

from inspector.turns.dialects.card import Note
from inspector.turns.turn import Kind

MAX_CANDIDATES = 20
"""Places considered for one boundary: the first ten and the last ten."""
MAX_FORGERIES = 2_000
"""Places looked at for forgeries, the real boundaries among them."""
_SKIPPED, _UNBALANCED, _BARE, _ODD = 20, 4, 2, 5
"""Costs: a boundary that is nowhere; a section whose entries don't close; a boundary without the closing tag
before it; a double where nobody else writes."""


@dataclass(frozen=True, slots=True)
class Stop:
    """One section of a known order."""

    tag: str
    lead: str
    """How the line above the tag begins; empty: there need be none."""
    kind: Kind
    title: str
    entries: tuple[str, ...] = ()
    """Tags of its entries."""
    name: str = ""
    """Path segment; empty: the tag's name."""
    foreign: bool = False
    """Whether it holds what others write: users, tools, models."""


@dataclass(frozen=True, slots=True)
class Found:
    """A section where it stands. ``start`` is its heading, group headings above it included."""

    stop: Stop
    start: int
    lead_start: int
    open_start: int
    open_end: int
    closed: bool
    """Whether the tag closes itself: ``<working-memory />``."""


@dataclass(frozen=True, eq=False)
class Order:
    """A layout's sections in order and the lines that group them."""

    stops: tuple[Stop, ...]
    groups: frozenset[str] = field(default_factory=frozenset)

    @cached_property
    def openers(self) -> re.Pattern[str]:
        """Finds opening tags of sections."""
        return re.compile(rf"<({self._names()})[ ]?(/?)>")

    @cached_property
    def forgeable(self) -> tuple[re.Pattern[str], ...]:
        """Find closing tags anywhere, and opening tags and headings that are alone in their line."""
        leads = [stop.lead for stop in self.stops if stop.lead.startswith("#")]
        headings = [*leads, *sorted(group for group in self.groups if group.startswith("#"))]
        lines = "|".join([f"<(?:{self._names()})>", *map(re.escape, headings)])
        return (
            re.compile(rf"(</(?:{self._names()})>)"),
            re.compile(rf"\n[ \t]*+({lines})[ \t\r]*+(?=\n|\Z)"),
        )

    def _names(self) -> str:
        return "|".join(re.escape(tag) for tag in {stop.tag: None for stop in self.stops})


class _Place(NamedTuple):
    """Where a boundary may stand: its stop's rank in the order, the start of its first line, its tag."""

    rank: int
    lead_start: int
    tag: re.Match[str]


class _Candidate(NamedTuple):
    """A place looked at more closely. ``whole``: the closing tag of some section stands before it."""

    found: Found
    rank: int
    whole: bool


def find(text: str, order: Order, end: int) -> list[Found]:
    """The sections that stand before ``end``, in order."""
    candidates = _candidates(text, order, end)
    ranks = [candidate.rank for candidate in candidates]
    if all(a < b for a, b in pairwise(ranks)):
        return [candidate.found for candidate in candidates]
    return _cheapest(text, order, candidates, end)


def _candidates(text: str, order: Order, end: int) -> list[_Candidate]:
    by_rank: dict[int, list[_Place]] = {}
    for match in order.openers.finditer(text, 0, end):
        place = _place(text, order, match)
        if place:
            same = by_rank.setdefault(place.rank, [])
            same.append(place)
            if len(same) > MAX_CANDIDATES:
                del same[MAX_CANDIDATES // 2]
    places = sorted((place for same in by_rank.values() for place in same), key=lambda p: p.tag.start())
    return [_candidate(text, order, place) for place in places]


def _place(text: str, order: Order, tag: re.Match[str]) -> _Place | None:
    """Whether a tag begins a line under the line that a section of its name has above it."""
    line = text.rfind("\n", 0, tag.start()) + 1
    if line < tag.start() and text[line : tag.start()].strip():
        return None
    lead_start, lead = _line_before(text, line)
    for index, stop in enumerate(order.stops):
        if stop.tag == tag[1] and lead.startswith(stop.lead):
            return _Place(index, lead_start if stop.lead else line, tag)
    return None


def _candidate(text: str, order: Order, place: _Place) -> _Candidate:
    tag = place.tag
    top = _above_groups(text, place.lead_start, order.groups)
    found = Found(order.stops[place.rank], top, place.lead_start, tag.start(), tag.end(), bool(tag[2]))
    return _Candidate(found, place.rank, text[max(0, top - 80) : top].rstrip().endswith(">"))


def _line_before(text: str, at: int) -> tuple[int, str]:
    """The last line before a line's start that is not blank, looking back over at most three."""
    for _ in range(3):
        if at == 0:
            break
        start = text.rfind("\n", 0, at - 1) + 1
        line = text[start : at - 1][:200].strip()
        if line:
            return start, line
        at = start
    return at, ""


def _above_groups(text: str, start: int, groups: frozenset[str]) -> int:
    """Where a section begins that starts at a heading: above the group headings and rules over it."""
    while True:
        above, line = _line_before(text, start)
        if not line or line not in groups:
            return start
        start = above


def _cheapest(text: str, order: Order, candidates: list[_Candidate], end: int) -> list[Found]:
    """The chain of boundaries in order that costs least."""
    balance = _Balance(text, order)
    count, stops = len(candidates), len(order.stops)
    best = [0] * count
    before = [-1] * count
    for j, candidate in enumerate(candidates):
        own = 0 if candidate.whole else _BARE
        best[j] = own + j * _ODD + candidate.rank * _SKIPPED
        for i in range(j):
            earlier = candidates[i]
            if earlier.rank >= candidate.rank:
                continue
            cost = best[i] + own + (candidate.rank - earlier.rank - 1) * _SKIPPED
            cost += (j - i - 1) * _doubles(earlier)
            cost += _UNBALANCED * balance.is_off(earlier.found, candidate.found.start)
            if cost < best[j]:
                best[j], before[j] = cost, i
    last = min(
        range(count),
        key=lambda i: (
            best[i]
            + (count - 1 - i) * _doubles(candidates[i])
            + (stops - 1 - candidates[i].rank) * _SKIPPED
            + _UNBALANCED * balance.is_off(candidates[i].found, end)
        ),
    )
    chain: list[Found] = []
    while last >= 0:
        chain.append(candidates[last].found)
        last = before[last]
    return chain[::-1]


def _doubles(candidate: _Candidate) -> int:
    return 1 if candidate.found.stop.foreign else _ODD


class _Balance:
    """Tells whether the entries of a stretch are closed, by sums over the whole text."""

    def __init__(self, text: str, order: Order) -> None:
        tags = sorted({tag for stop in order.stops for tag in stop.entries})
        names = "|".join(map(re.escape, tags)) or "(?!)"
        self._places: list[int] = []
        self._sums = [0]
        for match in re.finditer(rf"^[ \t]*+<(?:{names})[ >]|(</)(?:{names})>[ \t\r]*+$", text, re.MULTILINE):
            self._places.append(match.start())
            self._sums.append(self._sums[-1] + (-1 if match[1] else 1))

    def is_off(self, found: Found, end: int) -> bool:
        first, last = bisect_left(self._places, found.open_end), bisect_left(self._places, end)
        return self._sums[first] != self._sums[last]


def forged(text: str, order: Order, chosen: Sequence[Found], end: int, message: int) -> list[Note]:
    """Notes on what looks like a boundary inside a section but is not one: one for each such section."""
    if not chosen:
        return []
    real = {place for found in chosen for place in (found.open_start, found.lead_start)}
    real |= {close_of(text, found, limit) for found, limit in zip(chosen, _limits(chosen, end), strict=True)}
    firsts: dict[int, tuple[int, int]] = {}
    counts: dict[int, int] = {}
    starts = [found.start for found in chosen]
    for place in _forgeries(text, order, chosen[0].open_end, end):
        inside = bisect_right(starts, place[0]) - 1
        if place[0] in real or place[0] < chosen[inside].lead_start:
            continue
        firsts[inside] = min(place, firsts.get(inside, place))
        counts[inside] = counts.get(inside, 0) + 1
    return [
        _note(text, place, chosen[index].stop.title, counts[index], message)
        for index, place in sorted(firsts.items())
    ]


def _forgeries(text: str, order: Order, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Where a closing tag stands, or an opening tag or a heading alone in its line."""
    for pattern in order.forgeable:
        for match in islice(pattern.finditer(text, start, end), MAX_FORGERIES):
            yield match.span(1)


def _note(text: str, place: tuple[int, int], title: str, count: int, message: int) -> Note:
    words = text[slice(*place)]
    more = f" So do {count - 1} more places in it." if count > 1 else ""
    sentence = f"{words} inside {title} looks like a boundary of the prompt, but is part of the text there."
    return Note("forged-boundary", message, *place, sentence + more)


def _limits(chosen: Sequence[Found], end: int) -> list[int]:
    return [*(found.start for found in chosen[1:]), end]


def close_of(text: str, found: Found, limit: int) -> int:
    """Where a section's closing tag begins, or -1: the last one before the next section."""
    return -1 if found.closed else text.rfind(f"</{found.stop.tag}>", found.open_end, limit)
