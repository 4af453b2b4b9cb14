"""Where a call's values come from: the place of the prompt that showed them, and whether there is any.

A value counts as shown where it stands by itself, not inside a longer word or number. What only computing or
wording could have made (free text, small numbers, choices that the schema lists) needs no place.
"""

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

from inspector.turns.lines import Lines
from inspector.turns.positions import Step
from inspector.turns.shown import STATIC
from inspector.turns.turn import Call, Reading, Section, Turn

VALUES_MAX = 40
"""Values of one call that are looked for."""
SHORTEST = 2
LONGEST = 400
"""Length of what is looked for, in code points."""
TRIES = 8
"""Places of one value that are looked at: the last one in what changes from turn to turn is the best."""
BUDGET = 40_000_000
"""Code points that may be looked through for one turn."""
_DATE = re.compile(r"\d{4}-\d\d?-\d\d?(?:[T ][\d:.]{2,20}(?:Z|[+-][\d:]{2,6})?)?|\d{1,2}:\d\d(?::\d\d)?")
_MADE = re.compile(
    r"[()\"'`;{}]|\A#!"
    r"|\A(?:Africa|America|Antarctica|Asia|Atlantic|Australia|Europe|Indian|Pacific|Etc)/[\w+-]++(?:/\w++)?\Z"
)
"""Code, and time zones: what a model writes and does not copy."""
_BETWEEN = re.compile(r"[/\\?&=#,:;@|]++")


@dataclass(frozen=True, slots=True)
class Ground:
    """A place of the prompt that shows a value of a call."""

    path: tuple[Step, ...]
    """Where the value is in the arguments."""
    section: str | None
    message: int
    start: int
    end: int
    line: int


def grounds(turn: Turn, reading: Reading, call: Call) -> tuple[Ground, ...]:
    """Where the prompt shows the values of a call; nothing for those that it does not show."""
    lines = Lines(turn.messages)
    left = BUDGET
    found: list[Ground] = []
    for path, value in islice(values_in(call.arguments), VALUES_MAX):
        written = _written(value)
        left -= sum(len(message.text) for message in turn.messages)
        if not SHORTEST <= len(written) <= LONGEST or left < 0:
            continue
        place = _best_place(turn, reading.sections, written)
        if place is not None:
            section, message, start = place
            line = lines.line(message, start)
            found.append(Ground(path, section, message, start, start + len(written), line))
    return tuple(found)


def values_in(arguments: Any) -> Iterator[tuple[tuple[Step, ...], str | int | float]]:
    """The strings and numbers of some arguments, with their paths, in order."""
    waiting: list[tuple[tuple[Step, ...], Any]] = [((), arguments)]
    left = 10 * VALUES_MAX
    while waiting and left > 0:
        path, value = waiting.pop()
        left -= 1
        if isinstance(value, dict):
            waiting += [((*path, key), item) for key, item in islice(value.items(), VALUES_MAX)][::-1]
        elif isinstance(value, list):
            waiting += [((*path, index), item) for index, item in enumerate(value[:VALUES_MAX])][::-1]
        elif isinstance(value, str | int | float) and not isinstance(value, bool):
            yield path, value


def needs_ground(value: str | int | float) -> bool:
    """Whether a value can only be copied: an id, a path, an address, a number of some digits."""
    if isinstance(value, str):
        word = value.strip()
        if not 4 <= len(word) <= LONGEST or any(letter.isspace() for letter in word):
            return False
        if "{{" in word or _MADE.search(word):
            return False
        if len(word) >= 6 and ("@" in word or "/" in word):
            return True
        return any(letter.isdigit() for letter in word) and _DATE.fullmatch(word) is None
    digits = _written(value).lstrip("-").replace(".", "").strip("0")
    return len(digits) >= 4


def is_shown(value: str | int | float, texts: Sequence[str]) -> bool:
    """Whether some texts hold a value, or all the parts that it is put together from."""
    wanted = _written(value).strip()
    if any(_holds(text, form) for form in _forms(value, wanted) for text in texts):
        return True
    parts = [part for part in _BETWEEN.split(wanted) if len(part) > 2 or part.isdigit()]
    return len(parts) > 1 and all(any(_holds(text, part) for text in texts) for part in parts[:8])


def _forms(value: str | int | float, wanted: str) -> list[str]:
    """How a prompt may write a value: escaped as in JSON, without ``./``, with commas between thousands."""
    forms = [wanted, wanted[2:]] if wanted.startswith("./") else [wanted]
    if isinstance(value, str):
        escaped = json.dumps(wanted)[1:-1]
        forms += [escaped] if escaped != wanted else []
    elif abs(value) >= 1_000:
        forms.append(f"{value:,}")
    return forms


def _written(value: str | int | float) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        return str(int(value))
    if isinstance(value, int) and value.bit_length() > 256:
        return ""
    return str(value)


def _holds(text: str, wanted: str) -> bool:
    return next(_places(text, wanted), None) is not None


def _places(text: str, wanted: str) -> Iterator[int]:
    """Where a text holds some words by themselves, the last place first."""
    at = text.rfind(wanted)
    for _ in range(TRIES):
        if at < 0:
            return
        if not _goes_on(text, at, wanted):
            yield at
        at = text.rfind(wanted, 0, at + len(wanted) - 1)


def _goes_on(text: str, at: int, wanted: str) -> bool:
    """Whether words at a place are only a part of a longer word or number."""
    before, after = text[at - 1 : at], text[at + len(wanted) : at + len(wanted) + 1]
    return (before.isalnum() and wanted[:1].isalnum()) or (after.isalnum() and wanted[-1:].isalnum())


def _best_place(turn: Turn, sections: Sequence[Section], wanted: str) -> tuple[str | None, int, int] | None:
    """The last place that is neither an example nor what the model said itself; else the last one at all."""
    first: tuple[str | None, int, int] | None = None
    for index in range(len(turn.messages) - 1, -1, -1):
        message = turn.messages[index]
        for at in _places(message.text, wanted):
            section = _section_at(sections, index, at)
            place = (section.path if section else None, index, at)
            if message.role != "assistant" and (section is None or section.kind not in STATIC):
                return place
            first = first or place
    return first


def _section_at(sections: Sequence[Section], message: int, offset: int) -> Section | None:
    """The innermost section at a place: the last one in depth-first order."""
    found = None
    for section in sections:
        if section.message == message and section.start <= offset < section.end:
            found = section
    return found
