"""Our own JSON: ``prompt`` or ``messages``, ``tools``, ``response``; items may have any provider's shape."""

from collections.abc import Mapping
from typing import Any

from inspector.turns.errors import Unreadable
from inspector.turns.turn import Message, ResponseBody, Tool, Turn
from inspector.turns.wires.blocks import call_of, content_of, dump
from inspector.turns.wires.envelope import turn_from
from inspector.turns.wires.failures import failure_in
from inspector.turns.wires.messages import bodies_joined, body_of, messages_of
from inspector.turns.wires.sides import Answered, Asked
from inspector.turns.wires.streams import unstreamed
from inspector.turns.wires.tools import tools_of
from inspector.turns.wires.usage import usage_of

NAME = "native"
MESSAGE_LISTS = ("messages", "input", "contents", "prompt", "chat_history", "inputs")
SYSTEMS = ("system", "instructions", "preamble", "systemInstruction", "system_instruction", "system_prompt")
FINISH = ("finish_reason", "stop_reason", "finishReason", "stopReason", "done_reason")


def likelihood(payload: Mapping[str, Any]) -> float:
    """Always possible, never better than a provider's wire that knows its own shape."""
    return 0.1


def read(payload: Mapping[str, Any]) -> Turn:
    """A turn in our own fields. Raises Unreadable when nothing at all can be made of it."""
    asked = asked_in(payload)
    answered = answered_in(payload.get("response"))
    if not asked.messages and answered.body is None and answered.error is None and not payload.get("error"):
        raise Unreadable(
            "Neither a prompt nor a response could be read: " + " ".join((*asked.notes, *answered.notes))
        )
    return turn_from(payload, NAME, asked, answered)


def asked_in(payload: Mapping[str, Any]) -> Asked:
    """The request side of a payload without a provider's request body that we know."""
    notes: list[str] = []
    messages: tuple[Message, ...] = ()
    tools: tuple[Tool, ...] = ()
    model = None
    if isinstance(request := payload.get("request"), Mapping):
        messages = _from_unknown(request)
        tools = () if payload.get("tools") else tools_of(request.get("tools"))[0]
        model = request.get("model")
        notes.append("The request's shape is not one we know; what looks like messages is shown.")
    if not messages and isinstance(listed := payload.get("messages"), list):
        messages, message_notes = messages_of(listed)
        notes += message_notes
    if isinstance(prompt := payload.get("prompt"), str):
        if messages:
            notes.append("Both a prompt and messages were posted; the messages are shown.")
        else:
            messages = (Message("user", prompt),)
    return Asked(messages, tools, model if isinstance(model, str) else None, tuple(notes))


def _from_unknown(request: Mapping[str, Any]) -> tuple[Message, ...]:
    messages = [
        Message("system", content_of(request[name]).text)
        for name in SYSTEMS
        if isinstance(request.get(name), str | list | Mapping)
    ][:1]
    for name in MESSAGE_LISTS:
        value = request.get(name)
        if isinstance(value, str):
            return (*messages, Message("user", value))
        if isinstance(value, list):
            return (*messages, *messages_of(value)[0])
    return tuple(messages)


def answered_in(response: Any) -> Answered:
    """The response side: a string, a message object, or a list of messages, items, parts or calls."""
    response = unstreamed(response)
    if response is None:
        return Answered()
    if isinstance(response, str):
        return Answered(ResponseBody(response))
    if error := failure_in(response):
        return Answered(error=error)
    if isinstance(response, list):
        return _from_list(response)
    if not isinstance(response, Mapping):
        return Answered(
            ResponseBody(dump(response)), notes=("The response is not text; it is shown as JSON.",)
        )
    return _from_object(response)


def _from_object(response: Mapping[str, Any]) -> Answered:
    inner = response.get("message")
    known = any(
        name in response for name in ("content", "parts", "tool_calls", "role", "text", "type", "refusal")
    )
    if isinstance(inner, Mapping) and not known:
        answered = _from_object(inner)
        return Answered(
            answered.body, usage_of(response.get("usage")), _finish(response) or answered.finish_reason
        )
    known = known or not response.keys() - set(FINISH)
    notes = () if known else ("The response's shape is not one we know; it is shown as JSON.",)
    usage = usage_of(response.get("usage")) or usage_of(response.get("usage_metadata"))
    model = response.get("model")
    return Answered(
        body=body_of(response) if known else ResponseBody(dump(response)),
        usage=usage,
        finish_reason=_finish(response),
        model=model if isinstance(model, str) else None,
        notes=notes,
    )


def _from_list(items: list[Any]) -> Answered:
    bodies = []
    finish = None
    for item in items:
        if isinstance(item, Mapping) and ("role" in item or item.get("type") == "message"):
            bodies.append(body_of(item))
            finish = _finish(item) or finish
        elif (
            isinstance(item, Mapping)
            and (call := call_of(item))
            and item.get("type", "function") != "tool_result"
        ):
            bodies.append(ResponseBody("", calls=(call,)))
        else:
            content = content_of([item])
            bodies.append(ResponseBody(content.text, tuple(content.reasoning), tuple(content.calls)))
    return Answered(bodies_joined(bodies), finish_reason=finish)


def _finish(item: Mapping[str, Any]) -> str | None:
    return next((item[name] for name in FINISH if isinstance(item.get(name), str)), None)
