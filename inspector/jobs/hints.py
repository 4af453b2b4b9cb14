"""Hints that work is due. The tables are the truth; a hint that is lost costs a moment, never a turn."""

from collections.abc import Sequence


def reading_due(turn_ids: Sequence[int]) -> None:
    """Once the transaction is safe, tell a worker that these turns are to be read."""
