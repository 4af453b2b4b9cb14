"""Known title lines in a known order, where users may have written lines that look the same.

Taken is the longest chain of titles in order; of equal ones the one whose places come last, since a line
that somebody forged stands inside the section before the real one.
"""

import re
from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from inspector.turns.dialects.card import Note, Piece
from inspector.turns.dialects.outline import slug
from inspector.turns.turn import Kind

MAX_TITLES = 400
"""Title lines looked at: the first and the last two hundred."""


@dataclass(frozen=True, slots=True)
class Title:
    """A section that begins with a title line."""

    line: str
    kind: Kind
    title: str


class _Place(NamedTuple):
    rank: int
    """-1: the line begins with a bullet, so it is only noted."""
    start: int
    end: int


def by_titles(text: str, start: int, titles: Sequence[Title], message: int) -> tuple[list[Piece], list[Note]]:
    """Pieces from the first title on, and notes on lines that look like titles but are none."""
    places = _places(text, start, {title.line: rank for rank, title in enumerate(titles)})
    chosen = _chain(places)
    pieces = []
    for index, place in enumerate(chosen):
        title = titles[place.rank]
        end = chosen[index + 1].start if index + 1 < len(chosen) else len(text)
        body = min(place.end + 1, end)
        name = slug(title.title)
        pieces.append(Piece(place.start, end, title.kind, title.title, name, "label", body, end))
    return pieces, _notes(text, places, chosen, titles, message)


def _places(text: str, start: int, ranks: Mapping[str, int]) -> list[_Place]:
    lines = "|".join(re.escape(line) for line in sorted(ranks, key=len, reverse=True))
    pattern = re.compile(rf"^([ \t•*>-]{{0,8}}?)({lines})[ \t\r]*+$", re.MULTILINE)
    places = [
        _Place(ranks[match[2]] if not match[1] else -1, match.start(2), match.end())
        for match in pattern.finditer(text, start)
    ]
    half = MAX_TITLES // 2
    return places if len(places) <= MAX_TITLES else places[:half] + places[-half:]


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
    notes: dict[int, Note] = {}
    for place in places:
        if place in real:
            continue
        inside = bisect_left(starts, place.start) - 1
        title = titles[chosen[inside].rank].title if inside >= 0 else "the beginning"
        words = text[place.start : place.end].strip()
        sentence = (
            f"{words} inside {title} looks like a boundary of the prompt, but is part of the text there."
        )
        notes.setdefault(inside, Note("forged-boundary", message, place.start, place.end, sentence))
    return list(notes.values())
