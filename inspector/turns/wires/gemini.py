"""Gemini generateContent: bodies and streamed chunks; also the Interactions of its newer API."""

from collections.abc import Mapping, Sequence
from typing import Any

from inspector.turns.turn import Message, ResponseBody, Turn
from inspector.turns.wires.blocks import content_of, dump
from inspector.turns.wires.envelope import turn_from
from inspector.turns.wires.failures import error_of, failure_in
from inspector.turns.wires.fields import listed, mapping, number, objects, text
from inspector.turns.wires.fit import fit
from inspector.turns.wires.gathered import Gathered
from inspector.turns.wires.messages import messages_of
from inspector.turns.wires.native import answered_in, asked_in
from inspector.turns.wires.sides import Answered, Asked
from inspector.turns.wires.streams import Event, events_in
from inspector.turns.wires.tools import tools_of
from inspector.turns.wires.usage import usage_of

NAME = "gemini"
SYSTEMS = ("systemInstruction", "system_instruction")


def likelihood(payload: Mapping[str, Any]) -> float:
    """By ``contents`` in the request, ``candidates`` or ``steps`` in the response."""
    return fit(payload, _fits_request, _fits_response, _fits_event)


def read(payload: Mapping[str, Any]) -> Turn:
    """A turn whose request, response or both are generateContent bodies."""
    request = mapping(payload.get("request"))
    asked = _asked(request) if _fits_request(request) else asked_in(payload)
    return turn_from(payload, NAME, asked, _answered(payload.get("response")))


def _fits_request(request: Mapping[str, Any]) -> float:
    return 0.95 if isinstance(request.get("contents"), str | list | Mapping) else 0.0


def _fits_response(response: Mapping[str, Any]) -> float:
    if isinstance(response.get("candidates"), list) or "promptFeedback" in response:
        return 1.0
    return (
        0.95 if isinstance(response.get("steps"), list) and response.get("object") == "interaction" else 0.0
    )


def _fits_event(event: Event) -> float:
    kind = text(event.get("event_type"))
    return max(_fits_response(event), 0.95 if kind.startswith(("interaction.", "step.")) else 0.0)


def _asked(request: Mapping[str, Any]) -> Asked:
    contents = request["contents"]
    messages, notes = messages_of(contents if isinstance(contents, list) else [contents])
    for name in SYSTEMS:
        if request.get(name):
            system = content_of(request[name])
            messages = (Message("system", system.text, parts=tuple(system.parts)), *messages)
            break
    tools, tool_notes = tools_of(request.get("tools"))
    return Asked(messages, tools, text(request.get("model")) or None, (*notes, *tool_notes))


def _answered(response: Any) -> Answered:
    if events := events_in(response):
        return _from_events(events)
    if error := failure_in(response):
        return Answered(error=error)
    if isinstance(response, Mapping) and isinstance(response.get("steps"), list):
        return _from_steps(response)
    if isinstance(response, Mapping) and _fits_response(response):
        return _from_chunks([response])
    return answered_in(response)


def _from_chunks(chunks: Sequence[Mapping[str, Any]]) -> Answered:
    """One answer from all chunks; a whole body is one chunk."""
    parts: list[Any] = []
    finish = model = error = usage = None
    for chunk in chunks:
        candidate = next(iter(objects(chunk.get("candidates"))), {})
        parts += listed(mapping(candidate.get("content")).get("parts"))
        finish = text(candidate.get("finishReason")) or finish
        model = text(chunk.get("modelVersion")) or model
        usage = usage_of(chunk.get("usageMetadata")) or usage
        error = error or failure_in(chunk)
        finish = finish or text(mapping(chunk.get("promptFeedback")).get("blockReason")) or None
    return Answered(_body(parts) if parts else None, usage, finish, model, error)


def _body(parts: list[Any]) -> ResponseBody:
    content = content_of(parts)
    reasoning = "".join(content.reasoning)
    return ResponseBody(content.text, (reasoning,) if reasoning else (), tuple(content.calls))


def _from_events(events: Sequence[Event]) -> Answered:
    if not any("event_type" in event for event in events):
        return _from_chunks(events)
    gathered = Gathered()
    last: Mapping[str, Any] = {}
    error = None
    for event in events:
        last = mapping(event.get("interaction")) or last
        index = number(event.get("index"))
        step, delta = mapping(event.get("step")), mapping(event.get("delta"))
        if text(step.get("type")).endswith("function_call"):
            gathered.call(index, step.get("id"), step.get("name"), dump(step.get("arguments") or {}))
        if delta.get("type") == "arguments_delta":
            gathered.arguments(index, delta.get("arguments"))
        elif "thought" in text(delta.get("type")):
            gathered.reasoning(index, delta.get("text"))
        else:
            gathered.text(index, delta.get("text"))
        error = error or error_of(event.get("error"))
    return Answered(gathered.body(), usage_of(last.get("usage")), *_ends(last), error)


def _from_steps(response: Mapping[str, Any]) -> Answered:
    gathered = Gathered()
    for index, step in enumerate(objects(response.get("steps"))):
        kind = text(step.get("type"))
        content = content_of(step.get("content"))
        if kind == "function_call":
            gathered.call(index, step.get("id"), step.get("name"), dump(step.get("arguments") or {}))
        elif kind == "model_output":
            gathered.text(index, content.text)
        elif kind == "thought":
            gathered.reasoning(index, content_of(step.get("summary")).text)
    return Answered(
        gathered.body(), usage_of(response.get("usage")), *_ends(response), error_of(response.get("error"))
    )


def _ends(interaction: Mapping[str, Any]) -> tuple[str | None, str | None]:
    return text(interaction.get("status")) or None, text(interaction.get("model")) or None
