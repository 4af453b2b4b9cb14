"""Turns of a file, read one after another with nothing stored."""

import json
from typing import Any

import pytest

from inspector.turns.errors import NotATurn
from inspector.turns.transcript import LOOKAHEAD, MAX_WAITING, answers, changes_between, turns_in
from tests.turns.findings.looking import answered


def lines(*turns: Any) -> list[bytes]:
    return [turn if isinstance(turn, bytes) else json.dumps(turn).encode() + b"\n" for turn in turns]


def call(identity: str) -> dict[str, Any]:
    return {
        "role": "assistant",
        "tool_calls": [{"id": identity, "function": {"name": "go", "arguments": "{}"}}],
    }


def turn(number: int, session: str = "s", **more: Any) -> dict[str, Any]:
    text = "# Rules\nBe brief.\n\n# News\n" + f"Item {number}\n" * number
    return {"id": f"{session}{number}", "session": session, "prompt": text, "response": "ok", **more}


def test_turns_of_a_session_follow_each_other() -> None:
    first, other, second = answers(lines(turn(1), turn(1, "x"), turn(2)))
    assert [(first["id"], first["seq"]), (other["id"], other["seq"]), (second["id"], second["seq"])] == [
        ("s1", 1),
        ("x1", 1),
        ("s2", 2),
    ]
    assert first["since_previous"] is other["since_previous"] is None
    assert second["since_previous"]["turn"] == "s1"


def test_another_agent_in_the_same_session_is_no_predecessor() -> None:
    first, helper, second = answers(lines(turn(1), turn(2, agent="helper", parent="s1"), turn(3)))
    assert [answer["seq"] for answer in (first, helper, second)] == [1, 2, 3]
    assert helper["since_previous"] is None
    assert second["since_previous"]["turn"] == "s1"


def test_turns_without_a_session_stand_alone() -> None:
    both = list(answers(lines({"prompt": "a"}, {"prompt": "a"})))
    assert [(answer["seq"], answer["since_previous"]) for answer in both] == [(1, None), (1, None)]


def test_a_result_in_a_later_turn_is_put_into_the_call() -> None:
    later = {
        "session": "s",
        "messages": [call("c1"), {"role": "tool", "tool_call_id": "c1", "content": "done"}],
    }
    first, _ = answers(lines({"session": "s", "prompt": "go", "response": call("c1")}, later))
    result = first["response"]["calls"][0]["result"]
    assert (result["turn"], result["seq"], result["value"]) == ("turn-2", 2, "done")


def test_posted_results_are_put_into_their_calls() -> None:
    (answer,) = answers(lines({"prompt": "go", "response": call("c1"), "results": [{"call": 0, "value": 5}]}))
    assert answer["response"]["calls"][0]["result"]["value"] == 5


def test_a_reference_gets_the_value_of_a_result_in_a_later_turn() -> None:
    calls = (
        '<action_call name="forecast">{"city": "Oslo"}</action_call>'
        '<action_call name="note">{"text": "a", "extra": "{{calls[0].low}}"}</action_call>'
    )
    result = (
        '<action_result callId="01a22c48-0001-7000-8000-000000000001" name="forecast" timestamp="1">'
        '{"low": 4}</action_result>'
    )
    later = answered("", session="s")
    later["prompt"] = later["prompt"].replace("No recent action results.", result)
    first, _ = answers(lines(answered(calls, session="s"), later))
    (reference,) = first["response"]["references"]
    assert (reference["status"], reference["value"]) == ("resolved", [4])


def test_an_answer_waits_for_its_results_but_not_for_ever() -> None:
    source = iter(
        lines({"session": "s", "prompt": "go", "response": call("c1")}, *(turn(n) for n in range(1, 99)))
    )
    first = next(answers(source))
    assert first["response"]["calls"][0]["result"] is None
    assert len(list(source)) == 98 - LOOKAHEAD


def test_answers_of_other_sessions_do_not_pile_up() -> None:
    waiting = {"session": "w", "prompt": "go", "response": call("c1")}
    source = iter(lines(waiting, *(turn(1, f"s{n}") for n in range(400))))
    assert next(answers(source))["session"] == "w"
    assert len(list(source)) == 400 - MAX_WAITING


def test_a_bad_line_has_an_error_in_its_place() -> None:
    good, bad, other, worse, last = answers(lines(turn(1), b"nope\n", {"id": "x"}, {"prompt": 3}, turn(2)))
    assert (good["id"], last["id"]) == ("s1", "s2")
    assert bad["error"]["code"] == other["error"]["code"] == "not_a_turn"
    assert bad["error"]["detail"] == {"line": 2}
    assert "at least one of prompt" in other["error"]["message"]
    assert worse["error"]["detail"] == {"line": 4, "field": "prompt"}
    assert last["since_previous"]["turn"] == "s1"


def test_a_turn_that_no_wire_can_read_has_an_error() -> None:
    (answer,) = answers(lines({"request": {"odd": 1}}))
    assert answer["error"]["code"] == "unreadable"


@pytest.mark.parametrize("indent", [None, 2])
def test_one_object_or_a_list_over_many_lines_is_read(indent: Any) -> None:
    one = json.dumps(turn(1), indent=indent).encode().splitlines(keepends=True)
    assert [answer["id"] for answer in answers(one)] == ["s1"]
    many = json.dumps([turn(1), 3, turn(2)], indent=indent).encode().splitlines(keepends=True)
    assert [answer.get("id") for answer in answers(many)] == ["s1", None, "s2"]


def test_blank_lines_and_a_byte_order_mark_are_skipped() -> None:
    data = [b"\n", b"\xef\xbb\xbf" + lines(turn(1))[0], b"  \n", *lines(turn(2))]
    assert [number for number, _ in turns_in(data)] == [2, 4]
    assert [answer["id"] for answer in answers(data)] == ["s1", "s2"]


def test_an_empty_file_has_no_answers() -> None:
    assert list(answers([])) == []


def test_a_bad_first_line_does_not_hide_the_others() -> None:
    assert [answer.get("id") for answer in answers(lines(b"{broken\n", turn(1)))] == [None, "s1"]


def test_changes_between_two_turns() -> None:
    answer = changes_between(*(json.dumps(turn(number)).encode() for number in (1, 2)))
    assert answer["summary"]["changed"] == 1
    assert answer["prefix"]["break"]["section"] == "news"
    with pytest.raises(NotATurn):
        changes_between(b"{}", b"{}")
