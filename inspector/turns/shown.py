"""Results of calls that a prompt shows: tool messages, result blocks, elements and lines in the text."""

import re
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any

from inspector.turns.errors import NotATurn
from inspector.turns.payload import parse_value
from inspector.turns.turn import Message, Part, Section, Turn

LAST_MESSAGES = 6
"""A call and what came of it stand at the end of the next prompt."""
CLOSING_MAX = 60
"""How much a framework adds to an answer when it closes its last tag or fence."""
MAX_VALUE = 16_000
"""Longer results are kept up to here: the whole text is in the prompt that the link points at."""
STATIC = frozenset({"instructions", "format", "actions", "outputs"})
"""Kinds that show examples, never results."""

_CALL_IDS = ("tool_use_id", "tool_call_id", "toolCallId", "toolUseId", "call_id", "id")
_FAILED = ("Error:", "ERROR:", "Traceback (most recent call last)")
_OPENING = re.compile(r"<action_result\s([^<>]{1,2000})>")
_MARKED = re.compile(r"🛠\ufe0f? ([\w.-]{1,100})\n")
"""How Copilot's log of a conversation names the call that a result belongs to."""
_CLOSING = re.compile(r"</action_result>")
_OBSERVATION = re.compile(r"[\s`]{0,8}+(Observation:)")
_OBSERVATION_END = re.compile(r"\n(?:Thought|Observation|Action):")
_RETURNED = re.compile(r"Command (\w{1,80}) returned: ")
_ATTRIBUTE = re.compile(r'(\w{1,40})="([^"]{0,400})"')


@dataclass(frozen=True, slots=True)
class Shown:
    """One result and where the prompt shows it."""

    id: str | None
    name: str | None
    message: int
    start: int
    end: int
    value: Any
    error: Any
    tagged: bool = False
    """Written as an element in the text, so that its call is found by name and order."""


def shown_in(turn: Turn, first: int = 0) -> list[Shown]:
    """All results that a turn's prompt shows from its ``first`` message on, in order."""
    messages = enumerate(turn.messages[first:], first)
    return [result for index, message in messages for result in _in_message(index, message)]


def sections_at(sections: Sequence[Section], results: Sequence[Shown]) -> list[Section | None]:
    """The innermost section of each result; None for one inside examples. Results are in prompt order."""
    found: list[Section | None] = []
    chain: list[Section] = []
    at = 0
    for result in results:
        place = (result.message, result.start)
        while at < len(sections) and (sections[at].message, sections[at].start) <= place:
            section = sections[at]
            while chain and (chain[-1].message, chain[-1].end) <= (section.message, section.start):
                chain.pop()
            chain.append(section)
            at += 1
        while chain and (chain[-1].message, chain[-1].end) <= place:
            chain.pop()
        static = result.tagged and any(section.kind in STATIC for section in chain)
        found.append(None if static or not chain else chain[-1])
    return found


def _in_message(index: int, message: Message) -> Iterator[Shown]:
    blocks = [part for part in message.parts if is_result(part)]
    if blocks:
        yield from (_from_block(index, message, part) for part in blocks)
    elif message.role == "tool" or message.call_id is not None:
        mark = _MARKED.match(message.text) if message.call_id is None else None
        value, error = _native(message.text[mark.end() if mark else 0 :], {})
        identity = mark[1] if mark else message.call_id
        yield Shown(identity, message.name, index, 0, len(message.text), value, error)
    elif "<action_result" in message.text:
        yield from _tagged(index, message.text)
    elif message.role == "system" and (returned := _RETURNED.match(message.text)):
        value = _value(message.text[returned.end() :])
        yield Shown(None, returned[1], index, 0, len(message.text), value, None)


def is_result(part: Part) -> bool:
    """Whether a content part holds what came of a call."""
    return part.kind.endswith(("tool_result", "tool-result", "_output", "_call_response")) and isinstance(
        part.value, Mapping
    )


def spoken(message: Message) -> str:
    """A message's text without the results in it: what the model itself said of its answer."""
    if not any(is_result(part) for part in message.parts):
        return message.text
    return "".join(message.text[part.start : part.end] for part in message.parts if not is_result(part))


def call_of(facts: Mapping[str, Any]) -> str | None:
    """The id of the call that a result's block names."""
    named = next((facts[key] for key in _CALL_IDS if facts.get(key) is not None), None)
    return None if named is None else str(named)


def _from_block(index: int, message: Message, part: Part) -> Shown:
    facts = part.value
    identity = call_of(facts)
    name = facts.get("name") or facts.get("toolName") or message.name
    value, error = _native(message.text[part.start : part.end], facts)
    return Shown(
        id=message.call_id if identity is None else identity,
        name=name if isinstance(name, str) else None,
        message=index,
        start=part.start,
        end=part.end,
        value=value,
        error=error,
    )


def _native(text: str, facts: Mapping[str, Any]) -> tuple[Any, Any]:
    failed = facts.get("is_error") is True or facts.get("isError") is True or facts.get("status") == "error"
    value = _value(text) if text[:1] in ("{", "[") else text[:MAX_VALUE]
    if isinstance(value, dict) and set(value) == {"error"} and value["error"]:
        return None, value["error"]
    return (None, value) if failed or text.startswith(_FAILED) else (value, None)


def _value(text: str) -> Any:
    if len(text) <= MAX_VALUE:
        try:
            return parse_value(text)
        except NotATurn:
            return text
    return text[:MAX_VALUE]


def observed(messages: Sequence[Message], arguments: str) -> Shown | None:
    """The observation that ReAct writes after its last call, if the prompt shows one.

    Told by the call's own arguments in front of it, or by a last message that is nothing else: examples and
    reminders hold the same word.
    """
    for index in range(len(messages) - 1, max(-1, len(messages) - 1 - LAST_MESSAGES), -1):
        text = messages[index].text
        at = text.rfind(arguments)
        if at >= 0 and (found := _OBSERVATION.match(text, at + len(arguments))):
            return _observation(index, text, found)
    last = messages[-1].text if messages else ""
    found = _OBSERVATION.match(last)
    return _observation(len(messages) - 1, last, found) if found else None


def replied(messages: Sequence[Message], answer: str) -> Shown | None:
    """The message of the user that follows an answer.

    Frameworks close an answer's last tag where a stop sequence cut it, and may put its lines together anew.
    """
    wanted = " ".join(answer.split())
    for index in range(len(messages) - 2, max(-1, len(messages) - 2 - LAST_MESSAGES), -1):
        said = messages[index]
        text = " ".join(said.text.split())
        if said.role != "assistant" or not wanted or not text.startswith(wanted):
            continue
        reply = messages[index + 1]
        if len(text) - len(wanted) > CLOSING_MAX or reply.role != "user" or not reply.text.strip():
            return None
        return Shown(None, None, index + 1, 0, len(reply.text), _value(reply.text), None)
    return None


def _observation(index: int, text: str, found: re.Match[str]) -> Shown:
    end = _OBSERVATION_END.search(text, found.end())
    stop = end.start() if end else len(text)
    return Shown(None, None, index, found.start(1), stop, _value(text[found.end() : stop].strip()), None)


def _tagged(index: int, text: str) -> Iterator[Shown]:
    """Elements in the text, by their own closing tag: one that never closes is none."""
    openings = list(_OPENING.finditer(text))
    closings = [match.start() for match in _CLOSING.finditer(text)]
    for opening, following in zip_longest(openings, openings[1:]):
        at = bisect_left(closings, opening.end())
        if at == len(closings) or (following is not None and closings[at] > following.start()):
            continue
        attributes = dict(_ATTRIBUTE.findall(opening[1]))
        value = _value(text[opening.end() : closings[at]])
        failed = isinstance(value, dict) and set(value) == {"error"}
        yield Shown(
            id=attributes.get("callId"),
            name=attributes.get("name"),
            message=index,
            start=opening.start(),
            end=closings[at] + len("</action_result>"),
            value=None if failed else value,
            error=value["error"] if failed else None,
            tagged=True,
        )
