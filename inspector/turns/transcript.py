"""Turns read one after another as the server would, with nothing stored: for files.

Turns of one agent (and of one parent turn) in a session are each other's predecessors. What came of a call
stands in a later turn, so an answer waits until its calls have results, LOOKAHEAD more turns of its kind
came, or the input ends; answers come out in the order of their turns.
"""

from collections import OrderedDict, deque
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from inspector.turns.answer import changes_answer, turn_answer
from inspector.turns.changes import compare
from inspector.turns.errors import NotATurn, TurnError, Unreadable
from inspector.turns.memo import RecentMemo
from inspector.turns.payload import Payload, parse, parse_value
from inspector.turns.read import read_turn
from inspector.turns.results import ResultLink, link, posted, with_results
from inspector.turns.turn import Reading, ReadTurn, Turn
from inspector.turns.wires import read_payload

LOOKAHEAD = 8
MAX_WAITING = 256
"""Readings held back at most, so that memory stays bounded on files of any length."""
MAX_EARLIER = 200
MAX_SESSIONS = 100
"""Sessions whose turns are remembered; the one that was quiet for the longest is forgotten."""
MAX_WHOLE = 64 << 20
"""Bytes of a file that may be one JSON value over many lines."""


@dataclass(slots=True)
class _Answer:
    """A turn's answer that may still wait for results."""

    turn: Turn
    read: ReadTurn | None
    facts: dict[str, Any]
    error: dict[str, Any] | None = None
    later: int = 0
    """How many turns of its session came since."""

    def waits(self) -> bool:
        response = self.read.reading.response if self.read else None
        return (
            response is not None
            and self.later < LOOKAHEAD
            and any(call.result is None for call in response.calls)
        )

    def shown(self) -> dict[str, Any]:
        if self.read is None:
            return self.facts | {"error": self.error}
        return turn_answer(self.turn, self.read.reading) | self.facts


@dataclass(slots=True)
class _Session:
    seq: int = 0
    threads: dict[tuple[str | None, str | None], list[_Answer]] = field(default_factory=dict)
    """By agent and parent: what another agent was asked in between is no predecessor."""


class Transcript:
    """Reads turns in the order in which they are given."""

    def __init__(self) -> None:
        self._memo = RecentMemo()
        self._sessions: OrderedDict[str, _Session] = OrderedDict()
        self._waiting: deque[_Answer] = deque()
        self._count = 0

    def add(self, payload: Mapping[str, Any]) -> ReadTurn:
        """Reads the next turn. Raises NotATurn, Unreadable."""
        turn = read_payload(payload)
        self._count += 1
        key = turn.session if turn.session is not None else f"\n{self._count}"
        session = self._session(key)
        session.seq += 1
        thread = session.threads.setdefault((turn.agent, turn.parent), [])
        earlier = [answer.read for answer in thread if answer.read is not None]
        identity = turn.id or f"turn-{self._count}"
        reading = read_turn(turn, earlier, self._memo, id=identity, seq=session.seq)
        links = [(found.call_index, found.result) for found in posted(turn, reading.response)]
        read = ReadTurn(identity, session.seq, turn, with_results(reading, links))
        for found in link(earlier, read):
            _put(thread, found)
        facts = {"id": identity, "session": turn.session, "seq": session.seq, "state": "read"}
        self._remember(thread, _Answer(turn, read, facts))
        return read

    def fail(self, line: int, error: TurnError) -> None:
        """Puts an error in the place of a turn that could not be read."""
        code = "unreadable" if isinstance(error, Unreadable) else "not_a_turn"
        field = error.field if isinstance(error, NotATurn) else None
        facts = {
            "code": code,
            "message": str(error),
            "detail": {"line": line} | ({"field": field} if field else {}),
        }
        self._waiting.append(_Answer(Turn(), None, {}, facts))

    def ready(self, *, all_of_them: bool = False) -> Iterator[dict[str, Any]]:
        """Answers whose turn it is, oldest first; all of them at the end of the input."""
        while self._waiting and (
            all_of_them or len(self._waiting) > MAX_WAITING or not self._waiting[0].waits()
        ):
            yield self._waiting.popleft().shown()

    def _session(self, key: str) -> _Session:
        session = self._sessions.setdefault(key, _Session())
        self._sessions.move_to_end(key)
        if len(self._sessions) > MAX_SESSIONS:
            self._sessions.popitem(last=False)
        return session

    def _remember(self, thread: list[_Answer], answer: _Answer) -> None:
        for earlier in thread:
            earlier.later += 1
        if thread and (last := thread[-1].read) is not None:
            thread[-1].read = replace(last, turn=replace(last.turn, messages=()))
        thread.append(answer)
        if len(thread) > MAX_EARLIER:
            del thread[0]
        self._waiting.append(answer)


def _put(thread: list[_Answer], found: ResultLink) -> None:
    for answer in thread:
        if answer.read is not None and answer.read.id == found.turn_id:
            reading = with_results(answer.read.reading, [(found.call_index, found.result)])
            answer.read = replace(answer.read, reading=reading)


def answers(lines: Iterable[bytes]) -> Iterator[dict[str, Any]]:
    """The reading of each turn in a file, as ``GET /turns/{id}`` gives it, or an error in its place."""
    transcript = Transcript()
    for number, posted_turn in turns_in(lines):
        try:
            transcript.add(parse(posted_turn) if isinstance(posted_turn, bytes) else posted_turn)
        except TurnError as error:
            transcript.fail(number, error)
        yield from transcript.ready()
    yield from transcript.ready(all_of_them=True)


def turns_in(lines: Iterable[bytes]) -> Iterator[tuple[int, bytes | Payload]]:
    """Turns with the number of the line they begin on: one a line, or one JSON value over many lines.

    A value over many lines is one turn or a list of turns.
    """
    numbered = ((number, line) for number, line in enumerate(lines, 1) if line.strip())
    first = next(numbered, None)
    if first is None:
        return
    if _is_whole(first[1]):
        yield first
        yield from numbered
        return
    gathered, complete = _gather(first, numbered)
    whole = _value(b"".join(line for _, line in gathered)) if complete else None
    if isinstance(whole, list):
        yield from ((first[0], _element(item)) for item in whole)
    elif isinstance(whole, dict):
        yield first[0], b"".join(line for _, line in gathered)
    else:
        yield from gathered
        yield from numbered


def _gather(
    first: tuple[int, bytes], rest: Iterator[tuple[int, bytes]]
) -> tuple[list[tuple[int, bytes]], bool]:
    """Lines up to MAX_WHOLE bytes, and whether these are all."""
    gathered = [first]
    size = len(first[1])
    for item in rest:
        gathered.append(item)
        size += len(item[1])
        if size > MAX_WHOLE:
            return gathered, False
    return gathered, True


def _is_whole(line: bytes) -> bool:
    return isinstance(_value(line), dict)


def _value(data: bytes) -> Any:
    try:
        return parse_value(data.decode("utf-8-sig"))
    except (NotATurn, UnicodeDecodeError):
        return None


def _element(item: Any) -> Payload | bytes:
    """An element of a list as a payload; one that is no object as bytes that no turn is made of."""
    return Payload(item) if isinstance(item, dict) else b"[]"


def changes_between(old: bytes, new: bytes) -> dict[str, Any]:
    """What ``GET /turns/{old}/changes/{new}`` answers for two posted turns. Raises NotATurn, Unreadable."""
    before, after = (_alone(data, number) for number, data in enumerate((old, new), 1))
    return changes_answer(compare(before, after))


def _alone(data: bytes, seq: int) -> ReadTurn:
    turn = read_payload(parse(data))
    reading: Reading = read_turn(turn, (), None, id=turn.id or str(seq), seq=seq)
    return ReadTurn(turn.id or str(seq), seq, turn, reading)
