"""New text cut into what one row of the index holds: its words, and the text itself, compressed.

Made before the transaction that saves it: a turn of 32 MB must not hold up whoever writes meanwhile.
"""

import json
import struct
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from inspector.store import zstd
from inspector.store.terms.stretches import Stretch
from inspector.store.terms.words import words_and_parts

MAX_WORDS = 4_000
MAX_ROWS = 500
"""Of one turn: 4 million characters; what is beyond is not indexed."""
GAP = ("", "")
"""Between stretches, so that no phrase reaches over."""
WHOLE = 64 * 1024
"""A record up to this size is all prefix; of a larger one the prefix is where the text stands in it, since
zstd looks through a prefix anew for each row."""
AROUND = 2_048
NEEDLE = 48
AHEAD = 1 << 20
"""How far on in the record a chunk is looked for: chunks come in the record's order."""
_HEAD = struct.Struct(">II")
"""Where in the record the prefix begins, and ends."""


@dataclass(frozen=True, slots=True)
class Chunk:
    """One row to be: the words that find it, and its stretches, compressed against the turn's record."""

    terms: list[str]
    data: bytes


def chunks_of(stretches: Sequence[Stretch], record: bytes) -> list[Chunk]:
    """The rows of a turn, given its record."""
    # Escaped as the record is, so that zstd finds it there.
    written = json.JSONEncoder(ensure_ascii=record.isascii(), separators=(",", ":")).encode
    at = 0
    made = []
    for chunk in _chunks(stretches):
        data, at = _packed(chunk, record, at, written)
        made.append(Chunk(terms_of(chunk), data))
    return made


def unpacked(data: bytes, record: bytes) -> list[Stretch]:
    """The stretches of a row, given its turn's record."""
    start, end = _HEAD.unpack_from(data)
    text = zstd.decompress(data[_HEAD.size :], record[start:end]).decode("utf-8", "surrogatepass")
    return [Stretch(*row) for row in json.loads(text)]


def terms_of(stretches: Sequence[Stretch]) -> list[str]:
    """The words of a row in order, parts of identifiers after them; an empty word is a gap."""
    found: list[str] = []
    named: list[str] = []
    for one in stretches:
        words, parts = words_and_parts(one.text)
        found += words
        found += GAP
        named += parts
    return found + named


def _packed(
    stretches: Sequence[Stretch], record: bytes, after: int, written: Callable[[Any], str]
) -> tuple[bytes, int]:
    """A chunk compressed, and where the next one may stand in the record."""
    rows = [[one.part, one.section, one.line, one.text] for one in stretches]
    data = written(rows).encode("utf-8", "surrogatepass")
    needle = written(stretches[0].text[:NEEDLE])[1:-1].encode("utf-8", "surrogatepass")
    start, end = _window(needle, len(data), record, after)
    packed = zstd.compress(data, record[start:end], zstd.LEVEL_FAST)
    return _HEAD.pack(start, end) + packed, max(after, end - 2 * AROUND)


def _window(needle: bytes, length: int, record: bytes, after: int) -> tuple[int, int]:
    if len(record) <= WHOLE:
        return 0, len(record)
    found = record.find(needle, after, after + AHEAD)
    if found < 0:
        return 0, 0
    return max(0, found - AROUND), min(len(record), found + length + AROUND)


def _chunks(stretches: Sequence[Stretch]) -> Iterator[list[Stretch]]:
    chunk: list[Stretch] = []
    size = rows = 0
    for one in _sliced(stretches):
        # A character gives at most one word and one part, so this bounds the words without making them twice.
        weight = len(one.text) // 2 + len(GAP)
        if chunk and size + weight > MAX_WORDS:
            yield chunk
            chunk, size, rows = [], 0, rows + 1
            if rows == MAX_ROWS:
                return
        chunk.append(one)
        size += weight
    if chunk:
        yield chunk


def _sliced(stretches: Sequence[Stretch]) -> Iterator[Stretch]:
    """Long stretches in slices, cut at line ends or spaces where there are any."""
    limit = MAX_WORDS
    for one in stretches:
        text, line, at = one.text, one.line, 0
        while len(text) - at > limit:
            low, high = at + limit // 2, at + limit
            cut = max(text.rfind("\n", low, high), text.rfind(" ", low, high)) + 1 or high
            yield Stretch(one.part, one.section, line, text[at:cut])
            line += text.count("\n", at, cut)
            at = cut
        if at < len(text):
            yield Stretch(one.part, one.section, line, text[at:])
