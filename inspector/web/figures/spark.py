"""A spark line: how one number went over the turns of a session."""

from collections.abc import Sequence
from dataclasses import dataclass

WIDTH, HEIGHT, PAD = 96.0, 24.0, 4.0
MOST = 40


@dataclass(frozen=True, slots=True)
class Spark:
    """Points of the line, and its end."""

    points: str
    x: float
    y: float
    first: int
    last: int


def spark(values: Sequence[int]) -> Spark | None:
    """The line of these values, thinned evenly when there are many; None without any."""
    if not values:
        return None
    step = max(1, -(-len(values) // MOST))
    picked = [*values[:-1:step], values[-1]]
    low, high = min(0, *picked), max(1, *picked)
    across = (WIDTH - 2 * PAD) / max(len(picked) - 1, 1)
    places = [
        (
            round(PAD + across * index if len(picked) > 1 else WIDTH / 2, 1),
            round(HEIGHT - PAD - (HEIGHT - 2 * PAD) * (value - low) / (high - low), 1),
        )
        for index, value in enumerate(picked)
    ]
    x, y = places[-1]
    return Spark(" ".join(f"{px},{py}" for px, py in places), x, y, values[0], values[-1])
