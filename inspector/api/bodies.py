"""Posted bytes, bounded and decompressed while they stream in; never through the framework's own buffers."""

from django.conf import settings
from django.http import HttpRequest

from inspector.api.faults import Refusal
from inspector.ingest import limits
from inspector.ingest.limits import Source


class _Counted:
    """A source that knows how much was read from it."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.seen = 0

    def read(self, size: int, /) -> bytes:
        chunk = self.source.read(size)
        self.seen += len(chunk)
        return chunk


def body_of(request: HttpRequest) -> bytes:
    """The decompressed body. Raises TooLarge, UnknownEncoding, BadEncoding, Refusal when it was cut off."""
    source, announced = _Counted(_source(request)), _announced(request)
    body = limits.read_body(
        source,
        encoding=request.headers.get("Content-Encoding", ""),
        limit=settings.MAX_BODY,
        announced=announced,
    )
    if announced is not None and source.seen < announced:
        message = f"The connection ended after {source.seen:,} of {announced:,} bytes."
        raise Refusal(400, "body_cut_off", message, announced=announced, actual=source.seen)
    return body


def _source(request: HttpRequest) -> Source:
    """What the body is read from.

    A body sent in chunks says no length, and Django then reads nothing. The server below knows where it
    ends, if it says so (``wsgi.input_terminated``).
    """
    if "CONTENT_LENGTH" not in request.META and request.META.get("wsgi.input_terminated"):
        source: Source = request.META["wsgi.input"]
        return source
    return request


def _announced(request: HttpRequest) -> int | None:
    """Content-Length, if it says one."""
    length = request.META.get("CONTENT_LENGTH") or ""
    return int(length) if length.isdecimal() and len(length) < 20 else None
