"""A body of many turns: NDJSON, one a line, or a JSON array."""

import re
from collections.abc import Iterator

from inspector.ingest.decoders.single import item
from inspector.ingest.errors import Invalid, TooMany
from inspector.ingest.posted import Posted

MAX_ITEMS = 1_000
"""What comes after is refused item by item; the others are taken."""

_TOKEN = re.compile(rb'"[^"\\]*+(?:\\.[^"\\]*+)*+"?+|[\[\]{},]', re.DOTALL)
_SPACE = b" \t\r\n"
_BOM = b"\xef\xbb\xbf"


def batch(data: bytes, content_type: str = "") -> list[Posted]:
    """Turns in order; one that can't be read carries its error. Raises Invalid when the list is broken."""
    body = data.removeprefix(_BOM)
    is_array = body.lstrip(_SPACE)[:1] == b"[" and not _says_lines(content_type)
    items = _elements(body) if is_array else _lines(body)
    return [_posted(place, piece) for place, piece in enumerate(items)]


def _says_lines(content_type: str) -> bool:
    kind = content_type.partition(";")[0].strip().lower()
    return kind.endswith(("ndjson", "jsonl", "json-lines", "jsonlines"))


def _posted(place: int, piece: bytes) -> Posted:
    if place >= MAX_ITEMS:
        message = f"A batch has at most {MAX_ITEMS:,} turns; this is number {place + 1:,}. Post it again."
        return Posted(piece, {}, TooMany(message, limit=MAX_ITEMS))
    return item(piece)


def _lines(body: bytes) -> Iterator[bytes]:
    """The lines that are not blank, without their ends."""
    for line in body.split(b"\n"):
        line = line.removesuffix(b"\r")
        if line.strip(_SPACE):
            yield line


def _elements(body: bytes) -> list[bytes]:
    """The elements of an array as they stand in the source, without white space around. Raises Invalid."""
    found: list[bytes] = []
    depth, start, end = 0, 0, -1
    for token in _TOKEN.finditer(body):
        byte = token.group()
        if (end >= 0 and byte[:1] != b'"') or (byte[:1] == b'"' and depth == 0):
            raise _broken(token.start())
        if byte in (b"[", b"{"):
            depth += 1
            start = token.end() if depth == 1 else start
        elif byte in (b"]", b"}"):
            depth -= 1
            if depth == 0:
                _add(found, body[start : token.start()], is_last=True, at=token.start())
                end = token.end()
        elif byte == b"," and depth == 1:
            _add(found, body[start : token.start()], is_last=False, at=token.start())
            start = token.end()
    if end < 0 or body[end:].strip(_SPACE):
        raise _broken(len(body) if end < 0 else end)
    return found


def _add(found: list[bytes], piece: bytes, *, is_last: bool, at: int) -> None:
    piece = piece.strip(_SPACE)
    if piece:
        found.append(piece)
    elif found or not is_last:
        raise _broken(at)


def _broken(at: int) -> Invalid:
    return Invalid(
        f"The array is broken at byte {at:,}. Post NDJSON to have broken turns refused one by one."
    )
