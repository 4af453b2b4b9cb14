"""What the four sessions are written with: times, ids, calls and turns."""

import json
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

Payload = dict[str, Any]
DAY = datetime(2026, 11, 2, 9, 0, tzinfo=UTC)
"""The morning on which all of it happens."""


def moment(minutes: float) -> datetime:
    """So many minutes into the demo's morning."""
    return DAY + timedelta(minutes=minutes)


def milliseconds(minutes: float) -> int:
    """The same as Unix milliseconds."""
    return int(moment(minutes).timestamp() * 1000)


def dump(value: Any) -> str:
    """Compact JSON, as JavaScript writes it."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def call(identity: str, name: str, arguments: Any) -> Payload:
    """A tool call as OpenAI carries it; ``arguments`` as text goes out as it is, broken or not."""
    text = arguments if isinstance(arguments, str) else json.dumps(arguments, ensure_ascii=False)
    return {"id": identity, "type": "function", "function": {"name": name, "arguments": text}}


def said(text: str | None, *calls: Payload) -> Payload:
    """An assistant message."""
    return {"role": "assistant", "content": text} | ({"tool_calls": list(calls)} if calls else {})


def tool(name: str, description: str, properties: Payload, required: Sequence[str] = ()) -> Payload:
    """A tool declaration as OpenAI takes it."""
    parameters = {"type": "object", "properties": properties, "required": list(required)}
    return {
        "type": "function",
        "function": {"name": name, "description": description, "parameters": parameters},
    }


def turn(session: str, number: int, minutes: float, seconds: float = 2.4, **fields: Any) -> Payload:
    """One turn to post: with an id that stays, and times on the demo's morning."""
    started = moment(minutes)
    return {
        "id": f"{session}~{number:02d}",
        "session": session,
        "started_at": started.isoformat().replace("+00:00", "Z"),
        "ended_at": (started + timedelta(seconds=seconds)).isoformat().replace("+00:00", "Z"),
        "finish_reason": "stop",
        "tags": {"demo": "yes"},
        **fields,
    }


def usage(prompt: Any, answer: Any, cached: int = 0) -> Payload:
    """Token counts such as a provider reports: near four characters a token, which is all a demo needs."""
    counts = {"input_tokens": len(dump(prompt)) // 4, "output_tokens": len(dump(answer)) // 4}
    return counts | ({"cache_read_tokens": cached} if cached else {})
