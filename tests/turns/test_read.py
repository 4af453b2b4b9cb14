"""A whole reading: sizes, stages, and what happens when one fails."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given

from inspector.turns import READ_WITH, Unreadable, choose, read, read_payload, read_turn
from inspector.turns.dialects.card import Cut
from inspector.turns.memo import RecentMemo
from inspector.turns.turn import ErrorInfo, Message, ReadTurn, ResponseBody, Turn
from tests.turns.dialects.prompts import prompt, said
from tests.turns.test_sections import TURNS
from tests.turns.whole import assert_whole


def a_payload(**more: Any) -> dict[str, Any]:
    text = prompt(unprocessed_inputs=said("water the fern"))
    messages = [{"role": "user", "content": text}, {"role": "assistant", "content": "<response>"}]
    answer = '<reasoning>dry</reasoning><action_call name="water">{}</action_call></response>'
    return {"messages": messages, "response": answer, **more}


def test_reading_of_a_whole_turn() -> None:
    reading = read_turn(read_payload(a_payload()))
    assert (reading.dialect, reading.layout, reading.read_with) == ("daydreams", "0.3.20", READ_WITH)
    assert [offer.name for offer in reading.contract.actions] == ["water"]
    assert reading.response is not None
    assert [(call.name, call.status) for call in reading.response.calls] == [("water", "ok")]
    assert reading.since_previous is None
    assert not [finding for finding in reading.findings if finding.rule == "reading-failed"]


def test_sizes_are_of_whole_messages() -> None:
    reading = read_turn(
        Turn(messages=(Message("system", "é\n"), Message("user", "\ud800"), Message("user", "")))
    )
    assert (reading.chars, reading.bytes, reading.lines) == (3, 6, 4)
    assert [(fact.chars, fact.line) for fact in reading.messages] == [(2, 1), (1, 3), (0, 4)]
    assert reading.tokens == sum(fact.tokens for fact in reading.messages) > 0


def test_turn_before_is_compared_with() -> None:
    first = read_payload(a_payload())
    earlier = ReadTurn("t1", 1, first, read_turn(first))
    second = replace(first, messages=(Message("user", prompt(recent_history=said("x"))),))
    since = read_turn(second, (earlier,), id="t2", seq=2).since_previous
    assert since is not None
    assert since.turn == "t1"
    assert since.sections.changed > 0


def test_posted_results_are_in_the_calls() -> None:
    reading = read_turn(read_payload(a_payload(results=[{"call": 0, "value": {"ok": True}}])))
    assert reading.response is not None
    (call,) = reading.response.calls
    assert call.result is not None
    assert call.result.value == {"ok": True}


def test_nothing_at_all_is_unreadable() -> None:
    with pytest.raises(Unreadable):
        read_turn(Turn())


@pytest.mark.parametrize(
    "turn",
    [
        Turn(messages=(Message("user", ""),)),
        Turn(response=ResponseBody("hello")),
        Turn(error=ErrorInfo("overloaded", "try later")),
    ],
)
def test_little_is_readable(turn: Turn) -> None:
    assert read_turn(turn).sections == ()


@pytest.mark.parametrize(
    ("stage", "function"),
    [
        ("dialect", "choose"),
        ("sections", "sections_of"),
        ("contract", "contract_of"),
        ("response", "hear"),
        ("references", "references_of"),
        ("findings", "findings_of"),
    ],
)
def test_stage_that_fails_becomes_a_finding(
    stage: str, function: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*args: object, **more: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(read, function, broken)
    reading = read_turn(read_payload(a_payload()))
    failed = [finding for finding in reading.findings if finding.rule == "reading-failed"]
    assert {finding.data["stage"] for finding in failed} == {stage}
    assert "ZeroDivisionError" in failed[0].message
    assert failed[0].where.part == "turn"
    assert reading.tokens > 0


def test_prompt_that_its_dialect_cannot_cut_is_cut_by_the_generic_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def broken(turn: Turn, kinds: Mapping[str, str]) -> Cut:
        raise RecursionError

    turn = read_payload(a_payload())
    dialect = replace(choose(turn), split=broken)
    monkeypatch.setattr(read, "choose", lambda *_: dialect)
    reading = read_turn(turn)
    assert_whole(turn, reading.sections)
    assert (reading.dialect, reading.layout) == ("daydreams", None)
    assert "unprocessed-inputs" in {section.path.split("/")[-1] for section in reading.sections}
    assert [finding.data for finding in reading.findings if finding.rule == "reading-failed"] == [
        {"stage": "sections"}
    ]


def test_memo_changes_nothing() -> None:
    turn = read_payload(a_payload())
    memo = RecentMemo()
    assert read_turn(turn) == read_turn(turn, memo=memo) == read_turn(turn, memo=memo)


@given(TURNS)
def test_no_content_breaks_a_stage(turn: Turn) -> None:
    if not turn.messages:
        return
    reading = read_turn(replace(turn, response=ResponseBody(turn.messages[0].text), prefill="<response>"))
    assert_whole(turn, reading.sections)
    assert [finding for finding in reading.findings if finding.rule == "reading-failed"] == []
