"""Ollama's own API: chat and generate, whole or streamed line by line."""

from collections.abc import Mapping, Sequence
from typing import Any

from inspector.turns.turn import Message, ResponseBody, Turn
from inspector.turns.wires.envelope import turn_from
from inspector.turns.wires.failures import failure_in
from inspector.turns.wires.fields import mapping, text
from inspector.turns.wires.fit import fit
from inspector.turns.wires.messages import bodies_joined, body_of, messages_of
from inspector.turns.wires.native import answered_in, asked_in
from inspector.turns.wires.sides import Answered, Asked
from inspector.turns.wires.streams import Event, events_in
from inspector.turns.wires.tools import tools_of
from inspector.turns.wires.usage import usage_of

NAME = "ollama"
MARKS = ("options", "keep_alive", "raw", "context", "think")


def likelihood(payload: Mapping[str, Any]) -> float:
    """By ``options`` or ``keep_alive`` in the request, ``done`` in the response."""
    return fit(payload, _fits_request, _fits_response, _fits_response)


def read(payload: Mapping[str, Any]) -> Turn:
    """A turn whose request, response or both are Ollama bodies."""
    request = mapping(payload.get("request"))
    asked = _asked(request) if _fits_request(request) else asked_in(payload)
    return turn_from(payload, NAME, asked, _answered(payload.get("response")))


def _fits_request(request: Mapping[str, Any]) -> float:
    if not isinstance(request.get("messages"), list) and not isinstance(request.get("prompt"), str):
        return 0.0
    return 0.8 if any(mark in request for mark in MARKS) else 0.1


def _fits_response(response: Mapping[str, Any]) -> float:
    answer = isinstance(response.get("message"), Mapping) or isinstance(response.get("response"), str)
    return 1.0 if "done" in response and "created_at" in response and answer else 0.0


def _asked(request: Mapping[str, Any]) -> Asked:
    given = request.get("messages")
    messages, notes = messages_of(given) if isinstance(given, list) else ((), ())
    if isinstance(request.get("prompt"), str):
        messages = (Message("user", request["prompt"]),)
        if text(request.get("system")):
            messages = (Message("system", request["system"]), *messages)
    tools, tool_notes = tools_of(request.get("tools"))
    return Asked(messages, tools, text(request.get("model")) or None, (*notes, *tool_notes))


def _answered(response: Any) -> Answered:
    if events := events_in(response):
        return _from_chunks(events)
    if isinstance(response, Mapping) and _fits_response(response):
        return _from_chunks([response])
    return answered_in(response)


def _from_chunks(chunks: Sequence[Event]) -> Answered:
    bodies = [_body(chunk) for chunk in chunks]
    joined = bodies_joined(bodies)
    reasoning = "".join(joined.reasoning)
    last = chunks[-1]
    return Answered(
        body=ResponseBody(joined.text, (reasoning,) if reasoning else (), joined.calls),
        usage=usage_of(last),
        finish_reason=text(last.get("done_reason")) or None,
        model=text(chunks[0].get("model")) or None,
        error=next(filter(None, map(failure_in, chunks)), None),
    )


def _body(chunk: Mapping[str, Any]) -> ResponseBody:
    if isinstance(chunk.get("message"), Mapping):
        return body_of(chunk["message"])
    thinking = text(chunk.get("thinking"))
    return ResponseBody(text(chunk.get("response")), (thinking,) if thinking else ())
