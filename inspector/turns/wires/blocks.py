"""Message content of any provider as text, parts, calls and reasoning.

Recognised by shape, so that native messages may carry any provider's blocks: OpenAI and AI SDK parts,
Anthropic blocks, Gemini parts, Bedrock Converse blocks, OpenTelemetry parts.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from inspector.turns.turn import Breakpoint, NativeCall, Part
from inspector.turns.wires import fields
from inspector.turns.wires.breakpoints import is_point, lifetime_of, without_control

TEXTS = frozenset({"text", "input_text", "output_text", "summary_text", "thinking_text"})
REASONING = frozenset({"thinking", "redacted_thinking", "reasoning", "reasoning_content", "thought"})
CALLS = frozenset(
    {
        *("tool_use", "server_tool_use", "mcp_tool_use", "tool_call", "tool-call", "function_call"),
        *("custom_tool_call", "functionCall", "function", "server_tool_call", "mcp_call"),
    }
)
HOSTED = frozenset({"server_tool_use", "mcp_tool_use", "server_tool_call", "mcp_call"})
"""Calls that the provider carries out itself."""
RESULTS = frozenset(
    {
        *("tool_result", "mcp_tool_result", "tool-result", "tool_call_response", "function_call_output"),
        *("custom_tool_call_output", "functionResponse", "server_tool_call_response"),
    }
)
KEYED = {
    "functionCall": "call",
    "function_call": "call",
    "toolUse": "call",
    "toolCallId": "call",
    "functionResponse": "result",
    "function_response": "result",
    "toolResult": "result",
    "reasoningContent": "reasoning",
    "guardContent": "guard",
    "json": "json",
}
"""Blocks without a type (Gemini, Bedrock) are known by their only or first telling key."""
MAX_NESTING = 4
"""Results hold content, which may hold results; deeper ones are kept as values."""


@dataclass(slots=True)
class Content:
    """What a message's content comes to. Filled block by block."""

    text: str = ""
    parts: list[Part] = field(default_factory=list)
    calls: list[NativeCall] = field(default_factory=list)
    reasoning: list[str] = field(default_factory=list)
    call_ids: list[str] = field(default_factory=list)
    """Ids of the calls whose results the content holds."""
    breakpoints: list[Breakpoint] = field(default_factory=list)
    pieces: list[str] = field(default_factory=list)
    chars: int = 0

    def write(self, text: str, kind: str = "text", value: Any = None) -> None:
        """Adds text that the model sees, as a part."""
        self.parts.append(Part(kind, self.chars, self.chars + len(text), value))
        self.pieces.append(text)
        self.chars += len(text)

    def mark(self, kind: str, value: Any) -> None:
        """Adds a part that has no text."""
        self.parts.append(Part(kind, self.chars, self.chars, value))

    def keep(self, lifetime: str) -> None:
        """Sets a cache breakpoint behind what is there so far."""
        self.breakpoints.append(Breakpoint(self.chars, len(self.parts), lifetime))

    @property
    def said(self) -> str:
        """The text without results."""
        if not any(_is_result(part.kind) for part in self.parts):
            return self.text
        return "".join(self.text[part.start : part.end] for part in self.parts if not _is_result(part.kind))

    def close(self) -> "Content":
        """Joins the pieces into the text."""
        self.text = "".join(self.pieces)
        return self


def content_of(value: Any) -> Content:
    """Content from a string, a list of blocks, one block, or anything else (kept as compact JSON)."""
    content = Content()
    if isinstance(value, str):
        content.pieces.append(value)
    elif isinstance(value, list):
        for block in value:
            _add(content, block, MAX_NESTING)
    elif isinstance(value, Mapping):
        inner = value.get("parts", value.get("content") if "role" in value else None)
        if isinstance(inner, list):
            return content_of(inner)
        if isinstance(value.get("type"), str) or _key(value) or isinstance(value.get("text"), str):
            _add(content, value, MAX_NESTING)
        else:
            content.write(dump(value), "json")
    elif value is not None:
        content.write(dump(value), "json")
    return content.close()


def dump(value: Any) -> str:
    """Compact JSON, keys in the order given; a string stays as it is."""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def call_of(block: Mapping[str, Any]) -> NativeCall | None:
    """A native call from any provider's shape, or None when it has no name.

    Built-in tools that the client runs (``shell_call`` with a ``call_id``) are named by their type.
    """
    inner = _first(block, "function", "functionCall", "function_call", "toolUse", "custom", "tool_call")
    inner = inner if isinstance(inner, Mapping) else block
    name = _first(inner, "name", "toolName", "tool_name")
    kind = fields.text(block.get("type"))
    if name is None and isinstance(block.get("function"), str):
        name = block["function"]
    if name is None and kind.endswith("_call") and block.get("call_id"):
        name = kind.removesuffix("_call")
    if not isinstance(name, str):
        return None
    identity = _first(block, "call_id", "id", "tool_call_id", "toolCallId", "toolUseId")
    if identity is None:
        identity = _first(inner, "id", "toolUseId")
    arguments = _first(inner, "arguments", "input", "args", "parameters", "action", "operation")
    return NativeCall(
        id=None if identity is None else str(identity),
        name=name,
        arguments="" if arguments is None else dump(arguments),
        hosted=(kind or fields.text(inner.get("type"))) in HOSTED,
    )


def _first(block: Mapping[str, Any], *names: str) -> Any:
    return next((block[name] for name in names if block.get(name) is not None), None)


def _key(block: Mapping[str, Any]) -> str | None:
    return next((role for key, role in KEYED.items() if key in block), None)


def _is_result(kind: str) -> bool:
    return kind in RESULTS or kind.endswith("_tool_result")


def _add(content: Content, block: Any, nesting: int) -> None:
    if isinstance(block, str):
        content.write(block)
    elif not isinstance(block, Mapping):
        content.mark("unknown", block)
    elif (lifetime := lifetime_of(block)) is not None:
        if not is_point(block):
            _add_block(content, without_control(block), nesting)
        content.keep(lifetime)
    else:
        _add_block(content, block, nesting)


def _add_block(content: Content, block: Mapping[str, Any], nesting: int) -> None:
    if isinstance(kind := block.get("type"), str):
        _add_typed(content, block, kind, nesting)
    elif isinstance(block.get("text"), str):
        _add_text(content, block)
    else:
        _add_keyed(content, block, nesting)


def _add_typed(content: Content, block: Mapping[str, Any], kind: str, nesting: int) -> None:
    if kind in TEXTS:
        text = _first(block, "text", "content")
        text = text.get("value") if isinstance(text, Mapping) else text
        content.write(text if isinstance(text, str) else "")
    elif kind == "refusal":
        content.write(str(block.get("refusal") or ""), kind)
    elif kind in REASONING:
        _reason(content, block, kind)
    elif (kind in CALLS or kind.endswith("_call")) and (call := call_of(block)):
        _call(content, call, kind)
    elif _is_result(kind):
        _result(content, block, kind, nesting)
    elif kind == "file" and isinstance(block.get("content"), str):
        rest = {key: value for key, value in block.items() if key != "content"}
        content.write(block["content"], kind, rest)
    else:
        content.mark(kind, dict(block))


def _add_text(content: Content, block: Mapping[str, Any]) -> None:
    if block.get("thought") is True:
        content.reasoning.append(block["text"])
        content.mark("thought", dict(block))
    else:
        content.write(block["text"])


def _add_keyed(content: Content, block: Mapping[str, Any], nesting: int) -> None:
    role = _key(block)
    if role == "call" and (call := call_of(block)):
        _call(content, call, "tool_use")
    elif role == "result":
        inner = _first(block, "functionResponse", "function_response", "toolResult")
        _result(content, inner if isinstance(inner, Mapping) else block, "tool_result", nesting)
    elif role == "reasoning":
        _reason(content, block["reasoningContent"], "reasoning")
    elif role == "guard":
        inner = block["guardContent"]
        text = inner.get("text") if isinstance(inner, Mapping) else None
        text = text.get("text") if isinstance(text, Mapping) else text
        content.write(text if isinstance(text, str) else "", "guardContent", dict(block))
    elif role == "json":
        content.write(dump(block["json"]), "json")
    else:
        content.mark(str(next(iter(block), "unknown")), dict(block))


def _call(content: Content, call: NativeCall, kind: str) -> None:
    content.calls.append(call)
    content.mark(kind, {"id": call.id, "name": call.name})


def _reason(content: Content, block: Any, kind: str) -> None:
    content.mark(kind, block)
    if not isinstance(block, Mapping):
        block = {"text": block}
    text = _first(
        block, "thinking", "text", "reasoning", "reasoning_content", "content", "reasoningText", "summary"
    )
    text = text.get("text") if isinstance(text, Mapping) else text
    if isinstance(text, list):
        text = "".join(fields.text(piece.get("text")) for piece in fields.objects(text))
    if isinstance(text, str) and text:
        content.reasoning.append(text)


def _result(content: Content, block: Mapping[str, Any], kind: str, nesting: int) -> None:
    value = _first(block, "content", "output", "response", "result")
    identity = _first(block, "tool_use_id", "tool_call_id", "toolCallId", "toolUseId", "call_id", "id")
    if identity is not None:
        content.call_ids.append(str(identity))
    facts = {
        key: item
        for key, item in block.items()
        if key not in ("content", "output", "response", "result", "type")
    }
    if isinstance(value, list) and nesting:
        inner = Content()
        for piece in value:
            _add(inner, piece, nesting - 1)
        others = [part.value for part in inner.parts if part.end == part.start and part.value is not None]
        facts |= {"parts": others} if others else {}
        content.write(inner.close().text, kind, facts)
        if inner.breakpoints:
            content.keep(inner.breakpoints[-1].lifetime)
    else:
        if isinstance(value, Mapping) and isinstance(value.get("value"), str | dict | list):
            value = value["value"]
        content.write("" if value is None else dump(value), kind, facts)
