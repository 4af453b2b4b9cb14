"""The steps: how large a text was from version to version, and how many lines came and went."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from inspector.web.figures.chart import Tick, step

WIDTH, TOP, FLOOR, MIDDLE, HEIGHT = 1320.0, 14.0, 96.0, 122.0, 142.0
TALLEST = 20.0
"""Height of the bar of the most lines."""
LINE = 5.0
"""Height of one line's bar where that fits."""
BAR = 8.0


@dataclass(frozen=True, slots=True)
class Size:
    """What is known of one column."""

    tokens: int
    added: int = 0
    removed: int = 0
    title: str = ""
    href: str = ""


@dataclass(frozen=True, slots=True)
class Point:
    """One column."""

    size: Size
    left: float
    width: float
    x: float
    y: float
    up: float
    """Height of the bar of lines that came."""
    down: float

    @property
    def up_x(self) -> float:
        """Left edge of that bar."""
        return round(self.x - BAR - 1, 1)

    @property
    def up_y(self) -> float:
        """Its top."""
        return round(MIDDLE - self.up, 1)

    @property
    def down_x(self) -> float:
        """Left edge of the bar of lines that went."""
        return round(self.x + 1, 1)


@dataclass(frozen=True, slots=True)
class Steps:
    """All that is drawn."""

    points: tuple[Point, ...]
    line: str
    ticks: tuple[Tick, ...]
    floor: float = FLOOR
    middle: float = MIDDLE


def steps(sizes: Sequence[Size]) -> Steps:
    """The drawing of these columns, in order."""
    high = max((size.tokens for size in sizes), default=0)
    unit = step(max(high, 1))
    scale = (FLOOR - TOP) / max(high, unit)
    lines = max((max(size.added, size.removed) for size in sizes), default=0)
    per_line = min(LINE, TALLEST / max(lines, 1))
    slot = WIDTH / max(len(sizes), 1)
    points = [
        Point(
            size,
            round(slot * index, 1),
            round(slot, 1),
            round(slot * (index + 0.5), 1),
            round(FLOOR - size.tokens * scale, 1),
            bar(size.added, per_line),
            bar(size.removed, per_line),
        )
        for index, size in enumerate(sizes)
    ]
    corners = [f"{point.x},{point.y}" for point in points[:1]]
    for before, after in pairwise(points):
        corners += [f"{after.x},{before.y}", f"{after.x},{after.y}"]
    ticks = tuple(Tick(value, round(FLOOR - value * scale, 1)) for value in range(0, high + 1, unit))
    return Steps(tuple(points), " ".join(corners), ticks)


def bar(lines: int, per_line: float) -> float:
    """Height of some lines' bar; one line among many is still seen."""
    return round(max(1.5, lines * per_line), 1) if lines else 0.0
