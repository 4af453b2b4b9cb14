"""Messages of any provider: role, text, parts, calls and the call that a result belongs to."""

from collections.abc import Mapping, Sequence
from typing import Any

from inspector.turns.turn import Breakpoint, Message, NativeCall, Part, ResponseBody
from inspector.turns.wires.blocks import CALLS, REASONING, RESULTS, Content, call_of, content_of
from inspector.turns.wires.breakpoints import lifetime_of
from inspector.turns.wires.fields import text as text_of

MEMBERS = ("role", "content", "tool_calls")
"""A message's members in their usual order."""
ROLES = {
    "model": "assistant",
    "ai": "assistant",
    "chatbot": "assistant",
    "human": "user",
    "function": "tool",
}
"""Other names of the roles that everyone has."""


def role_of(role: Any, default: str = "user") -> str:
    """The role under its common name; a name that nobody else has stays as it is."""
    if not isinstance(role, str) or not role:
        return default
    lower = role.lower()
    return ROLES.get(lower, lower if role.isupper() else role)


def messages_of(items: Sequence[Any]) -> tuple[tuple[Message, ...], tuple[str, ...]]:
    """Messages from a list of message objects, items or strings, with notes on what was guessed."""
    messages = []
    notes = []
    for index, item in enumerate(items):
        if isinstance(item, Mapping):
            messages.append(message_of(item))
        elif isinstance(item, str):
            messages.append(Message("user", item))
            notes.append(f"messages[{index}] is a bare string; it is shown as a user message.")
        else:
            notes.append(f"messages[{index}] is not a message and is left out.")
    return tuple(messages), tuple(notes[:5])


def message_of(item: Mapping[str, Any], default_role: str | None = None) -> Message:
    """A message from an object of any provider's shape."""
    content = _content(item)
    calls = (*content.calls, *calls_of(item))
    identity = _call_id(item, content)
    name = item.get("name")
    if item.get("is_error") is True and not content.parts:
        content.parts.append(
            Part("tool_result", 0, len(content.text), {"tool_call_id": identity, "is_error": True})
        )
    return Message(
        role=_role(item, default_role, bool(content.call_ids)),
        text=content.text,
        name=name if isinstance(name, str) and text_of(item.get("type")) not in CALLS else None,
        parts=tuple(content.parts),
        calls=calls,
        call_id=identity,
        breakpoints=_breakpoints(item, content),
        members=_members(item),
    )


def _breakpoints(item: Mapping[str, Any], content: Content) -> tuple[Breakpoint, ...]:
    """Those of the blocks, and the message's own behind them."""
    own = None if isinstance(item.get("type"), str) else lifetime_of(item)
    end = Breakpoint(len(content.text), max(len(content.parts), 1), own or "")
    return (*content.breakpoints, end) if own is not None else tuple(content.breakpoints)


def body_of(item: Mapping[str, Any]) -> ResponseBody:
    """A response from one message object. What came of the provider's own tools is no part of its text."""
    content = _content(item)
    reasoning = [*content.reasoning]
    for name in ("reasoning_content", "reasoning", "thinking", "thought"):
        text = item.get(name)
        if isinstance(text, str) and text and text not in reasoning:
            reasoning.append(text)
            break
    text = content.said
    if not text and isinstance(item.get("refusal"), str):
        text = item["refusal"]
    return ResponseBody(
        text=text,
        reasoning=tuple(reasoning),
        calls=(*content.calls, *calls_of(item)),
        role=role_of(item.get("role"), "assistant"),
        members=_members(item),
    )


def bodies_joined(bodies: Sequence[ResponseBody]) -> ResponseBody:
    """Several messages or items of one answer as one response."""
    return ResponseBody(
        text="".join(body.text for body in bodies),
        reasoning=tuple(text for body in bodies for text in body.reasoning),
        calls=tuple(call for body in bodies for call in body.calls),
        role=bodies[0].role if bodies else "assistant",
    )


def _members(item: Mapping[str, Any]) -> tuple[str, ...]:
    """The order of a message's members where it is not the usual one."""
    if "tool_calls" not in item:
        return ()
    names = tuple(name for name in item if name in MEMBERS)
    return () if names == tuple(name for name in MEMBERS if name in item) else names


def calls_of(item: Mapping[str, Any]) -> tuple[NativeCall, ...]:
    """Calls that stand beside a message's content: ``tool_calls`` and the older ``function_call``.

    LangChain's dumps have them as the provider sent them, in ``additional_kwargs``.
    """
    listed = item.get("tool_calls") or item.get("toolCalls")
    if not listed and isinstance(given := item.get("additional_kwargs"), Mapping):
        item = given
        listed = item.get("tool_calls")
    calls = (
        [call_of(call) for call in listed if isinstance(call, Mapping)] if isinstance(listed, list) else []
    )
    older = item.get("function_call")
    if isinstance(older, Mapping) and not calls:
        calls.append(call_of(older))
    return tuple(call for call in calls if call is not None)


def _content(item: Mapping[str, Any]) -> Content:
    for name in ("content", "parts", "message", "text"):
        if item.get(name) is not None and not (name == "content" and text_of(item.get("type")) in REASONING):
            kind = item.get("type")
            if name == "content" and isinstance(kind, str) and (kind in RESULTS or kind in CALLS):
                break
            return content_of(item[name])
    if isinstance(item.get("type"), str) and item["type"] != "message":
        return content_of([item])
    return Content()


def _role(item: Mapping[str, Any], default: str | None, has_results: bool) -> str:
    role = item.get("role")
    kind = item.get("type")
    if role is None and isinstance(kind, str):
        if kind in RESULTS or kind.endswith("_output"):
            return "tool"
        if kind in CALLS or kind in REASONING or kind.endswith("_call"):
            return "assistant"
        if kind.lower() in ("human", "ai", "system", "tool"):
            return role_of(kind)
    return role_of(role, default or ("tool" if has_results else "user"))


def _call_id(item: Mapping[str, Any], content: Content) -> str | None:
    kind = text_of(item.get("type"))
    is_call = kind in CALLS or kind.endswith("_call")
    for name in ("tool_call_id", "toolCallId", "call_id"):
        if isinstance(item.get(name), str) and not is_call:
            return str(item[name])
    listed = item.get("tool_call_ids")
    if isinstance(listed, list) and len(listed) == 1:
        return str(listed[0])
    return content.call_ids[0] if len(content.call_ids) == len(content.parts) == 1 else None
