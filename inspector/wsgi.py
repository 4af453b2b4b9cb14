"""The application that a WSGI server calls: ``granian --interface wsgi inspector.wsgi:application``.

The server gives each request a thread at once, also while its body still comes in. So it is given many
threads (``--blocking-threads 64``), of which few work at a time and most may wait for bodies.
"""

import gc
import json
import os
import threading
from collections.abc import Iterable
from typing import Any

from django.core.wsgi import get_wsgi_application
from django.urls import get_resolver

WORKING = 8
"""Requests that are worked on at the same time. What waits for its body is not."""
RECEIVING = 48
"""Bodies that may come in at the same time, so that of 64 threads some are left for whoever sends none."""
_REFUSED = {"error": {"code": "busy", "message": "Too many bodies come in at once. Try again.", "detail": {}}}


class Patient:
    """An application that goes on answering while bodies trickle in."""

    def __init__(self, application: Any, working: int = WORKING, receiving: int = RECEIVING) -> None:
        self.application = application
        self.working = threading.Semaphore(working)
        self.receiving = threading.Semaphore(receiving)

    def __call__(self, environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        if environ.get("CONTENT_LENGTH", "0") == "0" and "HTTP_TRANSFER_ENCODING" not in environ:
            with self.working:
                return self.application(environ, start_response)  # type: ignore[no-any-return]
        if not self.receiving.acquire(blocking=False):
            return _refuse(start_response)
        body = Body(environ["wsgi.input"], self)
        environ["wsgi.input"] = body
        try:
            with self.working:
                return self.application(environ, start_response)  # type: ignore[no-any-return]
        finally:
            body.end()


class Body:
    """A body that lets others work while it waits for bytes."""

    def __init__(self, source: Any, patient: Patient) -> None:
        self.source, self.patient = source, patient
        self.ended = False

    def read(self, size: int = -1, /) -> bytes:
        """The next bytes, as many as asked for unless the body ends first."""
        if self.ended:
            return b""
        self.patient.working.release()
        try:
            chunk: bytes = self.source.read(size) if size >= 0 else self.source.read()
        finally:
            self.patient.working.acquire()
        if len(chunk) < size or size < 0:
            self.end()
        return chunk

    def readline(self, size: int = -1, /) -> bytes:
        """As above: nothing of ours reads lines, so the rest will do for one."""
        return self.read(size)

    def end(self) -> None:
        """All has come in, or nobody asks for more: another may begin."""
        if not self.ended:
            self.ended = True
            self.patient.receiving.release()


def _refuse(start_response: Any) -> Iterable[bytes]:
    body = json.dumps(_REFUSED).encode()
    headers = [("Content-Type", "application/json"), ("Content-Length", str(len(body))), ("Retry-After", "1")]
    start_response("503 Service Unavailable", headers)
    return [body]


os.environ.setdefault("DJANGO_SETTINGS_MODULE", "inspector.settings")
application = Patient(get_wsgi_application())
# Pages are loaded now: a fault in one must keep the server from starting, not fail each request.
get_resolver().url_patterns  # noqa: B018
# What is loaded now stays: going through it for garbage would hold up a page by a tenth of a second.
gc.collect()
gc.freeze()
