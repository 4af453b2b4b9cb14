"""The text that is new in a turn: lines that the prompt before did not have, and the response."""

import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate

from inspector.store.recent import Recent
from inspector.turns.turn import Message, NativeCall, Reading, Section, Turn

LONG = 400
"""Lines of more characters are compared by their clauses, so that one growing line isn't new each turn."""
MAX_LINE, MAX_LINES = 64_000, 4_000_000
"""Code points of the longest line whose clauses are remembered, and of all of them."""
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
    known = _Known(before.messages if before is not None else ())
    sections: dict[int, list[Section]] = defaultdict(list)
    for section in reading.sections:
        sections[section.message].append(section)
    found: list[Stretch] = []
    for number, message in enumerate(turn.messages):
        first = reading.messages[number].line if number < len(reading.messages) else 1
        if message.text not in known.texts:
            found.extend(_new_lines(message.text, first, sections[number], known))
        found.extend(_new_calls(message, first, sections[number], known))
    found.extend(_response(turn, reading))
    return tuple(found)


class _Known:
    """What the turn before shows: its lines, the clauses of long ones, its calls."""

    def __init__(self, messages: Sequence[Message]) -> None:
        self.texts = {message.text for message in messages}
        self.calls = {_said(call) for message in messages for call in message.calls}
        self.lines: set[str] = set()
        for text in self.texts:
            self.lines.update(text.split("\n"))

    @cached_property
    def clauses(self) -> set[str]:
        """Of long lines; many turns have nothing new that could be one."""
        return {clause for line in self.lines if len(line) > LONG for clause in _clauses(line)}

    def __contains__(self, text: str) -> bool:
        return text in self.lines or text in self.calls or text in self.clauses


def _new_lines(text: str, first: int, sections: list[Section], known: _Known) -> Iterator[Stretch]:
    lines, there = text.split("\n"), known.lines
    perhaps = [(number, line) for number, line in enumerate(lines) if line not in there]
    new = [(number, said) for number, line in perhaps if (said := _new(line, known))]
    yield from _joined(new, first, _Places(lines, sections) if new else None)


def _new_calls(message: Message, first: int, sections: list[Section], known: _Known) -> Iterator[Stretch]:
    for call in message.calls:
        text = _said(call)
        if text not in known:
            yield Stretch("prompt", sections[0].path if sections else None, first, text)


def _said(call: NativeCall) -> str:
    return f"{call.name} {call.arguments}"


def _joined(new: list[tuple[int, str]], first: int, places: "_Places | None") -> Iterator[Stretch]:
    """Lines that follow each other in one section, together."""
    held: list[str] = []
    path: str | None = None
    start = last = -1
    for number, text in new:
        here = places.path(number) if places is not None else None
        if held and (number != last + 1 or here != path):
            yield Stretch("prompt", path, first + start, "\n".join(held))
            held = []
        if not held:
            path, start = here, number
        held.append(text)
        last = number
    if held:
        yield Stretch("prompt", path, first + start, "\n".join(held))


class _Places:
    """Which section a line of a message is in: the innermost at its first character that is no space."""

    def __init__(self, lines: list[str], sections: list[Section]) -> None:
        self.lines, self.sections = lines, sections
        self.ends = list(accumulate(map(len, lines), initial=0))
        """Where lines would begin if there were no line feeds."""
        self.starts = [section.start for section in sections]
        self.parents: list[int] = []
        open_ones: list[int] = []
        for number, section in enumerate(sections):
            while open_ones and sections[open_ones[-1]].depth >= section.depth:
                open_ones.pop()
            self.parents.append(open_ones[-1] if open_ones else -1)
            open_ones.append(number)

    def path(self, number: int) -> str | None:
        """Path of the section of a line."""
        line = self.lines[number]
        offset = self.ends[number] + number + len(line) - len(line.lstrip())
        at = bisect_right(self.starts, offset) - 1
        while at >= 0 and self.sections[at].end <= offset:
            at = self.parents[at]
        return self.sections[at].path if at >= 0 else None


def _new(line: str, known: _Known) -> str:
    """The line, or of a long one the clauses that are new; empty when nothing is."""
    if not line or line.isspace() or line in known:
        return ""
    if len(line) <= LONG:
        return line
    return " ".join(clause for clause in _clauses(line) if clause and clause not in known)


_remembered: Recent[str, list[str]] = Recent(MAX_LINES, MAX_LINE)


def _clauses(line: str) -> list[str]:
    """The clauses of a long line: it is asked for them again at every turn that still has it."""
    clauses = _remembered.get(line)
    if clauses is None:
        clauses = _CLAUSE.findall(line)
        _remembered.put(line, clauses, len(line))
    return clauses


def _response(turn: Turn, reading: Reading) -> Iterator[Stretch]:
    text = reading.response.text if reading.response is not None else ""
    body = turn.response
    if body is not None:
        text = text or body.text
    if text:
        yield Stretch("response", None, 1, text)
    if body is None:
        return
    beside = [*body.reasoning, *map(_said, body.calls)]
    for extra in beside:
        if extra and extra not in text:
            yield Stretch("response", None, 1, extra)
    if turn.error is not None and turn.error.message:
        yield Stretch("response", None, 1, turn.error.message)
