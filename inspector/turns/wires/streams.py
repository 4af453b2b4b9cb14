"""Streamed answers as a list of events: posted as a list, as raw SSE text, or as one JSON object a line."""

from collections.abc import Mapping
from typing import Any

from inspector.turns.errors import NotATurn
from inspector.turns.payload import parse_value

Event = Mapping[str, Any]


def events_of(response: Any) -> tuple[Event, ...] | None:
    """The events of a streamed answer in order, or None when the response is no stream."""
    if isinstance(response, list):
        return _from_list(response)
    if isinstance(response, str):
        return _from_text(response)
    return None


def _from_list(items: list[Any]) -> tuple[Event, ...] | None:
    if items and all(isinstance(item, str) for item in items):
        return _from_text("\n".join(items))
    events = [item.get("data") if _is_envelope(item) else item for item in items]
    events = [_parsed(event) if isinstance(event, str) else event for event in events]
    found = tuple(event for event in events if isinstance(event, Mapping))
    return found or None


def _is_envelope(item: Any) -> bool:
    return isinstance(item, Mapping) and "data" in item and set(item) <= {"event", "data", "id", "retry"}


def _from_text(text: str) -> tuple[Event, ...] | None:
    start = text.lstrip()[:6]
    if not start.startswith(("data:", "event:", "{", ":")):
        return None
    lines = text.splitlines()
    if start.startswith("{"):
        events = [_parsed(line) for line in lines if line.strip()]
        if not all(isinstance(event, Mapping) for event in events):
            return None
    else:
        events = [_parsed(line[5:]) for line in lines if line.startswith("data:")]
    return tuple(event for event in events if isinstance(event, Mapping)) or None


def _parsed(text: str) -> Any:
    try:
        return parse_value(text.strip())
    except NotATurn:
        return None
