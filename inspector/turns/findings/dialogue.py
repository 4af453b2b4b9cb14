"""A prompt as a conversation: its calls and results, and how it goes on from the turn before."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from inspector.turns.changes.sequence import Budget, runs
from inspector.turns.findings.rule import Context
from inspector.turns.shown import is_result, spoken
from inspector.turns.turn import Message, NativeCall, ReadTurn, Section, Turn

RULERS = ("system", "developer")
"""Roles that speak for the program."""
SUMMARY = re.compile(
    r"\b(?:summary|summari[sz]ed|compacted|condensed|earlier (?:messages|turns|conversation)|"
    r"messages (?:were|have been) (?:removed|dropped|cut|truncated))\b",
    re.IGNORECASE,
)
_IDS = ("tool_use_id", "tool_call_id", "toolCallId", "toolUseId", "call_id", "id")


@dataclass(frozen=True, slots=True)
class Asked:
    """A native call in a prompt."""

    message: int
    call: NativeCall


@dataclass(frozen=True, slots=True)
class Answer:
    """What came of a call, as a prompt shows it natively."""

    id: str | None
    message: int
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Dialogue:
    """The native calls and results of a prompt, in order."""

    calls: tuple[Asked, ...]
    answers: tuple[Answer, ...]


def dialogue_of(turn: Turn) -> Dialogue:
    """The calls and results of a turn's prompt."""
    calls: list[Asked] = []
    answers: list[Answer] = []
    for index, message in enumerate(turn.messages):
        if message.calls:
            calls.extend(Asked(index, call) for call in message.calls)
        if message.parts or message.call_id is not None or message.role == "tool":
            answers.extend(_answers(index, message))
    return Dialogue(tuple(calls), tuple(answers))


def dialogue(context: Context) -> Dialogue:
    """The same for the turn at hand, worked out once."""
    if "dialogue" not in context.cache:
        context.cache["dialogue"] = dialogue_of(context.turn)
    found: Dialogue = context.cache["dialogue"]
    return found


def dialogue_before(context: Context) -> Dialogue:
    """The same for the turn before."""
    if "dialogue before" not in context.cache:
        previous = context.previous
        context.cache["dialogue before"] = dialogue_of(previous.turn if previous else Turn())
    found: Dialogue = context.cache["dialogue before"]
    return found


def _answers(index: int, message: Message) -> list[Answer]:
    found = [
        Answer(_id_of(part.value, message), index, part.start, part.end)
        for part in message.parts
        if is_result(part)
    ]
    if not found and (message.role == "tool" or message.call_id is not None):
        found = [Answer(message.call_id, index, 0, len(message.text))]
    return found


def _id_of(facts: object, message: Message) -> str | None:
    if isinstance(facts, dict):
        named = [key for key in _IDS if key in facts]
        if named:
            return facts[named[0]] if isinstance(facts[named[0]], str) else message.call_id
    return message.call_id


def carries_results(message: Message) -> bool:
    """Whether a message brings results, whatever its role is."""
    if message.role in ("tool", "function") or message.call_id is not None:
        return True
    return bool(message.parts) and any(is_result(part) for part in message.parts)


# ---------------------------------------------------------------- from one turn to the next


@dataclass
class Course:
    """How a conversation went on: which messages of the turn before are still there.

    Messages of the system are left out: they are the program's to change.
    """

    old: ReadTurn
    new: Turn

    @cached_property
    def olds(self) -> list[int]:
        """Indexes of the messages before, without those of the system."""
        return _spoken(self.old.turn.messages)

    @cached_property
    def news(self) -> list[int]:
        """The same of the turn at hand."""
        return _spoken(self.new.messages)

    @cached_property
    def kept(self) -> dict[int, int]:
        """Old index → new index of messages that are still there, in order."""
        numbers: dict[object, int] = {}
        left = [numbers.setdefault(_key(self.old.turn.messages[index]), len(numbers)) for index in self.olds]
        right = [numbers.setdefault(_key(self.new.messages[index]), len(numbers)) for index in self.news]
        return {
            self.olds[run.old + step]: self.news[run.new + step]
            for run in runs(left, right, Budget(cells=4_000_000))
            for step in range(run.size)
        }

    @cached_property
    def echo(self) -> int | None:
        """Index of the message that repeats the answer of the turn before."""
        said = self.old.turn.response
        if said is None:
            return None
        text = said.text.strip()
        ids = {call.id for call in said.calls if call.id}
        for index in reversed(self.news):
            message = self.new.messages[index]
            if message.role == "assistant" and (
                (text and spoken(message).strip() == text) or any(call.id in ids for call in message.calls)
            ):
                return index
        return None

    @cached_property
    def goes_on(self) -> bool:
        """Whether the turn continues the conversation of the one before."""
        return bool(self.kept) or self.echo is not None or (self.summary is not None and self.begins_alike)

    @cached_property
    def summary(self) -> int | None:
        """Index of a message that was not there before and begins by telling of a summary or a cut."""
        before = {message.text for message in self.old.turn.messages}
        for index, message in enumerate(self.new.messages):
            if (
                message.role != "assistant"
                and message.text not in before
                and SUMMARY.search(message.text[:48])
            ):
                return index
        return None

    @property
    def begins_alike(self) -> bool:
        """Whether both prompts begin with the same words of the system."""
        first, second = self.old.turn.messages[0], self.new.messages[0]
        return first.role == second.role and first.role in RULERS and first.text[:24] == second.text[:24]

    def is_asked(self, index: int) -> bool:
        """Whether an old message is a user's own words: not a result, nor what a program puts in."""
        message = self.old.turn.messages[index]
        if message.role != "user" or carries_results(message) or not message.text.strip():
            return False
        return index in self._words

    @cached_property
    def _words(self) -> set[int]:
        return {one.message for one in self.old.reading.sections if one.kind in ("history", "updates")}

    @cached_property
    def _moved(self) -> set[object]:
        """Keys of messages that stand elsewhere now, without the answer that came since."""
        return {_key(self.new.messages[index]) for index in self.fresh if index != self.echo}

    def is_missing(self, index: int) -> bool:
        """Whether an old message stands nowhere any more."""
        return index not in self.kept and _key(self.old.turn.messages[index]) not in self._moved

    @cached_property
    def fresh(self) -> list[int]:
        """Indexes of messages that were not there before."""
        taken = set(self.kept.values())
        return [index for index in self.news if index not in taken]


def course(context: Context) -> Course | None:
    """How the turn goes on from the one before; None where there is none or it does not carry its past."""
    if "course" not in context.cache:
        previous = None if context.turn.continued else context.previous
        known = previous is not None and previous.turn.messages and context.turn.messages
        context.cache["course"] = Course(previous, context.turn) if previous is not None and known else None
    found: Course | None = context.cache["course"]
    return found


def is_fresh(context: Context, section: Section) -> bool:
    """Whether the turn before did not have a section letter for letter: what is old was told there."""
    if "digests" not in context.cache:
        previous = context.previous
        context.cache["digests"] = {one.digest for one in previous.reading.sections} if previous else set()
    return section.digest not in context.cache["digests"]


def _spoken(messages: Sequence[Message]) -> list[int]:
    """Indexes of what was said: not by the system, and not the beginning of an answer that is to come."""
    last = len(messages) - 1
    return [
        index
        for index, message in enumerate(messages)
        if message.role not in RULERS
        and not (index == last and message.role == "assistant" and not message.calls)
    ]


def _key(message: Message) -> object:
    calls = tuple((call.name, call.arguments) for call in message.calls) if message.calls else ()
    return message.role, message.text.strip(), calls
