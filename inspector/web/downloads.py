"""Content as a file or as plain text: never as something a browser would run."""

from django.http import HttpResponse

from inspector.web.fragments import encodable


def as_text(text: str) -> HttpResponse:
    """Exact text; a lone surrogate, which UTF-8 can't carry, is replaced."""
    return HttpResponse(encodable(text), content_type="text/plain; charset=utf-8")


def download(data: bytes, name: str) -> HttpResponse:
    """Bytes as they were posted. The name is ours: ASCII, without anything from outside."""
    response = HttpResponse(data, content_type="application/octet-stream")
    response.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    return response
