"""Calls written as a Python list, as Llama models do: ``[search(q="rain", limit=5), stop()]``."""

import ast
import json
import re
import warnings
from typing import Any

from inspector.turns.responses.seen import Seen

TEXT_MAX = 20_000
"""Longest text that is taken for such a list, in code points."""
_LIST = re.compile(r"\s*+\[\s*+[A-Za-z_][\w.]{0,99}\(")


def pythonic_calls(text: str) -> list[tuple[str, dict[str, Any], str]]:
    """Name, arguments and source of each call; none unless all of the text is a list."""
    if len(text) > TEXT_MAX or _LIST.match(text) is None:
        return []
    source = text.strip()
    for ending in ("", "]", ")]"):
        try:
            with warnings.catch_warnings(action="ignore", category=SyntaxWarning):
                tree = ast.parse(source + ending, mode="eval")
            return _calls(tree.body, source + ending)
        except (SyntaxError, ValueError, TypeError, RecursionError, MemoryError):
            continue
    return []


def _calls(body: ast.expr, source: str) -> list[tuple[str, dict[str, Any], str]]:
    found: list[tuple[str, dict[str, Any], str]] = []
    for item in body.elts if isinstance(body, ast.List) else ():
        if not isinstance(item, ast.Call) or item.args or not all(word.arg for word in item.keywords):
            return []
        arguments = {str(word.arg): ast.literal_eval(word.value) for word in item.keywords}
        json.dumps(arguments, allow_nan=False)
        found.append((ast.unparse(item.func), arguments, ast.get_source_segment(source, item) or ""))
    return found


def pythonic(text: str) -> list[Seen]:
    """Calls of a Python list; each one's place is that of its source."""
    seen: list[Seen] = []
    position = 0
    for name, arguments, source in pythonic_calls(text):
        start = text.find(source, position)
        start = start if start >= 0 else position
        position = min(start + len(source), len(text))
        seen.append(Seen(name, text[start:position], start, position, start, arguments))
    return seen
