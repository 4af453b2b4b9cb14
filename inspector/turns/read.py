"""A turn made a reading: dialect → sections → contract → response → since the turn before → findings.

A stage that fails on some content becomes a finding and the next stages go on with what there is: a fault in
reading never hides a turn.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TypeVar

from inspector.turns import changes, results, tokens
from inspector.turns.contract import contract_of
from inspector.turns.dialects import choose, of_session
from inspector.turns.dialects.card import NO_KINDS, Dialect
from inspector.turns.dialects.generic import GENERIC
from inspector.turns.errors import Unreadable
from inspector.turns.findings import Context, findings_of
from inspector.turns.lines import Lines
from inspector.turns.memo import Memo
from inspector.turns.references import references_of
from inspector.turns.responses import hear
from inspector.turns.sections import Sections, sections_of, whole_digest
from inspector.turns.turn import (
    Contract,
    Finding,
    Message,
    MessageFacts,
    Place,
    Reading,
    ReadTurn,
    Reference,
    Section,
    Turn,
)

Made = TypeVar("Made")


def read_turn(
    turn: Turn,
    earlier: Sequence[ReadTurn] = (),
    memo: Memo | None = None,
    kinds: Mapping[str, str] = NO_KINDS,
    *,
    id: str = "",
    seq: int = 0,
) -> Reading:
    """The reading of a turn. Raises Unreadable only when there is nothing at all to read.

    ``earlier``: the turns of the same session before this one, oldest first. ``kinds``: the project's own
    names → kinds. ``id`` and ``seq``: how the session knows the turn. Results that the agent posted are in
    the calls; those that later prompts show are not known here (``results.link``).
    """
    if not turn.messages and turn.response is None and turn.error is None:
        raise Unreadable("The turn has neither a prompt nor a response.")
    stages = _Stages()
    reading, context = _read(turn, earlier, memo, kinds, stages)
    reading = replace(reading, response=context.response)
    if earlier:
        later = ReadTurn(id, seq, turn, reading)
        context.since = stages.run("changes", lambda: changes.since(earlier[-1], later, earlier), None)
    found: tuple[Finding, ...] = stages.run("findings", lambda: findings_of(context), ())
    reading = replace(reading, findings=found)
    links: tuple[results.ResultLink, ...] = stages.run(
        "results", lambda: results.posted(turn, reading.response), ()
    )
    reading = results.with_results(reading, [(link.call_index, link.result) for link in links])
    return replace(reading, findings=(*reading.findings, *stages.failures), since_previous=context.since)


def _read(
    turn: Turn,
    earlier: Sequence[ReadTurn],
    memo: Memo | None,
    kinds: Mapping[str, str],
    stages: "_Stages",
) -> tuple[Reading, Context]:
    """The stages up to the response, and all that the rules may look at."""
    dialect = stages.run("dialect", lambda: _chosen(turn, earlier, stages), GENERIC)
    cut = stages.run("sections", lambda: sections_of(turn, dialect, kinds, memo), None)
    if cut is None:
        cut = stages.run("sections", lambda: sections_of(turn, GENERIC, kinds, memo), Sections(()))
    card = dialect.at(cut.layout)
    contract = stages.run("contract", lambda: contract_of(turn, cut.sections, card, memo), Contract())
    heard = stages.run("response", lambda: hear(turn, contract, card, memo), None)
    response = heard.response if heard else None
    references: tuple[Reference, ...] = stages.run(
        "references", lambda: references_of(turn, response, card, earlier, cut.sections), ()
    )
    if response and references:
        response = replace(response, references=references)
    context = Context(turn, card, cut.sections, contract, response, heard, cut.notes, earlier, memo)
    return replace(_measured(turn, dialect, cut, memo), contract=contract), context


class _Stages:
    """Runs the stages of a reading and keeps what went wrong."""

    def __init__(self) -> None:
        self.failures: list[Finding] = []

    def run(self, stage: str, work: Callable[[], Made], instead: Made) -> Made:
        """What the stage makes, or ``instead`` when it raises."""
        try:
            return work()
        except Exception as error:  # whatever content makes a stage stumble must not cost the turn
            self.fail(f"The stage “{stage}” failed on this turn ({type(error).__name__}).", stage)
            return instead

    def fail(self, message: str, stage: str) -> None:
        hint = "The record is safe and the rest of the reading is here. Please report it: this is our fault."
        data = {"stage": stage}
        self.failures.append(Finding("reading-failed", "warning", message, Place("turn"), hint, data))


def _chosen(turn: Turn, earlier: Sequence[ReadTurn], stages: _Stages) -> Dialect:
    notes: list[str] = []
    dialect = choose(turn, notes)
    for note in notes:
        stages.fail(note, "dialect")
    return of_session(turn, dialect, earlier[-1] if earlier else None)


def _measured(turn: Turn, dialect: Dialect, cut: Sections, memo: Memo | None) -> Reading:
    """The reading's sizes. Whole messages are counted, since counts of sections don't add up exactly."""
    lines = Lines(turn.messages)
    tops: list[list[Section]] = [[] for _ in turn.messages]
    for section in cut.sections:
        if section.depth == 0:
            tops[section.message].append(section)
    facts = tuple(
        MessageFacts(message.role, message.name, len(message.text), _tokens(message, sections, memo), line)
        for message, sections, line in zip(turn.messages, tops, lines.firsts, strict=True)
    )
    return Reading(
        dialect=dialect.name,
        layout=cut.layout,
        chars=sum(fact.chars for fact in facts),
        bytes=sum(_bytes(message.text) for message in turn.messages),
        lines=lines.total,
        tokens=sum(fact.tokens for fact in facts),
        messages=facts,
        sections=cut.sections,
        contract=Contract(),
        response=None,
        findings=(),
    )


def _tokens(message: Message, sections: Sequence[Section], memo: Memo | None) -> int:
    """Tokens of a message: those of its outermost sections, where they are sure to add up."""
    if sections and all(tokens.adds_up_at(message.text, section.start) for section in sections):
        return sum(section.tokens for section in sections)
    if memo is None:
        return tokens.count(message.text)
    key = f"tokens:{whole_digest(message.text)}"
    count: int | None = memo.get(key)
    if count is None:
        count = tokens.count(message.text)
        memo.set(key, count)
    return count


def _bytes(text: str) -> int:
    return len(text) if text.isascii() else len(text.encode("utf-8", "surrogatepass"))
