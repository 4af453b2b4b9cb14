"""Letta and MemGPT: a system message with memory blocks, events as JSON in user messages, native tools.

Layouts: ``memory-blocks`` (``<memory_blocks>`` with ``<memory_metadata>``), ``core-memory`` (``### Memory
[last modified …]`` with ``<persona>`` and ``<human>``) and ``events`` (a window without its system message).
Memory is what models and users wrote: a block begins only with its label and its description.
"""

import re
from collections.abc import Mapping, Sequence
from itertools import islice

from inspector.turns.dialects.card import Cut, Dialect, Note, Piece
from inspector.turns.dialects.cutting import cut, headed, limits
from inspector.turns.dialects.outline import slug
from inspector.turns.dialects.reminders import with_reminders
from inspector.turns.scan import attributes_of
from inspector.turns.turn import Kind, Message, Turn

MAX_PARTS = 500
_BLOCKS = "<memory_blocks>\n"
_METADATA = "<memory_metadata>\n"
_RULES = "<tool_usage_rules>\n"
_CORE = "### Memory [last modified:"
_RECALL = "previous messages between you and the user are stored in recall memory"
_BLOCK = re.compile(r"\n<([A-Za-z_][\w-]{0,99})>\n(?=<description>\n)")
_CORE_BLOCK = re.compile(r"\n<([A-Za-z_][\w-]{0,99})( characters=\"\d{1,9}/\d{1,9}\")>\n")
_PART = re.compile(r"\n\n([A-Z][A-Za-z ()-]{2,60}):\n|\n(#{1,3}) ([^\n]{1,100})\n")
_EVENT = re.compile(r'\{\s{1,4}"type": "(user_message|heartbeat|login|system_alert)"')
_EVENTS: Mapping[str, str] = {
    "user_message": "User message",
    "heartbeat": "Heartbeat",
    "login": "Login",
    "system_alert": "System Alert",
}


def likelihood(turn: Turn) -> float:
    """By the memory in the system message, else by events together with the tool that answers them."""
    first = turn.messages[0] if turn.messages else None
    if first is None:
        return 0.0
    text = first.text
    if first.role == "system":
        if f"\n{_METADATA}" in text and _BLOCKS in text:
            return 0.95
        return 0.95 if _CORE in text and _RECALL in text else 0.0
    event = any(m.role == "user" and _EVENT.match(m.text) for m in turn.messages[:3])
    return 0.7 if event and any(tool.name == "send_message" for tool in turn.tools) else 0.0


def split(turn: Turn, kinds: Mapping[str, str]) -> Cut:
    """Cuts the system message into instructions and memory, and names the events."""
    last_said = max((i for i, m in enumerate(turn.messages) if m.role == "assistant"), default=-1)

    def knife(index: int, notes: list[Note]) -> Sequence[Piece]:
        message = turn.messages[index]
        if message.role == "system" and (_BLOCKS in message.text or _CORE in message.text):
            return _blocks(message.text) if _BLOCKS in message.text else _core(message.text)
        if message.role != "user":
            return ()
        is_new = index > last_said
        return _event(message, is_new=is_new) or with_reminders(message.text, is_new=is_new)

    return cut(turn, kinds, knife, _layout(turn))


def _layout(turn: Turn) -> str:
    first = turn.messages[0] if turn.messages else None
    if first is None or first.role != "system":
        return "events"
    return "memory-blocks" if _BLOCKS in first.text else "core-memory"


def _blocks(text: str) -> list[Piece]:
    """Instructions, the blocks, then rules of tools and metadata, looked for from the end."""
    start = text.find(f"\n{_BLOCKS}") + 1
    tail = [(place, tag) for tag in (_RULES, _METADATA) if (place := text.rfind(f"\n{tag}") + 1) > start]
    end = min((place for place, _ in tail), default=len(text))
    close = text.rfind("</memory_blocks>", start, end)
    body_end = close if close >= 0 else end
    body = start + len(_BLOCKS)
    children = _entries(text, _BLOCK, body, body_end)
    pieces = [Piece(start, end, "memory", "Memory Blocks", "memory-blocks", "tag", body, body_end, children)]
    for at, (place, tag) in enumerate(sorted(tail)):
        limit = sorted(tail)[at + 1][0] if at + 1 < len(tail) else len(text)
        kind: Kind = "environment" if tag == _METADATA else "instructions"
        title = tag.strip("<>\n").replace("_", " ").title()
        pieces.append(Piece(place, limit, kind, title, slug(title), "tag", place + len(tag), limit))
    return _with_base(text, start, pieces)


def _core(text: str) -> list[Piece]:
    """Instructions, then the core memory of the older layout."""
    start = text.rfind(f"\n{_CORE}") + 1 if not text.startswith(_CORE) else 0
    body = text.find("\n", start) + 1 or len(text)
    children = _entries(text, _CORE_BLOCK, body, len(text))
    memory = Piece(start, len(text), "memory", "Memory", "memory", "heading", body, len(text), children)
    return _with_base(text, start, [memory])


def _with_base(text: str, end: int, pieces: list[Piece]) -> list[Piece]:
    """Pieces behind the base instructions, which have parts of their own."""
    base = headed(text, pieces, title="Base Instructions")
    if base[0].title != "Base Instructions":
        return base
    marks = list(islice(_PART.finditer(text, 0, end), MAX_PARTS))
    starts = [match.start() + (2 if match[1] else 1) for match in marks]
    parts = tuple(
        Piece(
            place,
            limit,
            "instructions",
            match[1] or match[3],
            slug(match[1] or match[3]),
            "label" if match[1] else "heading",
            match.end(),
            limit,
        )
        for place, limit, match in zip(starts, limits(starts, end), marks, strict=True)
    )
    first = base[0]
    whole = Piece(0, end, first.kind, first.title, first.name, "text", 0, end, parts)
    return [whole, *pieces]


def _entries(text: str, pattern: re.Pattern[str], start: int, end: int) -> tuple[Piece, ...]:
    """Blocks of memory, each up to where the next one begins."""
    marks = list(islice(pattern.finditer(text, start - 1, end), MAX_PARTS))
    starts = [match.start() + 1 for match in marks]
    return tuple(
        Piece(
            place,
            limit,
            "memory",
            match[1].replace("_", " ").title(),
            f"block[{match[1]}]",
            "tag",
            match.end(),
            max(match.end(), text.rfind(f"</{match[1]}>", match.end(), limit)),
            attributes=attributes_of(match[2]) if pattern is _CORE_BLOCK else {},
        )
        for place, limit, match in zip(starts, limits(starts, end), marks, strict=True)
    )


def _event(message: Message, *, is_new: bool) -> tuple[Piece, ...]:
    """A user message that is an event; one that stands for hidden messages holds their summary."""
    event = _EVENT.match(message.text)
    if event is None:
        return ()
    end = len(message.text)
    title = _EVENTS[event[1]]
    kind: Kind = "updates" if is_new else "history"
    if event[1] == "system_alert" and "hidden from view" in message.text[:400]:
        kind, title = "memory", "Summary of Hidden Messages"
    name = "user" if event[1] == "user_message" else slug(title)
    return (Piece(0, end, kind, title, name, "role", 0, end),)


LETTA = Dialect(
    name="letta",
    title="Letta",
    likelihood=likelihood,
    split=split,
    layouts=("memory-blocks", "core-memory", "events"),
    grammar="tools",
)
