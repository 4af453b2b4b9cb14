"""The grammar of calls written as lines into the text: ``🛠️ read_file (call_1) {"path": "a"}``.

It is how a host logs calls: line breaks inside strings stand as they are.
"""

import json
import re
from typing import Any

from inspector.turns.arguments import Budget, value_end
from inspector.turns.responses.draft import Draft
from inspector.turns.turn import Contract, Span

CALLS_MAX = 500
_LINE = re.compile(r"(?:\A|\n)🛠\ufe0f? ([\w.-]{1,100}) \(([^()\n]{0,200})\) (?=\{)")


def looks_like(text: str) -> bool:
    """Whether a text holds such a line."""
    return "🛠" in text and _LINE.search(text) is not None


def read(text: str, contract: Contract) -> Draft:
    """A text with such lines; what stands around them is what the model says beside its calls."""
    draft = Draft("markers", text)
    budget = Budget()
    at = 0
    looked = 4 * len(text) + 4_096
    while looked > 0 and len(draft.calls) < CALLS_MAX and (match := _LINE.search(text, at)):
        start = match.start() + text.startswith("\n", match.start())
        end = value_end(text, match.end())
        stop = end if end is not None else _end(text, match.end())
        draft.complete = draft.complete and text[:stop].endswith("}")
        looked -= stop - match.end()
        _say(draft, at, start)
        where = (start, stop, match.end())
        raw = text[match.end() : stop]
        draft.call(match[1], raw, {}, where, contract, budget, match[2] or None, _logged(raw))
        at = stop
    _say(draft, at, len(text))
    return draft


def _logged(raw: str) -> Any:
    """Arguments that are JSON but for control characters in strings; None where they are anything else."""
    try:
        json.loads(raw)
    except (ValueError, RecursionError):
        try:
            return json.loads(raw, strict=False)
        except (ValueError, RecursionError):
            return None
    return None


def _end(text: str, start: int) -> int:
    """Where broken arguments end: at the next call, or with the text."""
    following = _LINE.search(text, start)
    return start + len(text[start : following.start() if following else len(text)].rstrip())


def _say(draft: Draft, start: int, end: int) -> None:
    if draft.text[start:end].strip():
        draft.stray.append(Span(draft.text[start:end], start, end))
