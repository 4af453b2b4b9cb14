"""OpenAI Responses: items in, items out, and streamed events."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from inspector.turns.turn import Message, NativeCall, ResponseBody, Turn
from inspector.turns.wires.blocks import CALLS, REASONING, call_of, content_of
from inspector.turns.wires.envelope import turn_from
from inspector.turns.wires.failures import error_of
from inspector.turns.wires.fields import mapping, objects, text
from inspector.turns.wires.fit import fit
from inspector.turns.wires.gathered import Gathered
from inspector.turns.wires.hosted import built_in
from inspector.turns.wires.messages import bodies_joined, body_of, message_of, messages_of
from inspector.turns.wires.native import answered_in, asked_in
from inspector.turns.wires.sides import Answered, Asked
from inspector.turns.wires.streams import Event, events_in
from inspector.turns.wires.tools import tools_of
from inspector.turns.wires.usage import usage_of

NAME = "openai_responses"
KEPT = ("compaction", "compaction_summary", "item_reference")
"""Items that stand for messages that the request does not carry."""
MARKS = (
    "instructions",
    "previous_response_id",
    "include",
    "max_output_tokens",
    "reasoning",
    "text",
    "conversation",
)
ENDS = ("response.completed", "response.incomplete", "response.failed")


def likelihood(payload: Mapping[str, Any]) -> float:
    """By ``input`` in the request, ``output`` items in the response, events named ``response.…``."""
    return fit(payload, _fits_request, _fits_response, _fits_event)


def read(payload: Mapping[str, Any]) -> Turn:
    """A turn whose request, response or both are Responses bodies."""
    request = mapping(payload.get("request"))
    asked = _asked(request) if _fits_request(request) else asked_in(payload)
    return turn_from(payload, NAME, asked, _answered(payload.get("response")))


def _fits_request(request: Mapping[str, Any]) -> float:
    if "messages" in request or not isinstance(request.get("input"), str | list):
        return 0.3 if "previous_response_id" in request else 0.0
    return 0.9 if any(mark in request for mark in MARKS) else 0.6


def _fits_response(response: Mapping[str, Any]) -> float:
    if response.get("object") == "response":
        return 1.0
    return 0.8 if isinstance(response.get("output"), list) and "choices" not in response else 0.0


def _fits_event(event: Event) -> float:
    return 1.0 if text(event.get("type")).startswith("response.") else 0.0


def _asked(request: Mapping[str, Any]) -> Asked:
    given = request.get("input")
    messages, notes = messages_of(given) if isinstance(given, list) else ((), ())
    if isinstance(given, str):
        messages = (Message("user", given),)
    if request.get("instructions"):
        messages = (message_of({"role": "system", "content": request["instructions"]}), *messages)
    continued = _is_continued(request)
    if continued:
        notes = (
            *notes,
            "The provider kept earlier messages of this conversation; they are not in the request.",
        )
    tools, tool_notes = tools_of(request.get("tools"))
    model = text(request.get("model")) or None
    return Asked(messages, tools, model, (*notes, *tool_notes), continued)


def _is_continued(request: Mapping[str, Any]) -> bool:
    """Whether the provider kept earlier messages: by a reference to them, or in a form that only it reads."""
    if request.get("previous_response_id") or request.get("conversation"):
        return True
    return any(item.get("type") in KEPT for item in objects(request.get("input")))


def _answered(response: Any) -> Answered:
    if events := events_in(response):
        return _from_events(events)
    if isinstance(response, Mapping) and _fits_response(response):
        return _from_body(response)
    return answered_in(response)


def _from_body(response: Mapping[str, Any]) -> Answered:
    items = objects(response.get("output"))
    reason = text(mapping(response.get("incomplete_details")).get("reason"))
    others = Counter(text(item.get("type")) for item in items if not _is_read(item))
    return Answered(
        body=bodies_joined([_body(item) for item in items]) if items else None,
        usage=usage_of(response.get("usage")),
        finish_reason=reason or text(response.get("status")) or None,
        model=text(response.get("model")) or None,
        error=error_of(response.get("error")),
        notes=tuple(
            f"The response also holds {count} × {kind or 'an item'}." for kind, count in others.items()
        ),
    )


def _is_read(item: Mapping[str, Any]) -> bool:
    kind = text(item.get("type"))
    return kind == "message" or kind in REASONING or "content" in item or _call(item) is not None


def _call(item: Mapping[str, Any]) -> NativeCall | None:
    kind = text(item.get("type"))
    return built_in(item) or (call_of(item) if kind in CALLS or kind.endswith("_call") else None)


def _body(item: Mapping[str, Any]) -> ResponseBody:
    kind = text(item.get("type"))
    if call := _call(item):
        return ResponseBody("", calls=(call,))
    if kind in REASONING:
        return ResponseBody("", reasoning=tuple(content_of([item]).reasoning))
    return body_of(item) if "content" in item else ResponseBody("")


def _from_events(events: Sequence[Event]) -> Answered:
    """From the last event, which holds all of it, or else from the pieces."""
    for event in reversed(events):
        whole = mapping(event.get("response"))
        if event.get("type") in ENDS and (whole.get("output") or whole.get("error")):
            return _from_body(whole)
    error = next((error_of(event) for event in events if event.get("type") == "error"), None)
    model = next(
        (text(mapping(event.get("response")).get("model")) for event in events if "response" in event), ""
    )
    items = [
        mapping(event.get("item")) for event in events if event.get("type") == "response.output_item.done"
    ]
    pieces = _pieces(events)
    body = bodies_joined([_body(item) for item in items]) if items else pieces
    if len(pieces.text) > len(body.text):
        body = ResponseBody(pieces.text, body.reasoning or pieces.reasoning, body.calls or pieces.calls)
    return Answered(
        body, model=model or None, error=error, notes=("The stream ends before the provider's own end.",)
    )


def _pieces(events: Sequence[Event]) -> ResponseBody:
    gathered = Gathered()
    for event in events:
        index = text(event.get("item_id")) or str(event.get("output_index"))
        kind, delta = text(event.get("type")), event.get("delta")
        if kind == "response.output_item.added" and (call := call_of(mapping(event.get("item")))):
            gathered.call(text(mapping(event.get("item")).get("id")) or index, call.id, call.name)
        elif kind in ("response.output_text.delta", "response.refusal.delta"):
            gathered.text(index, delta)
        elif "reasoning" in kind and kind.endswith(".delta"):
            gathered.reasoning(index, delta)
        elif kind in ("response.function_call_arguments.delta", "response.custom_tool_call_input.delta"):
            gathered.arguments(index, delta)
    return gathered.body()
