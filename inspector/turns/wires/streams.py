"""Streamed answers as events: posted as a list, as SSE text, as one JSON object a line, or in AWS' frames."""

import re
from base64 import b64decode
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from inspector.turns.arguments import value_end
from inspector.turns.errors import NotATurn
from inspector.turns.payload import parse_value

Event = Mapping[str, Any]
_LINE_ENDS = re.compile(r"\r\n?|\n")
"""Not ``splitlines``: JSON may hold other line separators as they are."""
_FRAME = re.compile(r":event-type\x07\0[\s\S](\w{1,40})[^{]{0,200}?:message-type\x07\0\x05event(?=\{)")
STARTS = ("data:", "event:", "{", ":", "id:")


@dataclass(frozen=True, slots=True)
class Streamed:
    """A response that may be a stream, and as what it was posted in case no wire knows its events."""

    events: tuple[Event, ...]
    posted: Any


def streamed(response: Any) -> Any:
    """The response as events where it looks like a stream, else as it is."""
    events: tuple[Event, ...] = ()
    if isinstance(response, list):
        events = _from_list(response)
    elif isinstance(response, str) and response.lstrip()[:6].startswith(STARTS):
        events = _from_text(response)
    elif isinstance(response, str) and ":message-type" in response[:1_000]:
        events = tuple(_from_frames(response))
    return Streamed(events, response) if events else response


def events_in(response: Any) -> tuple[Event, ...]:
    """The events of a streamed response, or none."""
    return response.events if isinstance(response, Streamed) else ()


def unstreamed(response: Any) -> Any:
    """The response as it was posted."""
    return response.posted if isinstance(response, Streamed) else response


def _from_list(items: list[Any]) -> tuple[Event, ...]:
    if items and all(isinstance(item, str) for item in items):
        return _from_text("\n".join(items))
    events = [item["data"] if _is_envelope(item) else item for item in items]
    events = [_parsed(event) if isinstance(event, str) else event for event in events]
    return tuple(event for event in events if isinstance(event, Mapping))


def _is_envelope(item: Any) -> bool:
    return isinstance(item, Mapping) and "data" in item and set(item) <= {"event", "data", "id", "retry"}


def _from_text(text: str) -> tuple[Event, ...]:
    lines = _LINE_ENDS.split(text)
    if text.lstrip().startswith("{"):
        events = [_parsed(line) for line in lines if line.strip()]
        if not all(isinstance(event, Mapping) for event in events):
            return ()
    else:
        events = [_parsed(line[5:]) for line in lines if line.startswith("data:")]
    return tuple(event for event in events if isinstance(event, Mapping))


def _from_frames(text: str) -> Iterator[Event]:
    """Events of AWS' binary stream that somebody took for text: their JSON is whole between broken frames."""
    position = 0
    while (frame := _FRAME.search(text, position)) is not None:
        end = value_end(text, frame.end())
        if end is None:
            return
        payload = _parsed(text[frame.end() : end])
        if isinstance(payload, Mapping):
            yield _chunk(payload) if frame[1] == "chunk" else {frame[1]: payload}
        position = end


def _chunk(payload: Mapping[str, Any]) -> Event:
    """The model's own event, which such a stream carries in Base64."""
    try:
        inner = _parsed(b64decode(str(payload.get("bytes")), validate=True).decode())
    except ValueError:
        return payload
    return inner if isinstance(inner, Mapping) else payload


def _parsed(text: str) -> Any:
    try:
        return parse_value(text.strip())
    except NotATurn:
        return None
