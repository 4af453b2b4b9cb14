"""Cohere chat, version 2 (messages) and version 1 (message and chat_history), whole or streamed."""

from collections.abc import Mapping, Sequence
from typing import Any

from inspector.turns.turn import Message, NativeCall, ResponseBody, Turn
from inspector.turns.wires.blocks import dump
from inspector.turns.wires.envelope import turn_from
from inspector.turns.wires.failures import failure_in
from inspector.turns.wires.fields import mapping, number, objects, text
from inspector.turns.wires.fit import fit
from inspector.turns.wires.gathered import Gathered
from inspector.turns.wires.messages import body_of, calls_of, messages_of
from inspector.turns.wires.native import answered_in, asked_in
from inspector.turns.wires.sides import Answered, Asked
from inspector.turns.wires.streams import Event, events_in
from inspector.turns.wires.tools import tools_of
from inspector.turns.wires.usage import usage_of

NAME = "cohere_chat"
EVENTS = frozenset(
    {"message-start", "content-start", "content-delta", "tool-plan-delta", "tool-call-start", "message-end"}
)


def likelihood(payload: Mapping[str, Any]) -> float:
    """By ``message`` and ``chat_history``, or by how responses and events are named."""
    return fit(payload, _fits_request, _fits_response, _fits_event)


def read(payload: Mapping[str, Any]) -> Turn:
    """A turn whose request, response or both are Cohere bodies."""
    request = mapping(payload.get("request"))
    asked = _asked(request) if _fits_request(request) else asked_in(payload)
    return turn_from(payload, NAME, asked, _answered(payload.get("response")))


def _fits_request(request: Mapping[str, Any]) -> float:
    if isinstance(request.get("message"), str) and "messages" not in request:
        return 0.9
    if not isinstance(request.get("messages"), list):
        return 0.0
    return 0.6 if text(request.get("model")).startswith("command") else 0.15


def _fits_response(response: Mapping[str, Any]) -> float:
    if "generation_id" in response and isinstance(response.get("text"), str):
        return 1.0
    message = mapping(response.get("message"))
    usage = mapping(response.get("usage"))
    return (
        1.0 if message.get("role") == "assistant" and ("billed_units" in usage or "tokens" in usage) else 0.0
    )


def _fits_event(event: Event) -> float:
    return 1.0 if text(event.get("type")) in EVENTS or "is_finished" in event else 0.0


def _asked(request: Mapping[str, Any]) -> Asked:
    given = request.get("messages")
    if isinstance(given, list):
        messages, notes = messages_of(given)
    else:
        history, notes = messages_of(
            request["chat_history"] if isinstance(request.get("chat_history"), list) else []
        )
        preamble = text(request.get("preamble"))
        messages = (*((Message("system", preamble),) if preamble else ()), *history)
        messages += tuple(_result(result) for result in objects(request.get("tool_results")))
        messages += (Message("user", request["message"]),) if request["message"] else ()
    if request.get("documents"):
        notes = (*notes, "Documents sent beside the messages are not shown in the prompt.")
    tools, tool_notes = tools_of(request.get("tools"))
    return Asked(messages, tools, text(request.get("model")) or None, (*notes, *tool_notes))


def _result(result: Mapping[str, Any]) -> Message:
    name = text(mapping(result.get("call")).get("name")) or None
    return Message("tool", dump(result.get("outputs")), name)


def _answered(response: Any) -> Answered:
    if events := events_in(response):
        return _from_events(events)
    if error := failure_in(response):
        return Answered(error=error)
    if isinstance(response, Mapping) and _fits_response(response):
        return _from_body(response)
    return answered_in(response)


def _from_body(response: Mapping[str, Any]) -> Answered:
    message = mapping(response.get("message"))
    if message:
        body = body_of(message)
        plan = text(message.get("tool_plan"))
        body = ResponseBody(body.text, (*((plan,) if plan else ()), *body.reasoning), body.calls)
    else:
        body = ResponseBody(text(response.get("text")), calls=calls_of(response))
    return Answered(body, _usage(response), text(response.get("finish_reason")) or None)


def _usage(response: Mapping[str, Any]) -> Any:
    usage = mapping(response.get("usage")) or mapping(response.get("meta"))
    return usage_of(usage.get("tokens")) or usage_of(usage.get("billed_units"))


def _from_events(events: Sequence[Event]) -> Answered:
    gathered = Gathered()
    usage = finish = None
    for event in events:
        if "event_type" in event:
            if event["event_type"] == "text-generation":
                gathered.text(0, event.get("text"))
            if isinstance(whole := event.get("response"), Mapping):
                usage, finish = _usage(whole), text(event.get("finish_reason")) or finish
                for call in calls_of(whole):
                    gathered.call(f"call {len(call.name)} {call}", call.id, call.name, call.arguments)
            continue
        delta = mapping(event.get("delta"))
        _add(gathered, event, mapping(delta.get("message")))
        usage = _usage(delta) or usage
        finish = text(delta.get("finish_reason")) or finish
    return Answered(gathered.body(), usage, finish)


def _add(gathered: Gathered, event: Event, message: Mapping[str, Any]) -> None:
    index = number(event.get("index"))
    content, calls = mapping(message.get("content")), mapping(message.get("tool_calls"))
    gathered.reasoning("plan", message.get("tool_plan"))
    gathered.reasoning(f"content {index}", content.get("thinking"))
    gathered.text(f"content {index}", content.get("text"))
    function = mapping(calls.get("function"))
    if event.get("type") == "tool-call-start":
        call = NativeCall(text(calls.get("id")), text(function.get("name")), text(function.get("arguments")))
        gathered.call(f"call {index}", call.id, call.name)
    if "tool-call" in text(event.get("type")):
        gathered.arguments(f"call {index}", function.get("arguments"))
