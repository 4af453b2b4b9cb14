"""The composition chart: one stacked bar per turn, tokens by section kind."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from inspector.web.kinds import KindCard, card, in_order

LEFT, RIGHT, TOP, BOTTOM = 44.0, 1000.0, 16.0, 196.0
WIDEST = 52.0
MOST = 40
"""Bars drawn; a longer session shows its latest ones and says so."""


@dataclass(frozen=True, slots=True)
class Column:
    """What is known of one turn."""

    seq: int
    tokens: Mapping[str, int]
    """Tokens by kind."""
    url: str
    errors: int = 0

    @property
    def total(self) -> int:
        """Tokens of the prompt."""
        return sum(self.tokens.values())


@dataclass(frozen=True, slots=True)
class Block:
    """One kind's part of a bar."""

    css: str
    x: float
    y: float
    width: float
    height: float


@dataclass(frozen=True, slots=True)
class Bar:
    """One turn."""

    column: Column
    blocks: tuple[Block, ...]
    hit_x: float
    hit_width: float
    middle: float
    top: float
    label: str
    """Empty when labels would touch."""


@dataclass(frozen=True, slots=True)
class Tick:
    """A line of the grid."""

    value: int
    y: float


@dataclass(frozen=True, slots=True)
class Chart:
    """All that is drawn, and the same numbers for the table."""

    bars: tuple[Bar, ...]
    ticks: tuple[Tick, ...]
    kinds: tuple[KindCard, ...]
    left_out: int
    """Earlier turns that are not drawn."""

    @property
    def rows(self) -> list[tuple[Column, list[int]]]:
        """The table: a turn and its tokens by kind, in the order of ``kinds``."""
        return [(bar.column, [bar.column.tokens.get(k.kind, 0) for k in self.kinds]) for bar in self.bars]


def step(top: int, lines: int = 4) -> int:
    """A round number that cuts 0 to ``top`` into at most ``lines`` parts."""
    size = 1
    while True:
        for factor in (1, 2, 5):
            if factor * size * lines >= top:
                return factor * size
        size *= 10


def chart(columns: Sequence[Column]) -> Chart:
    """The chart of a session's turns, oldest first."""
    shown = columns[-MOST:]
    kinds = in_order(kind for column in shown for kind, count in column.tokens.items() if count)
    high = max((column.total for column in shown), default=0)
    unit = step(max(high, 1))
    scale = (BOTTOM - TOP) / max(high, unit)
    slot = (RIGHT - LEFT) / max(len(shown), 1)
    every = -(-len(shown) // 20) or 1
    bars = tuple(bar(column, index, slot, scale, kinds, every) for index, column in enumerate(shown))
    ticks = tuple(Tick(value, round(BOTTOM - value * scale, 1)) for value in range(0, high + 1, unit))
    return Chart(bars, ticks, kinds, len(columns) - len(shown))


def bar(column: Column, index: int, slot: float, scale: float, kinds: Sequence[KindCard], every: int) -> Bar:
    """One stacked bar; a part that would vanish is drawn one pixel high."""
    width = min(WIDEST, slot * 0.64)
    middle = LEFT + slot * (index + 0.5)
    y, blocks = BOTTOM, []
    for kind in kinds:
        if count := column.tokens.get(kind.kind, 0):
            height = max(1.0, count * scale)
            y -= height
            blocks.append(
                Block(
                    card(kind.kind).css,
                    round(middle - width / 2, 1),
                    round(y, 1),
                    round(width, 1),
                    round(max(0.5, height - 1), 1),
                )
            )
    label = str(column.seq) if index % every == 0 else ""
    return Bar(
        column,
        tuple(blocks),
        round(LEFT + slot * index, 1),
        round(slot, 1),
        round(middle, 1),
        round(y, 1),
        label,
    )
