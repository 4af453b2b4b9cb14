"""What must hold of every reading. Each function raises AssertionError where it does not."""

import json
from collections.abc import Sequence

from inspector.turns.answer import changes_answer, turn_answer
from inspector.turns.changes.change import Changes, Hunk
from inspector.turns.document import from_document, to_document
from inspector.turns.findings import rule_named
from inspector.turns.lines import Lines
from inspector.turns.turn import (
    Call,
    Contract,
    Finding,
    Message,
    Output,
    Reading,
    ReadTurn,
    Response,
    Source,
    Turn,
)
from tests.turns.whole import assert_whole


def assert_reading(turn: Turn, reading: Reading) -> None:
    """No stage failed, sections add up, every place is inside its text, and the reading can be kept."""
    failed = [finding.message for finding in reading.findings if finding.rule == "reading-failed"]
    assert not failed, failed[0]
    assert_whole(turn, reading.sections)
    assert_lines(turn, reading)
    assert_offers(turn, reading.contract)
    if reading.response is not None:
        assert_response(reading.response)
    for finding in reading.findings:
        assert_place(turn, reading, finding)
    assert_kept(reading)
    json.dumps(turn_answer(turn, reading), allow_nan=False)


def assert_lines(turn: Turn, reading: Reading) -> None:
    """Sections have the lines that counting line feeds gives, and sizes are those of the texts."""
    lines = Lines(turn.messages)
    for section in reading.sections:
        assert section.line == lines.line(section.message, section.start)
        assert section.end_line == lines.line(section.message, max(section.end - 1, section.start))
    assert reading.chars == sum(len(message.text) for message in turn.messages)
    assert reading.lines == lines.total
    assert reading.tokens >= 0


def assert_offers(turn: Turn, contract: Contract) -> None:
    """Offers come from inside a message."""
    for offer in (*contract.actions, *contract.outputs):
        if isinstance(offer.source, Source):
            size = len(turn.messages[offer.source.message].text)
            assert 0 <= offer.source.start <= offer.source.end <= size, offer.name


def assert_response(response: Response) -> None:
    """Every stretch is where it says, in range, and calls and outputs are numbered in order."""
    text = response.text
    assert 0 <= response.prefill_chars <= len(text)
    for span in (*response.reasoning, *response.stray):
        if span.start is not None and span.end is not None:
            assert 0 <= span.start <= span.end <= len(text)
            assert span.text in (text[span.start : span.end], _decoded(text[span.start : span.end]))
    assert [call.index for call in response.calls] == list(range(len(response.calls)))
    assert [output.index for output in response.outputs] == list(range(len(response.outputs)))
    items: list[Call | Output] = [*response.calls, *response.outputs]
    for said in items:
        if said.start is not None and said.end is not None:
            assert 0 <= said.start <= said.end <= len(text)
        if said.raw_start is not None:
            assert text.startswith(said.raw, said.raw_start)
    for reference in response.references:
        assert 0 <= reference.start <= reference.end <= len(text)


def assert_place(turn: Turn, reading: Reading, finding: Finding) -> None:
    """A finding is of a known rule and lies inside what it is about."""
    assert rule_named(finding.rule) is not None
    where = finding.where
    start, end = where.start, where.end
    if start is None or end is None:
        return
    if where.part == "prompt":
        assert where.message is not None, finding.rule
        size = len(turn.messages[where.message].text)
    else:
        assert reading.response is not None, finding.rule
        size = len(reading.response.text)
    assert 0 <= start <= end <= size, finding.rule


def assert_kept(reading: Reading) -> None:
    """The reading comes back equal from the document that is stored."""
    stored = json.dumps(to_document(reading), ensure_ascii=False).encode("utf-8", "surrogatepass")
    back = from_document(json.loads(stored.decode("utf-8", "surrogatepass")))
    # By their repr, since mended JSON may hold NaN, which is unequal to itself.
    assert back == reading or repr(back) == repr(reading)


def assert_changes(old: ReadTurn, new: ReadTurn, changes: Changes) -> None:
    """Both texts are accounted for, line numbers rise, words and the prefix are inside their texts."""
    for read, side in ((old, "old"), (new, "new")):
        left = [set(range(len(message.text))) for message in read.turn.messages]
        for change in changes.sections:
            stretch = getattr(change, side)
            if stretch is not None:
                left[stretch.message] -= set(range(stretch.start, stretch.end))
        assert not any(left), side
    before, after = _all_lines(old.turn.messages), _all_lines(new.turn.messages)
    for change in changes.sections:
        assert_hunks(change.hunks, before, after)
    assert 0 <= changes.prefix.shared_tokens <= changes.prefix.tokens
    assert 0 <= changes.prefix.ratio <= 1
    json.dumps(changes_answer(changes), allow_nan=False)


def assert_hunks(hunks: Sequence[Hunk], old: Sequence[str], new: Sequence[str]) -> None:
    """Lines of hunks are parts of the lines that they are numbered as, and their words lie inside them."""
    for hunk in hunks:
        for line in hunk.lines:
            assert line.op == "+" or line.old_line is not None
            assert line.op == "-" or line.new_line is not None
            if line.old_line is not None and line.op == "-":
                assert line.text in old[line.old_line - 1]
            if line.new_line is not None:
                assert line.text in new[line.new_line - 1]
            at = 0
            for start, end in line.words:
                assert at <= start < end <= len(line.text)
                at = end


def _all_lines(messages: Sequence[Message]) -> list[str]:
    return [line for message in messages for line in message.text.split("\n")]


def _decoded(text: str) -> str | None:
    """A JSON string's text as its value; None when it is no string's text."""
    try:
        return str(json.loads(f'"{text}"'))
    except ValueError:
        return None
