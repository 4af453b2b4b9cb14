"""OpenAI Chat Completions, and everything that speaks it: bodies, streamed chunks, the older functions."""

from collections.abc import Mapping, Sequence
from typing import Any

from inspector.turns.turn import NativeCall, ResponseBody, Turn
from inspector.turns.wires.envelope import turn_from
from inspector.turns.wires.failures import failure_in
from inspector.turns.wires.fields import mapping, objects
from inspector.turns.wires.fit import fit
from inspector.turns.wires.messages import body_of, messages_of
from inspector.turns.wires.native import answered_in, asked_in
from inspector.turns.wires.sides import Answered, Asked
from inspector.turns.wires.streams import Event, events_in
from inspector.turns.wires.tools import tools_of
from inspector.turns.wires.usage import usage_of

NAME = "openai_chat"
REQUEST_MARKS = (
    "frequency_penalty",
    "logprobs",
    "response_format",
    "max_completion_tokens",
    "stream_options",
    "n",
)


def likelihood(payload: Mapping[str, Any]) -> float:
    """By ``messages`` in the request, ``choices`` in the response or its chunks."""
    return fit(payload, _fits_request, _fits_response, _fits_response)


def _fits_request(request: Mapping[str, Any]) -> float:
    if not isinstance(request.get("messages"), list) or "system" in request:
        return 0.0
    tools = request.get("tools")
    first = tools[0] if isinstance(tools, list) and tools else None
    marked = any(name in request for name in REQUEST_MARKS) or (
        isinstance(first, Mapping) and "function" in first
    )
    return 0.7 if marked else 0.5


def _fits_response(response: Mapping[str, Any]) -> float:
    choices = response.get("choices")
    if not isinstance(choices, list):
        return 0.0
    return 0.6 if any("text" in choice for choice in objects(choices)[:1]) else 1.0


def read(payload: Mapping[str, Any]) -> Turn:
    """A turn whose request, response or both are Chat Completions bodies."""
    request = mapping(payload.get("request"))
    asked = _asked(request) if _fits_request(request) else asked_in(payload)
    return turn_from(payload, NAME, asked, _answered(payload.get("response")))


def _asked(request: Mapping[str, Any]) -> Asked:
    messages, notes = messages_of(request["messages"])
    tools, tool_notes = tools_of(request.get("tools") or request.get("functions"))
    model = request.get("model")
    return Asked(messages, tools, model if isinstance(model, str) else None, (*notes, *tool_notes))


def _answered(response: Any) -> Answered:
    if isinstance(response, Mapping) and isinstance(response.get("choices"), list):
        return _from_body(response)
    if events := events_in(response):
        return _from_chunks(events)
    if error := failure_in(response):
        return Answered(error=error)
    return answered_in(response)


def _from_body(response: Mapping[str, Any]) -> Answered:
    choices = [choice for choice in response["choices"] if isinstance(choice, Mapping)]
    first = choices[0] if choices else {}
    message = first.get("message")
    body = None
    if isinstance(message, Mapping):
        body = body_of(message)
    elif isinstance(first.get("text"), str):
        body = ResponseBody(first["text"])
    notes = []
    if len(choices) > 1:
        notes.append(f"The response has {len(choices)} choices; the first is shown.")
    if isinstance(message, Mapping) and message.get("refusal") and not message.get("content"):
        notes.append("The model refused; its refusal is shown as the response's text.")
    return Answered(
        body=body,
        usage=usage_of(response.get("usage")),
        finish_reason=_string(first.get("finish_reason")),
        model=_string(response.get("model")),
        error=failure_in(response),
        notes=tuple(notes),
    )


def _from_chunks(events: Sequence[Event]) -> Answered:
    """One answer from the deltas of its first choice."""
    text: list[str] = []
    reasoning: list[str] = []
    calls: dict[int, dict[str, Any]] = {}
    finish = model = error = usage = None
    role = "assistant"
    for event in events:
        model = model or _string(event.get("model"))
        usage = usage_of(event.get("usage")) or usage_of(mapping(event.get("x_groq")).get("usage")) or usage
        error = error or failure_in(event)
        choice = _first_choice(event)
        finish = _string(choice.get("finish_reason")) or finish
        delta = choice.get("delta") or choice.get("message")
        if not isinstance(delta, Mapping):
            text += [choice["text"]] if isinstance(choice.get("text"), str) else []
            continue
        role = _string(delta.get("role")) or role
        body = body_of(delta)
        text.append(body.text)
        reasoning += body.reasoning
        _gather(calls, delta)
    joined = tuple(filter(None, ("".join(reasoning),)))
    body = ResponseBody("".join(text), joined, tuple(map(_call, calls.values())), role)
    return Answered(body, usage, finish, model, error)


def _first_choice(event: Event) -> Mapping[str, Any]:
    choices = event.get("choices")
    for choice in choices if isinstance(choices, list) else ():
        if isinstance(choice, Mapping) and choice.get("index", 0) == 0:
            return choice
    return {}


def _gather(calls: dict[int, dict[str, Any]], delta: Mapping[str, Any]) -> None:
    """Puts the pieces of a streamed call together: by index, a new id or none being the next one."""
    pieces = delta.get("tool_calls")
    pieces = pieces if isinstance(pieces, list) else []
    if isinstance(older := delta.get("function_call"), Mapping):
        pieces = [{"index": 0, "function": older}]
    for piece in pieces:
        if not isinstance(piece, Mapping):
            continue
        index = piece.get("index")
        index = index if isinstance(index, int) else len(calls) if piece.get("id") else max(len(calls) - 1, 0)
        call = calls.setdefault(index, {"id": None, "name": "", "arguments": []})
        call["id"] = call["id"] or _string(piece.get("id"))
        function = piece.get("function")
        if isinstance(function, Mapping):
            call["name"] = call["name"] or _string(function.get("name")) or ""
            call["arguments"].append(_string(function.get("arguments")) or "")


def _call(call: Mapping[str, Any]) -> NativeCall:
    return NativeCall(call["id"], call["name"], "".join(call["arguments"]))


def _string(value: Any) -> str | None:
    return value if isinstance(value, str) and value else None
