"""The turns of a session with their texts, for those who walk over all of them."""

from collections.abc import Iterator, Sequence
from typing import overload

from inspector.store import readings
from inspector.store.errors import NotFound
from inspector.store.models import Turn
from inspector.turns.errors import TurnError
from inspector.turns.turn import ReadTurn
from inspector.turns.turn import Turn as Content

BLOCK = 32
"""Turns whose texts are held at once."""


class Texts(Sequence[ReadTurn]):
    """Turns that were read, opened a block at a time and forgotten again. Raises NotFound, Damaged."""

    def __init__(self, rows: Sequence[Turn]) -> None:
        self.rows = rows
        self.start = -1
        self.block: list[ReadTurn] = []

    def __len__(self) -> int:
        return len(self.rows)

    def __iter__(self) -> Iterator[ReadTurn]:
        return (self[index] for index in range(len(self)))

    @overload
    def __getitem__(self, index: int) -> ReadTurn: ...
    @overload
    def __getitem__(self, index: slice) -> "Texts": ...
    def __getitem__(self, index: int | slice) -> "ReadTurn | Texts":
        if isinstance(index, slice):
            return Texts(self.rows[index])
        place = range(len(self.rows))[index]
        start = place - place % BLOCK
        if start != self.start:
            self.block = opened(self.rows[start : start + BLOCK])
            self.start = start
        return self.block[place - start]


def opened(rows: Sequence[Turn]) -> list[ReadTurn]:
    """These turns with their texts; without them where a wire can't be read. Raises NotFound, Damaged."""
    read = readings.readings_of(rows)
    try:
        turns = readings.turns_of(rows)
    except TurnError:
        turns = {}
    if None in read:
        raise NotFound("A turn was deleted meanwhile.")
    return [
        ReadTurn(row.key, row.seq, turns.get(row.pk, Content()), reading)
        for row, reading in zip(rows, read, strict=True)
        if reading is not None
    ]
