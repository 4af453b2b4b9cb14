"""Known title lines in a known order, where users may have written lines that look the same.

Taken is the longest chain of titles in order; of equal ones the one whose places come last, since a line
that somebody forged stands inside the section before the real one.
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import islice
from typing import NamedTuple

from inspector.turns.dialects.card import Note, Piece
from inspector.turns.dialects.outline import slug
from inspector.turns.turn import Kind, Syntax

MAX_TITLES = 400
"""Title lines looked at: the first and the last two hundred."""


MAX_FENCES = 2_000
_FENCE = re.compile(r"\n```([^\n]*+)")


@dataclass(frozen=True, slots=True)
class Title:
    """A section that begins with a title line."""

    line: str
    kind: Kind
    title: str
    begins: bool = False
    """The line only begins with these words, and the section's body with the words behind them."""


class _Place(NamedTuple):
    rank: int
    """-1: the line begins with a bullet, so it is only noted."""
    start: int
    end: int


def by_titles(
    text: str, start: int, titles: Sequence[Title], message: int, end: int | None = None
) -> tuple[list[Piece], list[Note]]:
    """Pieces from the first title on, and notes on lines that look like titles but are none."""
    end = len(text) if end is None else end
    places = _places(text, start, end, titles)
    chosen = _best(text, places, start, end)
    pieces = []
    for index, place in enumerate(chosen):
        title = titles[place.rank]
        limit = chosen[index + 1].start if index + 1 < len(chosen) else end
        body = place.start + len(title.line) if title.begins else min(place.end + 1, limit)
        name = slug(title.title)
        close = _close(text, title, body, limit)
        pieces.append(Piece(place.start, limit, title.kind, title.title, name, _syntax(title), body, close))
    return pieces, _notes(text, places, chosen, titles, message)


def _syntax(title: Title) -> Syntax:
    if title.line.startswith("<"):
        return "tag"
    return "heading" if title.line.startswith("#") else "label"


def _close(text: str, title: Title, start: int, end: int) -> int:
    """Where a section's body ends: at the closing tag where its title line is a tag."""
    if not title.line.startswith("<"):
        return end
    close = text.rfind(f"</{title.line[1:]}", start, end)
    return close if close >= 0 else end


@cache
def _pattern(titles: tuple[Title, ...]) -> re.Pattern[str]:
    """Finds the lines that may be titles: each led by a line feed, which is much faster than ``^``."""
    ordered = sorted(titles, key=lambda title: len(title.line), reverse=True)
    lines = "|".join(
        re.escape(title.line) + ("" if title.begins else r"(?=[ \t\r]*+(?:\n|\Z))") for title in ordered
    )
    return re.compile(rf"\n([ \t•*>-]{{0,8}}?)({lines})([^\n]*+)")


def _places(text: str, start: int, end: int, titles: Sequence[Title]) -> list[_Place]:
    pattern = _pattern(tuple(titles))
    ranks = {title.line: rank for rank, title in enumerate(titles)}
    begins = {title.line for title in titles if title.begins}
    places: list[_Place] = []
    padded = "\n" + text[start:end]
    for match in pattern.finditer(padded):
        if match[1] and match[2] in begins:
            continue
        at = match.start(2) + start - 1
        rank = ranks[match[2]] if not match[1] else -1
        places.append(_Place(rank, at, match.end() + start - 1))
    half = MAX_TITLES // 2
    return places if len(places) <= MAX_TITLES else places[:half] + places[-half:]


def _best(text: str, places: Sequence[_Place], start: int, end: int) -> list[_Place]:
    """The chain without what stands in fences, where that is no shorter than the one with it."""
    chain = _chain(places)
    if "```" not in text:
        return chain
    fences = _fences(text, start, end)
    outside = _chain([place for place in places if not _is_within(fences, place.start)])
    return outside if len(outside) >= len(chain) else chain


def _fences(text: str, start: int, end: int) -> list[tuple[int, int]]:
    """The closed fences between two offsets."""
    found: list[tuple[int, int]] = []
    opened = -1
    for match in islice(_FENCE.finditer(text, start, end), MAX_FENCES):
        if opened < 0:
            opened = match.start()
        elif not match[1].strip():
            found.append((opened, match.end()))
            opened = -1
    return found


def _is_within(spans: Sequence[tuple[int, int]], place: int) -> bool:
    index = bisect_right(spans, place, key=lambda span: span[0]) - 1
    return index >= 0 and place < spans[index][1]


def _chain(places: Sequence[_Place]) -> list[_Place]:
    """The longest chain of rising ranks, by patience: of each length the last place that can end it."""
    ends: list[int] = []
    tops: list[int] = []
    before: list[int] = []
    for index, place in enumerate(places):
        if place.rank < 0:
            before.append(-1)
            continue
        length = bisect_left(ends, place.rank)
        if length == len(ends):
            ends.append(place.rank)
            tops.append(index)
        else:
            ends[length], tops[length] = place.rank, index
        before.append(tops[length - 1] if length else -1)
    chain: list[_Place] = []
    at = tops[-1] if tops else -1
    while at >= 0:
        chain.append(places[at])
        at = before[at]
    return chain[::-1]


def _notes(
    text: str,
    places: Sequence[_Place],
    chosen: Sequence[_Place],
    titles: Sequence[Title],
    message: int,
) -> list[Note]:
    real = set(chosen)
    starts = [place.start for place in chosen]
    said = {text[place.start : place.end] for place in chosen}
    notes: dict[int, Note] = {}
    for place in places:
        if place in real:
            continue
        inside = bisect_left(starts, place.start) - 1
        if inside < 0 and text[place.start : place.end] in said:
            continue  # what comes first is the author's: the same line again is a repetition
        title = titles[chosen[inside].rank].title if inside >= 0 else "the beginning"
        words = text[place.start : place.end].strip()
        sentence = (
            f"{words} inside {title} looks like a boundary of the prompt, but is part of the text there."
        )
        notes.setdefault(inside, Note("forged-boundary", message, place.start, place.end, sentence))
    return list(notes.values())
