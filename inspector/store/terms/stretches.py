"""The text that is new in a turn: lines that the prompt before did not have, and the response."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from inspector.turns.turn import Message, Reading, Section, Turn

LONG = 400
"""Lines of more characters are compared by their clauses, so that one growing line isn't new each turn."""
_CLAUSE = re.compile(r"[^.,;!?}\]]{0,2000}+[.,;!?}\]]*+", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Stretch:
    """Consecutive new lines of one section, or a part of a response."""

    part: str
    """``prompt`` or ``response``."""
    section: str | None
    line: int
    """Of its first line, over the whole prompt or response, from 1."""
    text: str


def new_text(turn: Turn, reading: Reading, before: Turn | None) -> tuple[Stretch, ...]:
    """What is new in a turn, given the one before in its session."""
    known = set(_pieces_of(before.messages)) if before is not None else set()
    found: list[Stretch] = []
    for number, message in enumerate(turn.messages):
        first = reading.messages[number].line if number < len(reading.messages) else 1
        sections = [section for section in reading.sections if section.message == number]
        found.extend(_new_lines(message, first, sections, known))
    found.extend(_response(turn, reading))
    return tuple(found)


def _new_lines(message: Message, first: int, sections: list[Section], known: set[str]) -> Iterator[Stretch]:
    held: list[str] = []
    place: tuple[str | None, int] = (None, 0)
    offset, next_section = 0, 0
    open_sections: list[Section] = []
    for number, line in enumerate(message.text.split("\n"), first):
        while next_section < len(sections) and sections[next_section].start <= offset + len(line) - len(
            line.lstrip()
        ):
            open_sections.append(sections[next_section])
            next_section += 1
        while open_sections and open_sections[-1].end <= offset:
            open_sections.pop()
        offset += len(line) + 1
        new = _new(line, known)
        path = open_sections[-1].path if open_sections else None
        if held and (not new or path != place[0]):
            yield Stretch("prompt", place[0], place[1], "\n".join(held))
            held = []
        if new:
            if not held:
                place = (path, number)
            held.append(new)
    if held:
        yield Stretch("prompt", place[0], place[1], "\n".join(held))
    for call in message.calls:
        text = f"{call.name} {call.arguments}"
        if text not in known:
            yield Stretch("prompt", sections[0].path if sections else None, first, text)


def _new(line: str, known: set[str]) -> str:
    """The line, or of a long one the clauses that are new; empty when nothing is."""
    if not line or line.isspace() or line in known:
        return ""
    if len(line) <= LONG:
        return line
    return " ".join(clause for clause in _CLAUSE.findall(line) if clause and clause not in known)


def _pieces_of(messages: Iterable[Message]) -> Iterator[str]:
    for message in messages:
        for line in message.text.split("\n"):
            yield line
            if len(line) > LONG:
                yield from _CLAUSE.findall(line)
        for call in message.calls:
            yield f"{call.name} {call.arguments}"


def _response(turn: Turn, reading: Reading) -> Iterator[Stretch]:
    text = reading.response.text if reading.response is not None else ""
    body = turn.response
    if body is not None:
        text = text or body.text
    if text:
        yield Stretch("response", None, 1, text)
    if body is None:
        return
    beside = [*body.reasoning, *(f"{call.name} {call.arguments}" for call in body.calls)]
    for extra in beside:
        if extra and extra not in text:
            yield Stretch("response", None, 1, extra)
    if turn.error is not None and turn.error.message:
        yield Stretch("response", None, 1, turn.error.message)
