"""Prints how long hostile prompts take, and how that grows: ``python -m tests.bench.hostile [name …]``."""

import sys
import time

from inspector.turns.dialects import choose
from inspector.turns.sections import sections_of
from inspector.turns.turn import Message, Turn
from tests.turns.hostile import HOSTILE

SIZES = (125_000, 250_000, 500_000, 1_000_000)


def milliseconds(text: str) -> float:
    """CPU time of the best of three cuts of a prompt."""
    turn = Turn(messages=(Message("user", text), Message("assistant", "<response>")))
    best = float("inf")
    for _ in range(3):
        begun = time.process_time()
        sections_of(turn, choose(turn))
        best = min(best, time.process_time() - begun)
    return best * 1000


def main(names: list[str]) -> None:
    """One line a maker: the time for a megabyte and the mean growth when the size doubles."""
    for name in names or HOSTILE:
        times = [milliseconds(HOSTILE[name](size)) for size in SIZES]
        growth = (times[-1] / times[0]) ** (1 / (len(SIZES) - 1))
        sys.stdout.write(f"{name:28} {times[-1]:8.1f} ms/MB  ×{growth:.2f} a doubling\n")


if __name__ == "__main__":
    main(sys.argv[1:])
