"""Amazon Bedrock Converse: bodies and streamed events."""

from collections.abc import Mapping, Sequence
from typing import Any

from inspector.turns.turn import Turn
from inspector.turns.wires.envelope import turn_from
from inspector.turns.wires.failures import failure_in
from inspector.turns.wires.fields import mapping, number, objects, text
from inspector.turns.wires.fit import fit
from inspector.turns.wires.gathered import Gathered
from inspector.turns.wires.messages import body_of, message_of, messages_of
from inspector.turns.wires.native import answered_in, asked_in
from inspector.turns.wires.sides import Answered, Asked
from inspector.turns.wires.streams import Event, events_in
from inspector.turns.wires.tools import tools_of
from inspector.turns.wires.usage import usage_of

NAME = "bedrock_converse"
MARKS = (
    "inferenceConfig",
    "toolConfig",
    "guardrailConfig",
    "additionalModelRequestFields",
    "performanceConfig",
)
EVENTS = (
    "messageStart",
    "contentBlockStart",
    "contentBlockDelta",
    "contentBlockStop",
    "messageStop",
    "metadata",
)


def likelihood(payload: Mapping[str, Any]) -> float:
    """By the request's settings, by ``output.message`` in the response."""
    return fit(payload, _fits_request, _fits_response, _fits_event)


def read(payload: Mapping[str, Any]) -> Turn:
    """A turn whose request, response or both are Converse bodies."""
    request = mapping(payload.get("request"))
    asked = _asked(request) if _fits_request(request) else asked_in(payload)
    return turn_from(payload, NAME, asked, _answered(payload.get("response")))


def _fits_request(request: Mapping[str, Any]) -> float:
    if not isinstance(request.get("messages"), list):
        return 0.0
    if any(mark in request for mark in MARKS):
        return 0.95
    blocks = [
        block for message in objects(request["messages"])[:3] for block in objects(message.get("content"))
    ]
    return 0.85 if blocks and not any("type" in block for block in blocks) else 0.0


def _fits_response(response: Mapping[str, Any]) -> float:
    return 1.0 if isinstance(mapping(response.get("output")).get("message"), Mapping) else 0.0


def _fits_event(event: Event) -> float:
    return 1.0 if any(isinstance(event.get(name), Mapping) for name in EVENTS[:5]) else 0.0


def _asked(request: Mapping[str, Any]) -> Asked:
    messages, notes = messages_of(request["messages"])
    if request.get("system"):
        messages = (message_of({"role": "system", "content": request["system"]}), *messages)
    tools, tool_notes = tools_of(mapping(request.get("toolConfig")).get("tools"))
    return Asked(messages, tools, text(request.get("modelId")) or None, (*notes, *tool_notes))


def _answered(response: Any) -> Answered:
    if events := events_in(response):
        return _from_events(events)
    if error := failure_in(response):
        return Answered(error=error)
    if isinstance(response, Mapping) and _fits_response(response):
        message = mapping(response["output"]).get("message")
        return Answered(
            body=body_of(mapping(message)),
            usage=usage_of(response.get("usage")),
            finish_reason=text(response.get("stopReason")) or None,
        )
    return answered_in(response)


def _from_events(events: Sequence[Event]) -> Answered:
    gathered = Gathered()
    usage = finish = None
    for event in events:
        start, delta = mapping(event.get("contentBlockStart")), mapping(event.get("contentBlockDelta"))
        if call := mapping(mapping(start.get("start")).get("toolUse")):
            gathered.call(number(start.get("contentBlockIndex")), call.get("toolUseId"), call.get("name"))
        if piece := mapping(delta.get("delta")):
            index = number(delta.get("contentBlockIndex"))
            gathered.text(index, piece.get("text"))
            gathered.arguments(index, mapping(piece.get("toolUse")).get("input"))
            gathered.reasoning(index, mapping(piece.get("reasoningContent")).get("text"))
        finish = text(mapping(event.get("messageStop")).get("stopReason")) or finish
        usage = usage_of(mapping(event.get("metadata")).get("usage")) or usage
    return Answered(gathered.body(), usage, finish)
