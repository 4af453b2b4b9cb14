"""Where the values of a JSON text stand in it."""

import json
import re
from collections.abc import Sequence

_SPACE = re.compile(r"[ \t\r\n]*+")
_STRING = re.compile(r'"[^"\\]*+(?:\\.[^"\\]*+)*+"?+', re.DOTALL)
_PLAIN = re.compile(r"[^\s,\[\]{}:\"]++")
_NEXT = re.compile(r'["\[\]{}]')
Step = str | int


def place_of(text: str, path: Sequence[Step], *, key: bool = False) -> tuple[int, int] | None:
    """Start and end of the value at a path in valid JSON text, or of its key; None when it isn't there.

    Walks over each value once and keeps no stack of calls, so that depth costs nothing.
    """
    start = _skip(text, 0)
    found: tuple[int, int] | None = None
    for step in path:
        member = _member(text, start, step)
        if member is None:
            return None
        found, start = member
    if key and found is not None:
        return found
    return start, _value_end(text, start)


def _member(text: str, start: int, step: Step) -> tuple[tuple[int, int], int] | None:
    """The key's place and the value's start of one member of the object or array that starts here."""
    if text[start : start + 1] != ("{" if isinstance(step, str) else "["):
        return None
    position = _skip(text, start + 1)
    index = 0
    last = None
    while position < len(text) and text[position] not in "]}":
        name: Step = index
        named = (position, position)
        if isinstance(step, str):
            match = _STRING.match(text, position)
            if match is None:
                return last
            name, named = _unquoted(match[0]), match.span()
            position = _skip(text, _skip(text, match.end()) + 1)
        if name == step:
            last = (named, position)
            if not isinstance(step, str):
                return last
        position = _skip(text, _value_end(text, position))
        if text[position : position + 1] == ",":
            position = _skip(text, position + 1)
        index += 1
    return last


def _value_end(text: str, start: int) -> int:
    """Where the value that starts here ends. Always further on, unless the text is at its end."""
    first = text[start : start + 1]
    if first == '"':
        match = _STRING.match(text, start)
        return match.end() if match else len(text)
    if first not in ("{", "["):
        plain = _PLAIN.match(text, start)
        return plain.end() if plain else min(start + 1, len(text))
    depth = 0
    position = start
    while match := _NEXT.search(text, position):
        mark = match[0]
        if mark == '"':
            string = _STRING.match(text, match.start())
            position = string.end() if string else len(text)
            continue
        depth += 1 if mark in "[{" else -1
        position = match.end()
        if depth <= 0:
            return position
    return len(text)


def _skip(text: str, position: int) -> int:
    match = _SPACE.match(text, position)
    return match.end() if match else position


def _unquoted(quoted: str) -> str:
    if "\\" not in quoted:
        return quoted[1:-1]
    try:
        name: str = json.loads(quoted, strict=False)
    except ValueError:
        return quoted[1:-1]
    return name
