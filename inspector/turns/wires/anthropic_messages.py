"""Anthropic Messages: bodies and streamed events, also as Bedrock and Vertex carry them."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from inspector.turns.turn import Breakpoint, Message, Turn
from inspector.turns.wires.blocks import HOSTED, dump
from inspector.turns.wires.breakpoints import lifetime_of
from inspector.turns.wires.envelope import turn_from
from inspector.turns.wires.failures import error_of
from inspector.turns.wires.fields import mapping, number, text
from inspector.turns.wires.fit import fit
from inspector.turns.wires.gathered import Gathered
from inspector.turns.wires.messages import body_of, message_of, messages_of
from inspector.turns.wires.native import answered_in, asked_in
from inspector.turns.wires.sides import Answered, Asked
from inspector.turns.wires.streams import Event, events_in
from inspector.turns.wires.tools import tools_of
from inspector.turns.wires.usage import usage_of

NAME = "anthropic_messages"
MARKS = ("anthropic_version", "stop_sequences", "thinking", "top_k", "mcp_servers", "anthropic_beta")
EVENTS = frozenset(
    {
        *("message_start", "content_block_start", "content_block_delta", "content_block_stop"),
        *("message_delta", "message_stop"),
    }
)


def likelihood(payload: Mapping[str, Any]) -> float:
    """By ``system`` beside ``messages`` in the request, ``type: message`` in the response, or events."""
    return fit(payload, _fits_request, _fits_response, _fits_event)


def read(payload: Mapping[str, Any]) -> Turn:
    """A turn whose request, response or both are Messages bodies."""
    request = mapping(payload.get("request"))
    asked = _asked(request) if _fits_request(request) else asked_in(payload)
    return turn_from(payload, NAME, asked, _answered(payload.get("response")))


def _fits_request(request: Mapping[str, Any]) -> float:
    if not isinstance(request.get("messages"), list) or "inferenceConfig" in request:
        return 0.0
    tools = request.get("tools")
    first = mapping(tools[0]) if isinstance(tools, list) and tools else {}
    if "input_schema" in first or any(mark in request for mark in MARKS):
        return 0.9
    if "system" in request or text(request.get("model")).startswith("claude"):
        return 0.8
    return 0.4 if "max_tokens" in request else 0.2


def _fits_response(response: Mapping[str, Any]) -> float:
    kind = response.get("type")
    if kind == "message" and isinstance(response.get("content"), list) and "stop_reason" in response:
        return 1.0
    return 0.9 if kind == "error" and isinstance(response.get("error"), Mapping) else 0.0


def _fits_event(event: Event) -> float:
    return 1.0 if text(event.get("type")) in EVENTS else 0.0


def _asked(request: Mapping[str, Any]) -> Asked:
    messages, notes = messages_of(request["messages"])
    if request.get("system"):
        messages = (system_message(request["system"]), *messages)
    lifetime = lifetime_of(request)
    if lifetime is not None and messages:
        messages = (*messages[:-1], kept_whole(messages[-1], lifetime))
    tools, tool_notes = tools_of(request.get("tools"))
    return Asked(messages, tools, text(request.get("model")) or None, (*notes, *tool_notes))


def kept_whole(message: Message, lifetime: str) -> Message:
    """The last message with a breakpoint behind it: what ``cache_control`` of the request itself asks for."""
    end = Breakpoint(len(message.text), max(len(message.parts), 1), lifetime)
    return replace(message, breakpoints=(*message.breakpoints, end))


def system_message(content: Any) -> Message:
    """The system prompt that a request carries beside its messages, as the first message."""
    return message_of({"role": "system", "content": content})


def _answered(response: Any) -> Answered:
    if events := events_in(response):
        return _from_events(events)
    if isinstance(response, Mapping) and _fits_response(response) == 1.0:
        return Answered(
            body=body_of(response),
            usage=usage_of(response.get("usage")),
            finish_reason=text(response.get("stop_reason")) or None,
            model=text(response.get("model")) or None,
        )
    return answered_in(response)


def _from_events(events: Sequence[Event]) -> Answered:
    gathered = Gathered()
    message: Mapping[str, Any] = {}
    usage: dict[str, Any] = {}
    finish = None
    error = None
    for event in events:
        kind = event.get("type")
        index = number(event.get("index"))
        if kind == "message_start":
            message = mapping(event.get("message"))
            usage |= mapping(message.get("usage"))
        elif kind == "content_block_start":
            _begin(gathered, index, mapping(event.get("content_block")))
        elif kind == "content_block_delta":
            _add(gathered, index, mapping(event.get("delta")))
        elif kind == "message_delta":
            finish = text(mapping(event.get("delta")).get("stop_reason")) or finish
            usage |= {key: value for key, value in mapping(event.get("usage")).items() if value is not None}
        elif kind == "error":
            error = error_of(event)
    return Answered(
        body=gathered.body(),
        usage=usage_of(usage),
        finish_reason=finish,
        model=text(message.get("model")) or None,
        error=error,
    )


def _begin(gathered: Gathered, index: int, block: Mapping[str, Any]) -> None:
    kind = text(block.get("type"))
    if kind.endswith("tool_use"):
        given = block.get("input")
        arguments = dump(given) if given else "{}"
        gathered.call(index, block.get("id"), block.get("name"), arguments, hosted=kind in HOSTED)
    gathered.text(index, block.get("text"))
    gathered.reasoning(index, block.get("thinking"))


def _add(gathered: Gathered, index: int, delta: Mapping[str, Any]) -> None:
    gathered.text(index, delta.get("text"))
    gathered.reasoning(index, delta.get("thinking"))
    gathered.arguments(index, delta.get("partial_json"))
