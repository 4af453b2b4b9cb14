"""Bodies read while a limit counts: a bomb is stopped as it unfolds, nothing is shortened in silence."""

import zlib
from collections.abc import Callable, Iterator
from typing import Protocol

from inspector.ingest.errors import BadEncoding, TooLarge, UnknownEncoding
from inspector.store.zstd import ZstdDecompressor, ZstdError

CHUNK = 64 * 1024
MAX_ENCODINGS = 3
"""``gzip, zstd, gzip`` at most; each layer is bounded by the same limit."""
MAX_WINDOW_LOG = 27


class Source(Protocol):
    """Anything with ``read``."""

    def read(self, size: int, /) -> bytes: ...


type Chunks = Iterator[bytes]


def read_body(source: Source, *, encoding: str = "", limit: int, announced: int | None = None) -> bytes:
    """The body, decompressed. Raises TooLarge, UnknownEncoding, BadEncoding.

    ``encoding``: Content-Encoding as it was sent. ``announced``: Content-Length; an uncompressed body
    that says it is too large is refused before it is read.
    """
    layers = _layers(encoding)
    if announced is not None and announced > limit and not layers:
        raise TooLarge(limit, announced)
    chunks = _bounded(_chunks(source), limit)
    for layer in layers:
        chunks = _bounded(layer(chunks), limit)
    return b"".join(chunks)


def _layers(encoding: str) -> list[Callable[[Chunks], Chunks]]:
    """Decoders in the order in which they undo what the sender did: the last named comes first."""
    names = [name.strip().lower() for name in encoding.split(",") if name.strip()]
    wanted = [name for name in names if name != "identity"]
    unknown = [name for name in wanted if name not in DECODERS]
    if unknown or len(wanted) > MAX_ENCODINGS:
        raise UnknownEncoding(
            f"Content-Encoding {encoding[:60]!r} is not understood; use gzip, zstd or none."
        )
    return [DECODERS[name] for name in reversed(wanted)]


def _chunks(source: Source) -> Chunks:
    while chunk := source.read(CHUNK):
        yield chunk


def _bounded(chunks: Chunks, limit: int) -> Chunks:
    seen = 0
    for chunk in chunks:
        seen += len(chunk)
        if seen > limit:
            raise TooLarge(limit, seen)
        yield chunk


def _gzip(chunks: Chunks) -> Chunks:
    """One or more gzip members, and nothing else."""
    member = zlib.decompressobj(wbits=31)
    fresh = True
    for chunk in chunks:
        rest = chunk
        while rest:
            if member.eof:
                member, fresh = zlib.decompressobj(wbits=31), True
            try:
                yield member.decompress(rest, CHUNK)
            except zlib.error as error:
                raise BadEncoding(f"The gzip stream is broken: {error}.") from error
            fresh = False
            rest = member.unused_data if member.eof else member.unconsumed_tail
    while not member.eof and not fresh:
        more = member.decompress(b"", CHUNK)
        if not more:
            raise BadEncoding("The gzip stream ends too early.")
        yield more
    if fresh:
        raise BadEncoding("The gzip stream is empty.")


def _zstd(chunks: Chunks) -> Chunks:
    """One or more zstd frames, and nothing else."""
    frame, fresh = ZstdDecompressor(), True
    for chunk in chunks:
        rest = chunk
        while rest or not (frame.eof or frame.needs_input):
            if frame.eof:
                frame, fresh = ZstdDecompressor(), True
            try:
                yield frame.decompress(rest, CHUNK)
            except ZstdError as error:
                raise BadEncoding(f"The zstd stream is broken: {error}.") from error
            fresh = False
            rest = frame.unused_data if frame.eof else b""
    if fresh:
        raise BadEncoding("The zstd stream is empty.")
    if not frame.eof:
        raise BadEncoding("The zstd stream ends too early.")


DECODERS: dict[str, Callable[[Chunks], Chunks]] = {"gzip": _gzip, "x-gzip": _gzip, "zstd": _zstd}
