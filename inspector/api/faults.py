"""Every error in one shape, ``{"error": {"code", "message", "detail"}}``, translated in one place."""

import logging
import traceback
from typing import Any

from django.core.exceptions import RequestDataTooBig, SuspiciousOperation
from django.db import InterfaceError, OperationalError
from django.http import Http404, HttpRequest, HttpResponse, UnreadablePostError
from ninja.errors import AuthenticationError, Throttled, ValidationError

from inspector.api.replies import json_reply
from inspector.ingest import errors as ingest
from inspector.sharing import errors as sharing
from inspector.store import errors as store
from inspector.turns.errors import NotATurn, Unreadable

log = logging.getLogger("inspector.api")


class Refusal(Exception):
    """An error that the API itself finds: status, stable code, words and facts."""

    def __init__(self, status: int, code: str, message: str, **detail: Any) -> None:
        super().__init__(message)
        self.status, self.code, self.detail = status, code, detail


NOT_FOUND = "There is nothing here, or not for this key."
NO_KEY = "Send a valid key: Authorization: Bearer pi_…"
FAILED = "The server failed. What was not confirmed was not done."
BUSY = "The database could not take it now. Try again."

TABLE: tuple[tuple[type[Exception], int, str, str | None], ...] = (
    (ingest.TooLarge, 413, "too_large", None),
    (ingest.TooMany, 413, "too_many", None),
    (ingest.UnknownEncoding, 415, "unknown_encoding", None),
    (ingest.BadEncoding, 400, "bad_encoding", None),
    (ingest.ResponseConflict, 409, "response_conflict", None),
    (ingest.Conflict, 409, "id_conflict", None),
    (ingest.Busy, 503, "busy", BUSY),
    (ingest.IngestError, 400, "invalid_turn", None),
    (NotATurn, 400, "invalid_turn", None),
    (Unreadable, 400, "unreadable", None),
    (store.NotFound, 404, "not_found", NOT_FOUND),
    (store.Forbidden, 403, "forbidden", None),
    (store.BadQuery, 400, "bad_query", None),
    (store.BadKinds, 400, "invalid_kinds", None),
    (store.Damaged, 500, "damaged", "The stored bytes are damaged; see the server's log."),
    (sharing.NotShareable, 400, "not_shareable", None),
    (sharing.LinksOff, 403, "links_off", None),
    (sharing.SharingError, 404, "not_found", NOT_FOUND),
    (AuthenticationError, 401, "unauthorized", NO_KEY),
    (Throttled, 429, "too_many_requests", None),
    (ValidationError, 400, "invalid_parameter", "A parameter is not what it should be."),
    (Http404, 404, "not_found", NOT_FOUND),
    (UnreadablePostError, 400, "body_cut_off", "The connection ended before the body did."),
    (RequestDataTooBig, 413, "too_large", None),
    (SuspiciousOperation, 400, "bad_request", "The request can't be understood."),
    (OperationalError, 503, "busy", BUSY),
    (InterfaceError, 503, "busy", BUSY),
)
"""Exception, status, code, and words that replace its own; the first that fits counts."""


OUTSIDE = {
    400: ("bad_request", "The request can't be understood."),
    403: ("forbidden", "Not allowed."),
    404: ("not_found", NOT_FOUND),
    500: ("internal", FAILED),
}
"""Code and words by status, for errors that have no exception of ours."""


def error_of(exception: Exception) -> tuple[int, dict[str, Any]]:
    """Status and ``{"code", "message", "detail"}`` of an exception; 500 for one that nobody foresaw."""
    if isinstance(exception, Refusal):
        return exception.status, _error(exception.code, str(exception), exception.detail)
    for kind, status, code, words in TABLE:
        if isinstance(exception, kind):
            return status, _error(code, words or str(exception) or code, _detail(exception))
    return 500, _error("internal", FAILED, {})


def answer_to(request: HttpRequest, exception: Exception | type[Exception]) -> HttpResponse:
    """The response to an exception; logs what is our fault."""
    if isinstance(exception, type):
        exception = exception()
    status, error = error_of(exception)
    if status >= 500:
        record(request, exception)
    return reply(status, error)


def reply(status: int, error: dict[str, Any]) -> HttpResponse:
    """An error's response."""
    response = json_reply({"error": error}, status)
    if status == 401:
        response.headers["WWW-Authenticate"] = "Bearer"
    if status in (429, 503):
        response.headers["Retry-After"] = "1"
    return response


def unknown_path(request: HttpRequest, rest: str = "") -> HttpResponse:
    """Whatever is not a path of the API."""
    return reply(404, _error("not_found", NOT_FOUND, {}))


def wrong_method(allowed: str) -> HttpResponse:
    """A known path asked in a way it doesn't answer."""
    methods = [method.strip() for method in allowed.split(",")]
    words = f"This path answers {' and '.join(methods)}."
    response = reply(405, _error("method_not_allowed", words, {"allowed": methods}))
    response.headers["Allow"] = allowed
    return response


def refused_outside(status: int) -> HttpResponse:
    """An error that was found before or around the API, by the framework."""
    code, words = OUTSIDE[status]
    return reply(status, _error(code, words, {}))


def record(request: HttpRequest, exception: Exception) -> None:
    """Log where it happened and of what sort, without the message: that may quote what was posted."""
    frames = traceback.extract_tb(exception.__traceback__)[-6:]
    places = " < ".join(f"{frame.filename}:{frame.lineno} {frame.name}" for frame in reversed(frames))
    # A database that is locked or full says so, and nothing of content.
    said = f" ({str(exception)[:200]})" if isinstance(exception, OperationalError) else ""
    log.error("%s %s: %s%s at %s", request.method, request.path, type(exception).__name__, said, places)


def _error(code: str, message: str, detail: dict[str, Any]) -> dict[str, Any]:
    return {"code": code, "message": message, "detail": detail}


def _detail(exception: Exception) -> dict[str, Any]:
    if isinstance(exception, ValidationError):
        return {
            "parameters": [{"place": error["loc"], "message": error["msg"]} for error in exception.errors]
        }
    if isinstance(exception, NotATurn | sharing.NotShareable | store.BadKinds):
        return {"field": exception.field}
    detail: dict[str, Any] = getattr(exception, "detail", {})
    return detail
