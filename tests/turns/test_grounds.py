"""Where the prompt shows the values of a call."""

from typing import Any

import pytest

from inspector.turns import read_turn
from inspector.turns.grounds import Ground, grounds, is_shown, needs_ground, values_in
from inspector.turns.payload import Payload
from inspector.turns.wires import read_payload
from tests.turns.findings.looking import answered, asked


def found(payload: dict[str, Any]) -> tuple[Ground, ...]:
    turn = read_payload(Payload(payload))
    reading = read_turn(turn)
    assert reading.response is not None
    places = grounds(turn, reading, reading.response.calls[0])
    values = dict(values_in(reading.response.calls[0].arguments))
    for place in places:
        text = turn.messages[place.message].text[place.start : place.end]
        assert text in (str(values[place.path]), str(values[place.path]).removesuffix(".0"))
    return places


def calling(arguments: str) -> dict[str, Any]:
    return {"tool_calls": [{"id": "c", "function": {"name": "go", "arguments": arguments}}]}


def test_value_is_found_where_it_came_in_and_not_in_the_examples() -> None:
    said = '<input name="text" timestamp="1">Is it raining in Bergen?</input>'
    call = '<action_call name="forecast">{"city": "Bergen"}</action_call></response>'
    (place,) = found(answered(call, inputs=said))
    assert (place.path, place.section) == (("city",), "unprocessed-inputs/input[text:1]")
    lines = answered(call, inputs=said)["prompt"].split("\n")
    assert "Is it raining in Bergen?" in lines[place.line - 1]


def test_value_that_only_the_offers_hold_is_found_there() -> None:
    call = (
        '<action_call name="forecast">{"city": "a", "unit": "additionalProperties"}</action_call></response>'
    )
    (place,) = found(answered(call))
    assert place.section == "available-actions/action[forecast]"


def test_the_latest_place_counts_and_what_the_model_said_does_not() -> None:
    messages = [
        {"role": "user", "content": "Order 4711, please.\nOr order 4711?"},
        {"role": "assistant", "content": "4711, then."},
    ]
    (place,) = found({"messages": messages, "response": calling('{"order": 4711}')})
    assert (place.message, place.line) == (0, 2)


def test_a_part_of_a_longer_word_or_number_is_no_place() -> None:
    payload = asked("Look at 47110 and at reorder.", response=calling('{"a": 4711, "b": "order"}'))
    assert found(payload) == ()


def test_values_inside_values_have_paths() -> None:
    arguments = '{"filters": [{"year": 2020.0}, {"name": "Ada"}], "on": true, "none": null}'
    places = found(asked("Ada wrote it in 2020.", response=calling(arguments)))
    assert [place.path for place in places] == [("filters", 0, "year"), ("filters", 1, "name")]


@pytest.mark.parametrize(
    ("value", "needs"),
    [
        ("ord-4711", True),
        ("src/main/app.py", True),
        ("ada@example.org", True),
        (48_213, True),
        (3.14159, True),
        ("Look at 4711, please", False),
        ("Bergen", False),
        ("2026-11-30", False),
        ("2026-11-30T14:00:00Z", False),
        ("14:30", False),
        ("{{calls[0].id2}}", False),
        ("a1", False),
        (12, False),
        (5_000, False),
        (0.5, False),
        (10**100, False),
    ],
)
def test_only_what_can_be_copied_alone_needs_a_place(value: Any, needs: bool) -> None:
    assert needs_ground(value) is needs


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (12_345, "a price of 12,345 crowns"),
        ("C:\\temp\\x1", 'the file is "C:\\\\temp\\\\x1"'),
        ("https://example.org/orders/4711", "orders are at https://example.org/orders/<id>; 4711 is late"),
        ("ord-4711", "(ord-4711)"),
    ],
)
def test_value_is_shown_in_other_forms_and_in_parts(value: Any, text: str) -> None:
    assert is_shown(value, ["nothing", text])
    assert not is_shown(value, ["nothing", "at all"])


def test_many_and_large_values_are_bounded() -> None:
    assert len(list(values_in([["x"] * 1_000] * 1_000))) <= 400
    deep: Any = "x"
    for _ in range(5_000):
        deep = [deep]
    assert list(values_in(deep)) == []
    assert needs_ground(10**5_000) is False
