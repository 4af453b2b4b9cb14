"""The strip: a prompt as one bar of its sections, with the shared prefix under it."""

from collections.abc import Sequence
from dataclasses import dataclass

from inspector.turns.turn import CacheMark, Section
from inspector.web.kinds import card

WIDTH = 1000.0
GAP = 1.4
LEAST = 3.0
"""Narrowest a section is drawn, so that a one-token section still shows."""
MOST = 120
"""Pieces drawn; neighbours are joined beyond that."""


@dataclass(frozen=True, slots=True)
class Piece:
    """One section of the bar."""

    css: str
    x: float
    width: float
    title: str
    tokens: int
    slug: str


@dataclass(frozen=True, slots=True)
class Tick:
    """A cache breakpoint on the bar."""

    x: float
    state: str


@dataclass(frozen=True, slots=True)
class Strip:
    """A bar, and how much of it is shared with the turn before (None: nothing to compare with)."""

    pieces: tuple[Piece, ...]
    shared: float | None
    broken_at: float | None
    height: int = 12
    bar: int = 8
    ticks: tuple[Tick, ...] = ()

    @property
    def rail(self) -> int:
        """Top of the line that shows the shared prefix."""
        return self.height - 2


@dataclass(frozen=True, slots=True)
class Weight:
    """What goes into the bar: tokens of a section with its looks."""

    kind: str
    title: str
    tokens: int
    slug: str = ""


def weights(sections: Sequence[Section], slugs: Sequence[str] = (), most: int = MOST) -> list[Weight]:
    """The top sections of a prompt as weights, joined by kind when there are too many to draw."""
    tops = [
        Weight(section.kind, section.title, section.tokens, slugs[index] if slugs else "")
        for index, section in enumerate(sections)
        if section.depth == 0
    ]
    return tops if len(tops) <= most else joined(tops, most)


def joined(tops: Sequence[Weight], most: int) -> list[Weight]:
    """Neighbours of one kind as one weight; still too many: evenly grouped."""
    runs: list[Weight] = []
    for weight in tops:
        if runs and runs[-1].kind == weight.kind:
            runs[-1] = Weight(weight.kind, runs[-1].title, runs[-1].tokens + weight.tokens, runs[-1].slug)
        else:
            runs.append(weight)
    step = -(-len(runs) // most)
    if step <= 1:
        return runs
    groups = (runs[start : start + step] for start in range(0, len(runs), step))
    return [
        Weight(max(g, key=lambda w: w.tokens).kind, g[0].title, sum(w.tokens for w in g), g[0].slug)
        for g in groups
    ]


def widths(tokens: Sequence[int]) -> list[float]:
    """Widths that add up, with the gaps, to the whole bar; none is narrower than it can be seen."""
    if not tokens:
        return []
    room = WIDTH - GAP * (len(tokens) - 1)
    total = sum(tokens)
    if not total:
        return [room / len(tokens)] * len(tokens)
    least = min(LEAST, room / len(tokens))
    raw = [max(least, room * count / total) for count in tokens]
    spare = sum(width - least for width in raw)
    excess = sum(raw) - room
    if spare <= 0:
        return raw
    return [width - excess * (width - least) / spare for width in raw]


def strip(
    bar: Sequence[Weight],
    shared_tokens: int | None = None,
    total: int | None = None,
    *,
    height: int = 12,
    marks: Sequence[CacheMark] = (),
) -> Strip:
    """The bar of these sections; ``shared_tokens`` of ``total`` are shared with the turn before."""
    x, pieces = 0.0, []
    for weight, width in zip(bar, widths([weight.tokens for weight in bar]), strict=True):
        css = card(weight.kind).css
        pieces.append(Piece(css, round(x, 1), round(width, 1), weight.title, weight.tokens, weight.slug))
        x += width + GAP
    shared = place(pieces, shared_tokens) if shared_tokens is not None else None
    whole = shared_tokens is not None and total is not None and shared_tokens >= total
    return Strip(
        tuple(pieces),
        WIDTH if whole else shared,
        None if whole or shared is None else min(shared, WIDTH - 2.5),
        height,
        height - 4,
        tuple(Tick(min(place(pieces, mark.tokens), WIDTH - 3), mark.state) for mark in marks),
    )


def place(pieces: Sequence[Piece], tokens: int) -> float:
    """Where this many tokens end on the bar."""
    left = tokens
    for piece in pieces:
        if left < piece.tokens:
            return round(piece.x + piece.width * left / piece.tokens, 1)
        left -= piece.tokens
    return WIDTH
