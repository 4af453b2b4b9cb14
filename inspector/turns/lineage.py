"""Where the text of a prompt comes from: the turn of each line, a section's versions, a text's presence.

Every function takes the turns of one session in their order. Turns without their texts
(``turn.messages`` empty) are aligned by their digests alone.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Literal

from inspector.turns.changes.align import align
from inspector.turns.changes.lines import edits
from inspector.turns.changes.numbered import Numbered, own_lines
from inspector.turns.changes.pair import Pair, each
from inspector.turns.changes.sequence import Budget
from inspector.turns.turn import Kind, ReadTurn, Section
from inspector.turns.walk import Spot, sections_at

MOST_TURNS = 500
"""Most turns that are looked at for blame: what is older counts as the first of them."""
SAID_FROM = 12
"""Least code points of a line that is sought in what the model said before."""
OCCURRENCES = 20
"""Most places of a text that are named in one prompt."""


# ---------------------------------------------------------------- blame


@dataclass(frozen=True, slots=True)
class Blame:
    """Lines that came into the prompt together."""

    message: int
    line: int
    """First line over the whole prompt, from 1."""
    end_line: int
    turn: str
    """Id of the turn that introduced them."""
    seq: int
    kind: Kind
    """Kind of the section that they came in with."""
    said: bool = False
    """The model itself had said it in the turn before."""
    from_line: int = 0
    """Where the first of them stood in the turn that introduced it; 0 when that is not known."""


@dataclass(frozen=True, slots=True)
class _Origin:
    turn: str
    seq: int
    kind: Kind
    said: bool


@dataclass(slots=True)
class _Origins:
    """For each line of a prompt, who brought it, and where it stood there."""

    brought: list[_Origin]
    places: list[int]

    def take(self, at: int, other: "_Origins", there: int) -> None:
        """The line at this index came from that one."""
        self.brought[at], self.places[at] = other.brought[there], other.places[there]

    def take_run(self, start: int, end: int, other: "_Origins", there: int) -> None:
        """So did a run of lines."""
        self.brought[start:end] = other.brought[there : there + end - start]
        self.places[start:end] = other.places[there : there + end - start]


def blame(session: Sequence[ReadTurn]) -> tuple[Blame, ...]:
    """Who brought each line of the last turn's prompt; runs of lines, in order."""
    origins = _Origins([], [])
    previous: ReadTurn | None = None
    budget = Budget(steps=6_000_000)
    for read in session[-MOST_TURNS:]:
        fresh = _introduced(read, previous)
        if previous is not None:
            for pair in each(align(previous, read)):
                _carry(pair, previous, read, origins, fresh, budget)
        _close(fresh, read)
        origins, previous = fresh, read
    return tuple(_runs(origins, previous)) if previous else ()


def _introduced(read: ReadTurn, previous: ReadTurn | None) -> _Origins:
    """Origins as if every line of a turn were new in it."""
    reading = read.reading
    brought = [_Origin(read.id, read.seq, "other", False)] * reading.lines
    for section in reading.sections:
        size = section.end_line - section.line + 1
        brought[section.line - 1 : section.end_line] = [
            _Origin(read.id, read.seq, section.kind, False)
        ] * size
    if previous is not None and previous.turn.response is not None:
        _mark_said(read, previous.turn.response.text, brought)
    return _Origins(brought, list(range(1, len(brought) + 1)))


def _close(origins: _Origins, read: ReadTurn) -> None:
    """Gives the empty line behind a message's last line end to what it ends."""
    covered = {section.end_line for section in read.reading.sections}
    for first, end in _bounds(origins, read):
        if end - first > 1 and end - 1 not in covered:
            origins.take(end - 2, origins, end - 3)


def _bounds(origins: _Origins, read: ReadTurn) -> Iterator[tuple[int, int]]:
    """First line of each message, and the line behind its last one."""
    return pairwise([*(each.line for each in read.reading.messages), len(origins.brought) + 1])


def _mark_said(read: ReadTurn, said: str, origins: list[_Origin]) -> None:
    """Marks lines that stand so in what the model said."""
    spoken = {line.strip() for line in said.split("\n")}
    for message, facts in zip(read.turn.messages, read.reading.messages, strict=False):
        for index, line in enumerate(message.text.split("\n"), facts.line - 1):
            text = line.strip()
            if len(text) >= SAID_FROM and text in spoken and index < len(origins):
                origins[index] = replace(origins[index], said=True)


def _carry(
    pair: Pair, old: ReadTurn, new: ReadTurn, origins: _Origins, fresh: _Origins, budget: Budget
) -> None:
    """Hands the origins of a section's lines on to the lines that they became."""
    if pair.old is None or pair.new is None or pair.old.section is None or pair.new.section is None:
        return
    before, after = pair.old.section, pair.new.section
    if pair.old.beside is not None or pair.new.beside is not None:
        return
    if pair.same:
        if min(before.end_line, len(origins.brought)) - before.line == after.end_line - after.line:
            fresh.take_run(after.line - 1, after.end_line, origins, before.line - 1)
        return
    left, right = own_lines(pair.old, old), own_lines(pair.new, new)
    for at, there in _kept_lines(left, right, budget):
        if at - 1 < len(origins.brought):
            fresh.take(there - 1, origins, at - 1)


def _kept_lines(old: Numbered, new: Numbered, budget: Budget) -> Iterator[tuple[int, int]]:
    """Numbers of lines that both have, old and new."""
    at = there = 0
    for edit in edits(old.lines, new.lines, budget):
        yield from zip(old.numbers[at : edit.old_start], new.numbers[there : edit.new_start], strict=True)
        at, there = edit.old_end, edit.new_end
    yield from zip(old.numbers[at:], new.numbers[there:], strict=True)


def _runs(origins: _Origins, read: ReadTurn) -> Iterator[Blame]:
    brought = origins.brought
    for message, (first, end) in enumerate(_bounds(origins, read)):
        start = first
        for line in range(first, end):
            if line + 1 == end or brought[line] != brought[line - 1]:
                who, place = brought[line - 1], origins.places[start - 1]
                yield Blame(message, start, line, who.turn, who.seq, who.kind, who.said, place)
                start = line + 1


# ---------------------------------------------------------------- history


@dataclass(frozen=True, slots=True)
class Version:
    """A text that a section had over some turns in a row."""

    digest: str
    from_seq: int
    to_seq: int
    chars: int
    tokens: int
    turn: str
    """Id of the first turn that shows it."""


def history(session: Sequence[ReadTurn], path: str) -> tuple[Version, ...]:
    """The versions of the section at a path; a turn without the section ends a version."""
    versions: list[Version] = []
    last: Version | None = None
    for read in session:
        section = next((each for each in read.reading.sections if each.path == path), None)
        if section is None:
            last = None
        elif last is not None and last.digest == section.digest:
            last = versions[-1] = replace(last, to_seq=read.seq)
        else:
            last = _version(section, read)
            versions.append(last)
    return tuple(versions)


def _version(section: Section, read: ReadTurn) -> Version:
    return Version(section.digest, read.seq, read.seq, section.chars, section.tokens, read.id)


# ---------------------------------------------------------------- presence


@dataclass(frozen=True, slots=True)
class Sighting:
    """Whether one turn's prompt holds a text."""

    turn: str
    seq: int
    present: bool
    sections: tuple[str, ...] = ()
    """Paths of the innermost sections that it begins in."""
    only_in_response: bool = False
    """The model said it, but its prompt does not hold it."""
    line: int | None = None
    """Line of its first place, over the whole prompt."""


@dataclass(frozen=True, slots=True)
class Presence:
    """Where a text was over a session."""

    turns: tuple[Sighting, ...]
    entered: int | None
    """``seq`` of the first turn that shows it."""
    left: int | None
    """``seq`` of the first turn without it after the last one that shows it."""
    verdict: Literal["present", "left", "cut", "only-said", "never"]
    """How it stands at the last turn. ``cut``: the beginning of it is still there."""


def presence(session: Sequence[ReadTurn], text: str) -> Presence:
    """Whether, where and how long the prompts of a session held a text, letter for letter."""
    turns = tuple(_sighting(read, text) for read in session)
    shown = [index for index, each in enumerate(turns) if each.present]
    if not shown:
        said = any(each.only_in_response for each in turns)
        return Presence(turns, None, None, "only-said" if said else "never")
    entered, last = turns[shown[0]].seq, shown[-1]
    if last == len(turns) - 1:
        return Presence(turns, entered, None, "present")
    cut = _beginning_stands(session[-1], text)
    return Presence(turns, entered, turns[last + 1].seq, "cut" if cut else "left")


def _sighting(read: ReadTurn, text: str) -> Sighting:
    paths: dict[str, None] = {}
    first: Spot | None = None
    for spot in _occurrences(read, text):
        first = first or spot
        inside = sections_at(read, spot)
        paths[inside[-1].path if inside else ""] = None
    response = read.turn.response.text if read.turn.response else ""
    said = not paths and bool(text) and text in response
    line = _line(read, first) if first is not None else None
    return Sighting(read.id, read.seq, bool(paths), tuple(filter(None, paths)), said, line)


def _line(read: ReadTurn, spot: Spot) -> int:
    text = read.turn.messages[spot.message].text
    return read.reading.messages[spot.message].line + text.count("\n", 0, spot.offset)


def _occurrences(read: ReadTurn, text: str) -> Iterator[Spot]:
    left = OCCURRENCES if text else 0
    for index, message in enumerate(read.turn.messages):
        at = message.text.find(text) if left > 0 else -1
        while at >= 0 and left > 0:
            yield Spot(index, at)
            left -= 1
            at = message.text.find(text, at + len(text))


def _beginning_stands(read: ReadTurn, text: str) -> bool:
    """The first half of a text is still there, the rest is not."""
    half = text[: len(text) // 2]
    return len(half) >= SAID_FROM and any(half in message.text for message in read.turn.messages)
