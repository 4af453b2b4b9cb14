"""JSON that is equal but for the order of its keys: the same to a program, other bytes to a cache."""

import json
from typing import Any, NamedTuple

_DECODER = json.JSONDecoder()
STEPS_MAX = 20_000
"""Values looked at in one comparison."""


class Swapped(NamedTuple):
    """The first object whose keys stand in another order."""

    path: str
    """``properties.path``; empty for the outermost object."""
    before: tuple[str, ...]
    after: tuple[str, ...]


def swapped(old: Any, new: Any) -> Swapped | None:
    """Where two equal values first have their keys in another order, or None."""
    waiting: list[tuple[str, Any, Any]] = [("", old, new)]
    for _ in range(STEPS_MAX):
        if not waiting:
            break
        path, before, after = waiting.pop()
        if isinstance(before, dict) and isinstance(after, dict) and before is not after:
            if list(before) != list(after):
                return Swapped(path, tuple(map(str, before)), tuple(map(str, after)))
            inner = [(f"{path}.{key}" if path else str(key), before[key], after[key]) for key in before]
            waiting.extend(reversed(inner))
        elif isinstance(before, list) and isinstance(after, list) and before is not after:
            inner = [
                (f"{path}[{index}]", *pair) for index, pair in enumerate(zip(before, after, strict=False))
            ]
            waiting.extend(reversed(inner))
    return None


def is_swapped(old: str, new: str) -> bool:
    """Whether two lines differ in nothing but the order of keys of the JSON that they hold."""
    start = min((at for at in (old.find("{"), old.find("[")) if at >= 0), default=-1)
    if start < 0 or old[:start] != new[:start]:
        return False
    try:
        before, end = _DECODER.raw_decode(old, start)
        after, new_end = _DECODER.raw_decode(new, start)
    except (ValueError, RecursionError):
        return False
    return bool(before == after and old[end:] == new[new_end:] and swapped(before, after))
