"""Results in a log of what an agent did that its prompt shows.

OpenHands shows a JSON list of actions and observations or, in older versions, of pairs of them; an action
that is refused is not in it, but an error that names it. AutoGPT tells
of steps: ``### Step 3: Executed `…```.
"""

import re
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

from inspector.turns.arguments import value_end
from inspector.turns.errors import NotATurn
from inspector.turns.payload import parse_value
from inspector.turns.positions import Step, place_of
from inspector.turns.shown import LAST_MESSAGES, MAX_VALUE, Shown
from inspector.turns.turn import Message

LOGS_MAX = 4
"""Lists of one message that are looked into."""
EVENTS_MAX = 10_000
_Event = tuple[tuple[Step, ...], Mapping[str, Any]]
"""Path in the log, and the event."""
_REFUSED = re.compile(r"action=\{'action': '(\w{1,80})'")
_STEPS = "\n### Step "
_STEP = re.compile(r"^### Step \d{1,6}: Executed `(\w{1,80})\(", re.MULTILINE)
_OUTPUT = re.compile(r"^- \*\*Status:\*\* `(\w{1,40})`\n- \*\*(?:Output|Error|Reason):\*\*", re.MULTILINE)
_LOG = re.compile(r"^\[\s{0,8}+(?:\[\s{0,8}+)?\{", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Logged:
    """The last action of a log, and what came of it."""

    name: str
    arguments: Any
    """None where they can't be told from the log."""
    result: Shown
    entries: int
    """How long the log is."""

    def answers(self, name: str, arguments: Any) -> bool:
        """Whether it is the action that a call asks for; frameworks add arguments of their own."""
        if name != self.name or self.arguments is None:
            return name == self.name
        if not isinstance(self.arguments, Mapping) or not isinstance(arguments, Mapping):
            return not arguments
        return all(self.arguments.get(key) == value for key, value in arguments.items())


def last_logged(messages: Sequence[Message]) -> Logged | None:
    """The last action of the last log that a prompt shows, if something came of it."""
    for index in range(len(messages) - 1, max(-1, len(messages) - 1 - LAST_MESSAGES), -1):
        text = messages[index].text
        if '"observation"' in text and (found := _listed(index, text)):
            return found
        if _STEPS in text and (found := _told(index, text)):
            return found
    return None


def _listed(index: int, text: str) -> Logged | None:
    """The last action of a list in JSON."""
    for match in islice(_LOG.finditer(text), LOGS_MAX):
        end = value_end(text, match.start())
        raw = text[match.start() : end] if end is not None else ""
        events = _events(raw)
        if found := _came(events):
            name, arguments, (path, event) = found
            start, stop = place_of(raw, path) or (0, len(raw))
            place = (match.start() + start, match.start() + stop)
            content, failed = event.get("content"), event["observation"] == "error"
            came = (None, content) if failed else (content, None)
            return Logged(name, arguments, Shown(None, name, index, *place, *came), len(events))
    return None


def _told(index: int, text: str) -> Logged | None:
    """The last of some steps, if it has a result. Its arguments are written as code, each in its own way."""
    steps = list(islice(_STEP.finditer(text), EVENTS_MAX))
    came = _OUTPUT.search(text, steps[-1].end()) if steps else None
    if came is None:
        return None
    value = textwrap.dedent(text[came.end() :][:MAX_VALUE].strip("\n")).strip()
    result = (value, None) if came[1] == "success" else (None, value)
    name = steps[-1][1]
    shown = Shown(None, name, index, came.start(), len(text.rstrip()), *result)
    return Logged(name, None, shown, len(steps))


def _events(raw: str) -> list[_Event]:
    """The events of a log, each with its path."""
    try:
        value = parse_value(raw) if raw else None
    except NotATurn:
        return []
    return list(islice(_flat(value), EVENTS_MAX))


def _flat(value: Any) -> Iterator[_Event]:
    for at, item in enumerate(value if isinstance(value, list) else ()):
        if isinstance(item, Mapping):
            yield (at,), item
        elif isinstance(item, list):
            yield from (((at, step), event) for step, event in enumerate(item) if isinstance(event, Mapping))


def _came(events: Sequence[_Event]) -> tuple[str, Any, _Event] | None:
    """Name and arguments of the last action, with what came of it or with the error that refuses it."""
    if not events:
        return None
    if events[-1][1].get("observation") == "error":
        refused = _REFUSED.match(str(events[-1][1].get("content")))
        if refused:
            return refused[1], None, events[-1]
    acted = [at for at, (_, event) in enumerate(events) if "action" in event]
    if not acted or acted[-1] + 1 == len(events):
        return None
    action, after = events[acted[-1]][1], events[acted[-1] + 1]
    return (str(action["action"]), action.get("args"), after) if "observation" in after[1] else None
