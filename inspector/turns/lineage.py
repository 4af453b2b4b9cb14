"""Where the text of a prompt comes from: the turn of each line, a section's versions, a text's presence.

Every function takes the turns of one session in their order. Turns without their texts
(``turn.messages`` empty) are aligned by their digests alone.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Literal

from inspector.turns.changes.align import align
from inspector.turns.changes.lines import edits
from inspector.turns.changes.numbered import Numbered, own_lines
from inspector.turns.changes.pair import Pair, each
from inspector.turns.changes.sequence import Budget
from inspector.turns.traces import left_out, trace
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


type SightingState = Literal["present", "cut", "masked", "said", "absent"]


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
    """Line of its first place, or of what is left of it, over the whole prompt."""
    state: SightingState = "absent"
    """``cut``: a piece of it is there, or what held it says that something was left out; ``masked``: some
    of its words are covered, so that nobody can tell."""
    kept: int = 0
    """Code points of it that can be read there when it is cut or masked."""


@dataclass(frozen=True, slots=True)
class Presence:
    """Where a text was over a session."""

    turns: tuple[Sighting, ...]
    entered: int | None
    """``seq`` of the first turn that shows it."""
    left: int | None
    """``seq`` of the first turn without it after the last one that shows it."""
    verdict: Literal["present", "left", "cut", "masked", "only-said", "never"]
    """How it stands at the last turn."""


def presence(session: Sequence[ReadTurn], text: str) -> Presence:
    """Whether, where and how long the prompts of a session held a text, letter for letter."""
    turns = tuple(_sightings(session, text))
    shown = [index for index, each in enumerate(turns) if each.present]
    entered = turns[shown[0]].seq if shown else None
    if shown and shown[-1] == len(turns) - 1:
        return Presence(turns, entered, None, "present")
    left = turns[shown[-1] + 1].seq if shown else None
    last = turns[-1].state if turns else "absent"
    if last in ("cut", "masked"):
        return Presence(turns, entered, left, last)
    if shown:
        return Presence(turns, entered, left, "left")
    said = any(each.only_in_response for each in turns)
    return Presence(turns, None, None, "only-said" if said else "never")


def _sightings(session: Sequence[ReadTurn], text: str) -> Iterator[Sighting]:
    shown: ReadTurn | None = None
    paths: tuple[str, ...] = ()
    held: dict[str, int] = {}
    for read in session:
        sighting = _sighting(read, text)
        if sighting.present:
            shown, paths = read, sighting.sections
        elif sighting.state in ("absent", "said"):
            if shown is not None:
                held = {path: _left_out(shown, path) for path in paths}
                shown = None
            sighting = _where_it_was_cut(read, held, sighting)
        yield sighting


def _sighting(read: ReadTurn, text: str) -> Sighting:
    paths: dict[str, None] = {}
    first: Spot | None = None
    for spot in _occurrences(read, text):
        first = first or spot
        paths[_path(read, spot)] = None
    if first is not None:
        sections = tuple(filter(None, paths))
        return Sighting(read.id, read.seq, True, sections, False, _line(read, first), "present")
    response = read.turn.response.text if read.turn.response else ""
    said = bool(text) and text in response
    rest = trace(read, text)
    if rest is None:
        return Sighting(read.id, read.seq, False, (), said, None, "said" if said else "absent")
    sections = tuple(filter(None, [_path(read, rest.spot)]))
    return Sighting(read.id, read.seq, False, sections, said, _line(read, rest.spot), rest.state, rest.kept)


def _where_it_was_cut(read: ReadTurn, held: Mapping[str, int], sighting: Sighting) -> Sighting:
    """The sighting, as cut where a section that held the text leaves out more than it did then."""
    for path, before in held.items():
        if _left_out(read, path) > before:
            section = next(each for each in read.reading.sections if each.path == path)
            return replace(sighting, state="cut", sections=(path,), line=section.line)
    return sighting


def _left_out(read: ReadTurn, path: str) -> int:
    """How many marks of a section say that something was left out."""
    section = next((each for each in read.reading.sections if each.path == path), None)
    if section is None or section.message >= len(read.turn.messages):
        return 0
    return left_out(read.turn.messages[section.message].text[section.start : section.end])


def _path(read: ReadTurn, spot: Spot) -> str:
    inside = sections_at(read, spot)
    return inside[-1].path if inside else ""


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
