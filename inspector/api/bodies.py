"""Posted bytes, bounded and decompressed while they stream in; never through the framework's own buffers."""

from django.conf import settings
from django.http import HttpRequest

from inspector.ingest import limits


def body_of(request: HttpRequest) -> bytes:
    """The decompressed body. Raises TooLarge, UnknownEncoding, BadEncoding."""
    return limits.read_body(
        request,
        encoding=request.headers.get("Content-Encoding", ""),
        limit=settings.MAX_BODY,
        announced=_announced(request),
    )


def _announced(request: HttpRequest) -> int | None:
    """Content-Length, if it says one."""
    length = request.META.get("CONTENT_LENGTH") or ""
    return int(length) if length.isdecimal() and len(length) < 20 else None
