"""What a message carries beside its text: native calls, images and other parts, laid out to be compared."""

import json
from hashlib import sha256
from typing import Any

from inspector.turns.turn import Message

LAID_OUT = 100_000
"""Longest arguments, in code points, that are laid out one a line."""
ENDS = 64
"""Code points of either end of a long value that tell it from another of the same length."""
DEEP = 6
"""How deep a part's value is looked into."""


def has_beside(message: Message) -> bool:
    """The message carries more than its text."""
    return bool(message.calls) or any(part.value is not None for part in message.parts)


def digest_of(message: Message) -> str:
    """Equal for two messages that carry the same beside their texts; ids of calls do not count."""
    calls = [f"{call.name}\0{call.arguments}" for call in message.calls]
    whole = "\1".join([*calls, *_parts(message)])
    return sha256(whole.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def title_of(message: Message) -> str:
    """What it is, in few words: ``calls search, read``, ``image_url``."""
    calls = ", ".join(dict.fromkeys(call.name for call in message.calls))
    kinds = ", ".join(dict.fromkeys(part.kind for part in message.parts if part.value is not None))
    return "; ".join(filter(None, (f"calls {calls}" if calls else "", kinds)))[:200]


def text_of(message: Message) -> str:
    """One call or part after the other; the arguments of a call one a line."""
    calls = [f"{call.name} {_laid_out(call.arguments)}" for call in message.calls]
    return "\n".join([*calls, *_parts(message)])


def _laid_out(arguments: str) -> str:
    """Arguments one a line, so that lines can be compared; as they came when they are no flat object."""
    try:
        parsed: Any = json.loads(arguments) if len(arguments) <= LAID_OUT else None
        if not isinstance(parsed, dict) or len(parsed) < 2:
            return arguments
        members = [
            f"  {json.dumps(key)}: {json.dumps(value, ensure_ascii=False)}" for key, value in parsed.items()
        ]
    except (ValueError, RecursionError):
        return arguments
    return "\n".join(["{", *members, "}"])


def _parts(message: Message) -> list[str]:
    return [f"{part.kind} {_gist(part.value)}" for part in message.parts if part.value is not None]


def _gist(value: Any, depth: int = DEEP) -> str:
    """A part's value without the middle of long texts: an image costs little to tell from another."""
    if isinstance(value, str) and len(value) > 4 * ENDS:
        return f"{value[:ENDS]}… {len(value)} …{value[-ENDS:]}"
    if isinstance(value, dict) and depth:
        return "{" + ", ".join(f"{key}: {_gist(each, depth - 1)}" for key, each in value.items()) + "}"
    if isinstance(value, list) and depth:
        return "[" + ", ".join(_gist(each, depth - 1) for each in value[:100]) + "]"
    return str(value) if isinstance(value, str | int | float | None) else f"… {len(value)}"
