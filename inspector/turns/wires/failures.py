"""Errors of any provider: a string, our own ``{type, message}``, or an error body."""

from collections.abc import Mapping
from typing import Any

from inspector.turns.turn import ErrorInfo
from inspector.turns.wires.blocks import dump

MESSAGES = ("message", "msg", "detail", "error_message", "Message", "description")
TYPES = ("type", "code", "status", "name", "__type")


def error_of(value: Any) -> ErrorInfo | None:
    """The error that a value describes, or None for nothing."""
    if not value:
        return None
    if isinstance(value, str):
        return ErrorInfo(None, value)
    if isinstance(value, list):
        return error_of(value[0])
    if not isinstance(value, Mapping):
        return ErrorInfo(None, dump(value))
    inner = value.get("error")
    if isinstance(inner, Mapping | str) and inner:
        return error_of(inner)
    message = next((value[name] for name in MESSAGES if isinstance(value.get(name), str)), None)
    kind = next(
        (value[name] for name in TYPES if isinstance(value.get(name), str | int) and value[name] != "error"),
        None,
    )
    return ErrorInfo(None if kind is None else str(kind), dump(value) if message is None else message)


def failure_in(body: Any) -> ErrorInfo | None:
    """The error of a response body that is nothing but an error, else None."""
    if isinstance(body, list) and len(body) == 1:
        body = body[0]
    if not isinstance(body, Mapping):
        return None
    if body.get("error") and not any(
        body.get(name) for name in ("choices", "content", "output", "candidates", "text")
    ):
        return error_of(body)
    if (
        set(body) <= {"message", "detail", "__type", "code", "type", "request_id", "id"}
        and "role" not in body
    ):
        return error_of(body) if isinstance(body.get("message", body.get("detail")), str | list) else None
    return None
