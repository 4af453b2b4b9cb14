"""Template references by the engine's true rules: where they work, what they count, what they come to."""

from dataclasses import replace
from typing import Any

import pytest

from inspector.turns import read_turn
from inspector.turns.payload import Payload
from inspector.turns.references import valued
from inspector.turns.turn import ReadTurn, Reference, Result, Turn
from inspector.turns.wires import read_payload
from tests.turns.findings.looking import answered, asked

FIRST = '<action_call name="forecast">{"city": "Oslo"}</action_call>'


def note(value: str) -> str:
    return f'<action_call name="note">{{"text": "a", "extra": {value}}}</action_call>'


def references(payload: dict[str, Any], earlier: tuple[ReadTurn, ...] = ()) -> tuple[Reference, ...]:
    response = read_turn(read_payload(Payload(payload)), earlier).response
    assert response is not None
    for reference in response.references:
        assert response.text[reference.start : reference.end].strip("{} ") == reference.expression
    return response.references


@pytest.mark.parametrize(
    ("value", "status", "call", "path"),
    [
        ('"{{calls[0].low}}"', "resolved", 0, "low"),
        ('"{{ calls[0].low }}"', "resolved", 0, "low"),
        ('"{{calls.0.low}}"', "resolved", 0, "low"),
        ('"{{calls[0]}}"', "resolved", 0, None),
        ('{"deep": ["{{calls[0].a[1].b}}"]}', "resolved", 0, "a[1].b"),
        ('"{{calls[1].low}}"', "self", 1, "low"),
        ('"{{calls[2].low}}"', "forward", 2, "low"),
        ('"{{calls[9].low}}"', "dangling", None, "low"),
        ('"{{config.user}}"', "dangling", None, None),
        ('"low: {{calls[0].low}}"', "not-resolved-here", 0, "low"),
        ('"say \\"{{calls[0].low}}\\""', "not-resolved-here", 0, "low"),
    ],
)
def test_reference_in_a_call(value: str, status: str, call: int | None, path: str | None) -> None:
    (found,) = references(answered(FIRST + note(value) + note("1") + "</response>"))
    assert (found.where, found.index) == ("call", 1)
    assert (found.status, found.call, found.path) == (status, call, path)


def test_outputs_and_thoughts_are_never_resolved() -> None:
    output = '<output name="text">{"content": "{{calls[0].a}}"}</output>'
    text = "<reasoning>{{calls[0].a}}</reasoning>" + output + "</response>"
    found = references(answered(FIRST + text))
    assert [(each.where, each.status) for each in found] == [
        ("text", "not-resolved-here"),
        ("output", "not-resolved-here"),
    ]


@pytest.mark.parametrize(
    ("value", "status", "come_to"),
    [
        ('"{{calls[0].low}}"', "resolved", [4]),
        ('"{{calls[0]}}"', "resolved", {"low": 4, "days": [{"sun": True}]}),
        ('"{{calls[0].days[0].sun}}"', "resolved", [True]),
        ('"{{calls[0].high}}"', "dangling", None),
    ],
)
def test_posted_result_gives_the_value(value: str, status: str, come_to: Any) -> None:
    results = [{"call": 0, "value": {"low": 4, "days": [{"sun": True}]}}]
    (found,) = references(answered(FIRST + note(value) + "</response>", results=results))
    assert (found.status, found.value) == (status, come_to)


def test_result_that_failed_gives_nothing() -> None:
    results = [{"call": 0, "error": "no such city"}]
    (found,) = references(answered(FIRST + note('"{{calls[0].low}}"') + "</response>", results=results))
    assert (found.status, found.value) == ("dangling", None)


def read(payload: dict[str, Any], seq: int) -> ReadTurn:
    turn = read_payload(Payload(payload))
    return ReadTurn(f"t{seq}", seq, Turn(), read_turn(turn))


def test_calls_are_counted_over_the_whole_run() -> None:
    begin = read(answered(FIRST + "</response>"), 1)
    calls = note('"{{calls[0].low}}"') + note('"{{calls[1].x}}"')
    later = answered(calls + "</response>", inputs="No unprocessed inputs.")
    first, second = references(later, (begin,))
    assert (first.status, first.call) == ("resolved", None)
    assert (second.status, second.call) == ("resolved", 0)


def test_new_input_begins_a_new_run() -> None:
    begin = read(answered(FIRST + "</response>"), 1)
    (found,) = references(answered(note('"{{calls[0].low}}"') + "</response>"), (begin,))
    assert found.status == "self"


def test_result_of_a_later_turn_gives_the_value() -> None:
    response = read(
        answered(FIRST + note('"{{calls[0].low}}"') + note('"{{calls[0].high}}"')), 1
    ).reading.response
    assert response is not None
    found = Result("t2", 2, None, 7, {"low": 4}, None)
    calls = (replace(response.calls[0], result=found), *response.calls[1:])
    later = valued(replace(response, calls=calls), "0.3.20")
    assert [(each.status, each.value) for each in later.references] == [("resolved", [4]), ("dangling", None)]
    scalar = valued(replace(response, calls=calls), "0.3.0")
    assert scalar.references[0].value == 4
    assert valued(response, "0.3.20") is response


def test_other_dialects_have_none() -> None:
    assert references(asked("Be brief.", response="Write {{calls[0].x}}.")) == ()


def test_flood_of_references_is_bounded() -> None:
    assert len(references(answered("<reasoning>" + "{{calls[0].a}} " * 5_000))) == 500
