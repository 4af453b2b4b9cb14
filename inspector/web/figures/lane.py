"""The lane: one row over the turns of a session; where it stands, and where something happened."""

from collections.abc import Sequence
from dataclasses import dataclass

WIDTH, HEIGHT = 600.0, 12.0
TICK = 3.0
"""Widest mark of one turn."""


@dataclass(frozen=True, slots=True)
class Lane:
    """Two paths, however many turns there are."""

    ground: str
    """Where it stands."""
    marks: str
    """What happened."""


def lane(stands: Sequence[bool], happened: Sequence[bool], width: float = WIDTH) -> Lane:
    """A slot per turn: a run of turns where it stands is one block, each happening a mark in its slot."""
    slot = width / max(len(stands), 1)
    return Lane(
        "".join(block(start, end, slot, 4, 4) for start, end in runs(stands)),
        "".join(mark(index, slot) for index, here in enumerate(happened) if here),
    )


def runs(flags: Sequence[bool]) -> list[tuple[int, int]]:
    """Stretches of True: first index, and the index behind the last."""
    found: list[tuple[int, int]] = []
    start: int | None = None
    for index, flag in enumerate([*flags, False]):
        if flag and start is None:
            start = index
        elif not flag and start is not None:
            found.append((start, index))
            start = None
    return found


def block(start: int, end: int, slot: float, top: int, height: int) -> str:
    """A rectangle over some slots."""
    left, right = round(start * slot, 1), round(end * slot, 1)
    return f"M{left} {top}H{right}v{height}H{left}z"


def mark(index: int, slot: float) -> str:
    """A rectangle in one slot."""
    left, width = round(index * slot, 1), round(max(1.0, min(TICK, slot)), 1)
    return f"M{left} 0h{width}v{HEIGHT:.0f}h-{width}z"
