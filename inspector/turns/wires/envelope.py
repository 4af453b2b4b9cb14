"""The fields of a turn that are the same whatever wire its two sides travelled on."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from inspector.turns.fields import FIELDS, MAX_NAME
from inspector.turns.turn import PostedResult, Turn, Usage
from inspector.turns.wires.failures import error_of
from inspector.turns.wires.hosted import results_in
from inspector.turns.wires.sides import Answered, Asked
from inspector.turns.wires.times import time_of
from inspector.turns.wires.tools import tools_of
from inspector.turns.wires.usage import usage_of, usage_with


def turn_from(payload: Mapping[str, Any], wire: str, asked: Asked, answered: Answered) -> Turn:
    """A turn from both sides and the payload's own fields, which count before those of the bodies."""
    started_at, ended_at, time_notes = _times(payload)
    tools, tool_notes = (asked.tools, ()) if asked.tools else tools_of(payload.get("tools"))
    usage = usage_of(payload.get("usage"))
    return Turn(
        messages=asked.messages,
        response=answered.body,
        prefill=_text(payload, "prefill") or _prefill(asked, answered),
        tools=tools,
        id=_text(payload, "id"),
        session=_text(payload, "session"),
        agent=_text(payload, "agent"),
        parent=_text(payload, "parent"),
        model=_text(payload, "model") or (answered.model or asked.model or "")[:MAX_NAME] or None,
        provider=_text(payload, "provider"),
        usage=usage_with(usage, answered.usage),
        started_at=started_at,
        ended_at=ended_at,
        finish_reason=_text(payload, "finish_reason") or answered.finish_reason,
        error=error_of(payload.get("error")) or answered.error,
        results=(*_results(payload.get("results")), *results_in(payload.get("response"))),
        dialect=_text(payload, "dialect"),
        tags={str(key): tag for key, tag in _mapping(payload.get("tags")).items() if isinstance(tag, str)},
        metadata=payload.get("metadata"),
        extra={key: value for key, value in payload.items() if key not in FIELDS},
        wire=wire,
        continued=asked.continued,
        notes=(
            *(*getattr(payload, "notes", ()), *asked.notes, *tool_notes, *answered.notes, *time_notes),
            *_left_out(payload, wire, usage),
        ),
    )


def _left_out(payload: Mapping[str, Any], wire: str, usage: Usage | None) -> list[str]:
    """Notes on posted fields that count for nothing."""
    notes = []
    beside = [name for name in ("prompt", "messages") if payload.get(name)]
    if beside and wire != "native" and isinstance(payload.get("request"), Mapping):
        notes.append(f"Both a request and {' and '.join(beside)} were posted; the request is shown.")
    if payload.get("usage") and usage is None:
        notes.append("usage holds no token count that makes sense.")
    return notes


def _text(payload: Mapping[str, Any], name: str) -> str | None:
    value = payload.get(name)
    return value if isinstance(value, str) and value else None


def _mapping(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


def _prefill(asked: Asked, answered: Answered) -> str:
    """A last assistant message with a response after it is text that the answer was begun with."""
    last = asked.messages[-1] if asked.messages else None
    if last is None or answered.body is None or last.role != "assistant" or last.calls:
        return ""
    return last.text


def _times(payload: Mapping[str, Any]) -> tuple[datetime | None, datetime | None, list[str]]:
    name = "started_at" if payload.get("started_at") is not None else "timestamp"
    started_at, start_note = time_of(name, payload.get(name))
    ended_at, end_note = time_of("ended_at", payload.get("ended_at"))
    notes = [note for note in (start_note, end_note) if note]
    if started_at and ended_at and ended_at < started_at:
        notes.append("ended_at is before started_at; both are kept as they are.")
    return started_at, ended_at, notes


def _results(value: Any) -> tuple[PostedResult, ...]:
    items = value if isinstance(value, list) else []
    return tuple(
        PostedResult(item["call"], item.get("name"), item.get("value"), item.get("error"))
        for item in items
        if isinstance(item, Mapping) and isinstance(item.get("call"), int | str)
    )
