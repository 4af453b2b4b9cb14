"""Which call a result belongs to."""

from dataclasses import replace
from typing import Any

import pytest

from inspector.turns.results import ResultLink, link, posted, with_results
from inspector.turns.turn import (
    Call,
    CallStatus,
    Contract,
    Message,
    PostedResult,
    Reading,
    ReadTurn,
    Response,
    Result,
    Section,
    Turn,
)
from inspector.turns.wires.messages import messages_of

HEAD = "01a22c48"


def call(
    index: int, name: str, status: CallStatus = "ok", id: str | None = None, result: Result | None = None
) -> Call:
    return Call(index, id, name, {}, {}, "{}", "strict", status, 0, 1, result=result)


def section(path: str, start: int, end: int, kind: Any, line: int, depth: int = 0) -> Section:
    return Section(path, kind, path, "tag", depth, 0, start, end, start, end, line, line, 1, "d")


def turn(seq: int, messages: list[Any] | str, *calls: Call, sections: tuple[Section, ...] = ()) -> ReadTurn:
    items = messages_of(messages)[0] if isinstance(messages, list) else (Message("user", messages),)
    response = Response("tagged", True, "", 0, calls=calls) if calls else None
    if not sections and isinstance(messages, str):
        sections = (section("updates", 0, len(messages), "updates", 1),)
    reading = Reading("generic", None, 0, 0, 0, 0, (), sections, Contract(), response, ())
    return ReadTurn(f"t{seq}", seq, Turn(messages=items), reading)


def element(number: int, name: str, body: str = "{}") -> str:
    identity = f"{HEAD}-{number:04}-7000-8000-0"
    return f'<action_result callId="{identity}" name="{name}" timestamp="1">{body}</action_result>'


def prompt(*elements: str) -> str:
    return "<recent-action-results>\n" + "\n".join(elements) + "\n</recent-action-results>"


def found(links: tuple[ResultLink, ...]) -> list[tuple[str, int, Any]]:
    return sorted((link.turn_id, link.call_index, link.result.value) for link in links)


# ---------------------------------------------------------------- by id


def test_a_tool_message_answers_the_call_with_its_id() -> None:
    first = turn(1, "go", call(0, "read", id="c1"), call(1, "write", id="c2"))
    later = turn(
        2,
        [
            {"role": "user", "content": "go\nnow"},
            {
                "role": "assistant",
                "tool_calls": [{"id": "c1", "function": {"name": "read", "arguments": "{}"}}],
            },
            {"role": "tool", "tool_call_id": "c2", "content": '{"ok": true}'},
            {"role": "tool", "tool_call_id": "c1", "content": "text of the file"},
        ],
    )
    links = link([first], later)
    assert found(links) == [("t1", 0, "text of the file"), ("t1", 1, {"ok": True})]
    result = links[0].result
    assert (result.turn, result.seq, result.line) == ("t2", 2, 5)


def test_ids_that_an_agent_gave_to_calls_without_ids_hinder_nothing() -> None:
    first = turn(1, "go", call(0, "read"), call(1, "write"))
    blocks = [
        {"functionResponse": {"id": "mine-1", "name": "write", "response": {"ok": True}}},
        {"functionResponse": {"id": "mine-2", "name": "read", "response": {"text": "hm"}}},
    ]
    later = turn(2, [{"role": "user", "content": blocks}])
    assert found(link([first], later)) == [("t1", 0, {"text": "hm"}), ("t1", 1, {"ok": True})]
    again = turn(3, [{"role": "user", "content": blocks}])
    assert link([later, turn(2, [{"role": "user", "content": blocks}], call(0, "read"))], again) == ()


def test_results_of_copilots_log_name_their_calls() -> None:
    first = turn(1, "go", call(0, "edit", id="use_0"), call(1, "edit", id="use_1"))
    messages = [{"role": "tool", "content": f"🛠️ use_{number}\ndone {number}"} for number in (1, 0)]
    assert found(link([first], turn(2, messages))) == [("t1", 0, "done 0"), ("t1", 1, "done 1")]


def test_result_blocks_of_one_user_message_answer_several_calls() -> None:
    first = turn(1, "go", call(0, "read", id="a"), call(1, "read", id="b"))
    blocks = [
        {
            "type": "tool_result",
            "tool_use_id": "b",
            "content": [{"type": "text", "text": "bad"}],
            "is_error": True,
        },
        {"type": "tool_result", "tool_use_id": "a", "content": "good"},
    ]
    links = link([first], turn(2, [{"role": "user", "content": blocks}]))
    assert found(links) == [("t1", 0, "good"), ("t1", 1, None)]
    assert links[1].result.error == "bad"


def test_a_marked_error_of_a_tool_message_is_an_error() -> None:
    first = turn(1, "go", call(0, "read", id="a"))
    message = {"role": "tool", "tool_call_id": "a", "content": "no such file", "is_error": True}
    (only,) = link([first], turn(2, [message]))
    assert (only.result.value, only.result.error) == (None, "no such file")


def test_a_call_that_a_prompt_before_answered_is_not_answered_again() -> None:
    answered = call(0, "read", id="a", result=Result("t2", 2, None, 1, "x", None))
    message = {"role": "tool", "tool_call_id": "a", "content": "x"}
    assert link([turn(1, "go", answered), turn(2, [message])], turn(3, [message])) == ()


def test_a_turn_that_came_late_takes_its_result_back_from_the_turn_after() -> None:
    answered = call(0, "read", id="a", result=Result("t3", 3, None, 1, "x", None))
    message = {"role": "tool", "tool_call_id": "a", "content": "x"}
    (only,) = link([turn(1, "go", answered)], turn(2, [message]))
    assert only.result.seq == 2


def test_an_id_that_is_used_again_belongs_to_the_latest_call() -> None:
    one = {"role": "tool", "tool_call_id": "call_1", "content": "one"}
    two = {"role": "tool", "tool_call_id": "call_1", "content": "two"}
    first = turn(1, "go", call(0, "read", id="call_1", result=Result("t2", 2, None, 1, "one", None)))
    second = turn(2, [one], call(0, "read", id="call_1"))
    assert found(link([first, second], turn(3, [one, two]))) == [("t2", 0, "two")]
    assert found(link([first, second], turn(3, [one]))) == []


def test_results_without_ids_follow_the_order_of_calls_of_that_name() -> None:
    first = turn(1, "go", call(0, "find"), call(1, "find"), call(2, "open"))
    parts = [
        {"functionResponse": {"name": "find", "response": {"n": 1}}},
        {"functionResponse": {"name": "open", "response": {"n": 2}}},
        {"functionResponse": {"name": "find", "response": {"n": 3}}},
    ]
    links = link([first], turn(2, [{"role": "user", "parts": parts}]))
    assert found(links) == [("t1", 0, {"n": 1}), ("t1", 1, {"n": 3}), ("t1", 2, {"n": 2})]


# ---------------------------------------------------------------- by name and order


def test_elements_are_matched_in_the_order_of_their_ids_not_of_their_completion() -> None:
    first = turn(1, prompt(), call(0, "weather"), call(1, "weather"), call(2, "note"))
    later = turn(
        2, prompt(element(3, "note", '"n"'), element(2, "weather", '"b"'), element(1, "weather", '"a"'))
    )
    assert found(link([first], later)) == [("t1", 0, "a"), ("t1", 1, "b"), ("t1", 2, "n")]


def test_elements_that_the_prompt_before_showed_are_old() -> None:
    old = element(1, "weather", '"old"')
    first = turn(1, prompt(old), call(0, "weather"))
    assert found(link([first], turn(2, prompt(old, element(2, "weather", '"new"'))))) == [("t1", 0, "new")]


def test_a_call_without_a_result_stays_open_until_a_later_prompt() -> None:
    first = turn(1, prompt(), call(0, "slow"), call(1, "fast"))
    second = turn(2, prompt(element(2, "fast", '"f"')))
    assert found(link([first], second)) == [("t1", 1, "f")]
    third = turn(3, prompt(element(2, "fast", '"f"'), element(1, "slow", '"s"')))
    assert found(link([first, second], third)) == [("t1", 0, "s")]


def test_a_call_that_could_not_be_read_has_no_result() -> None:
    first = turn(1, prompt(), call(0, "attack", "unparsed"))
    second = turn(2, prompt(), call(0, "attack", "unparsed"), call(1, "attack"))
    assert found(link([first, second], turn(3, prompt(element(5, "attack", "7"))))) == [("t2", 1, 7)]


def test_of_more_calls_than_are_shown_the_last_ones_have_results() -> None:
    first = turn(1, prompt(), *(call(index, "step") for index in range(5)))
    later = turn(2, prompt(element(3, "step", "3"), element(4, "step", "4"), element(5, "step", "5")))
    assert found(link([first], later)) == [("t1", 2, 3), ("t1", 3, 4), ("t1", 4, 5)]


def test_an_error_element_is_an_error_with_its_place() -> None:
    first = turn(1, prompt(), call(0, "attack"))
    later = turn(2, prompt(element(1, "attack", '{"error":{"name":"Error","message":"no mana"}}')))
    (only,) = link([first], later)
    assert only.result.error == {"name": "Error", "message": "no mana"}
    assert (only.result.value, only.result.section, only.result.line) == (None, "updates", 2)


def test_an_element_in_an_example_is_no_result() -> None:
    text = prompt(element(1, "attack", "1"))
    parts = (section("all", 0, len(text), "other", 1), section("all/example", 0, len(text), "format", 1, 1))
    assert link([turn(1, prompt(), call(0, "attack"))], turn(2, text, sections=parts)) == ()


def test_an_element_that_never_closes_is_no_result() -> None:
    text = prompt('<action_result callId="x" name="attack">{', element(2, "other", "1"))
    assert link([turn(1, prompt(), call(0, "attack"))], turn(2, text)) == ()


def test_hostile_elements_do_not_raise() -> None:
    text = (
        "<action_result " * 50_000 + '<action_result callId="1" name="go">' * 20_000 + "</action_result>" * 10
    )
    links = link([turn(1, prompt(), call(0, "go"))], turn(2, text))
    assert len(links) == 1


def test_no_calls_means_no_links() -> None:
    assert link([turn(1, "p")], turn(2, prompt(element(1, "go")))) == ()


# ---------------------------------------------------------------- in the text


def react(seq: int, messages: list[Any] | str, *calls: Call) -> ReadTurn:
    made = turn(seq, messages, *calls)
    assert made.reading.response is not None
    return replace(
        made, reading=replace(made.reading, response=replace(made.reading.response, syntax="react"))
    )


def test_an_observation_after_the_calls_own_arguments_is_its_result() -> None:
    rules = "Write:\nAction: name\nAction Input: {}\nObservation: the result of the action\n"
    first = react(1, rules, replace(call(0, "look"), raw='{"at": 1}'))
    said = 'Action: look\nAction Input: {"at": 1}\nObservation: 4 gulls\nThought: good'
    later = turn(2, [{"role": "user", "content": rules}, {"role": "assistant", "content": said}])
    (only,) = link([first], later)
    assert (only.result.value, only.result.line) == ("4 gulls", 8)


def test_a_last_message_that_is_an_observation_is_the_result() -> None:
    first = react(1, "go", replace(call(0, "look"), raw='{"at": 1}'))
    later = turn(
        2, [{"role": "assistant", "content": "look {'at': 1}"}, {"role": "user", "content": "Observation: 6"}]
    )
    assert found(link([first], later)) == [("t1", 0, 6)]


def test_an_observation_in_the_rules_is_no_result() -> None:
    rules = "Write:\nAction Input: {}\nObservation: the result of the action\n"
    assert link([react(1, rules, replace(call(0, "look"), raw='{"at": 1}'))], turn(2, rules)) == ()


def written(seq: int, answer: str, *calls: Call) -> ReadTurn:
    made = turn(seq, "go", *calls)
    response = Response("markers", True, answer, 0, calls=calls)
    return replace(made, reading=replace(made.reading, response=response))


@pytest.mark.parametrize("added", ["", "</run>", "\n```"])
def test_the_message_after_an_answer_is_the_result_of_the_call_in_its_text(added: str) -> None:
    first = written(1, "I look.\n\n<run>\nls\n", call(0, "run"))
    messages = [
        {"role": "user", "content": "go"},
        {"role": "assistant", "content": f"I look.\n<run>\nls\n{added}"},
        {"role": "user", "content": "a.txt\nb.txt"},
    ]
    (only,) = link([first], turn(2, messages))
    assert (only.call_index, only.result.value, only.result.line) == (
        0,
        "a.txt\nb.txt",
        6 + added.count("\n"),
    )


@pytest.mark.parametrize(
    ("said", "role"), [("I look again.", "user"), ("I look. " + "x" * 99, "user"), ("I look.", "assistant")]
)
def test_no_other_message_is(said: str, role: str) -> None:
    messages = [{"role": "assistant", "content": said}, {"role": role, "content": "a.txt"}]
    assert link([written(1, "I look.", call(0, "run"))], turn(2, messages)) == ()


def test_a_message_after_calls_with_ids_is_no_result() -> None:
    messages = [{"role": "assistant", "content": "I look."}, {"role": "user", "content": "thanks"}]
    assert link([written(1, "I look.", call(0, "run", id="c1"))], turn(2, messages)) == ()


def test_a_returned_command_is_the_result_of_the_call_of_that_name() -> None:
    first = turn(1, "go", call(0, "write_to_file"))
    message = {"role": "system", "content": "Command write_to_file returned: File written."}
    assert found(link([first], turn(2, [message]))) == [("t1", 0, "File written.")]


# ---------------------------------------------------------------- posted


def test_posted_results_are_matched_by_index_id_and_name() -> None:
    response = Response("tools", True, "", 0, calls=(call(0, "a"), call(1, "b", id="c2"), call(2, "d")))
    results = (
        PostedResult(0, value=1),
        PostedResult("c2", error="e"),
        PostedResult("unknown", "d", value=3),
        PostedResult(9, value=4),
    )
    links = posted(Turn(id="t", results=results), response)
    assert [(link.call_index, link.result.value, link.result.error) for link in links] == [
        (0, 1, None),
        (1, None, "e"),
        (2, 3, None),
    ]
    assert links[0].result.turn is None
    assert posted(Turn(results=results), None) == ()


def test_a_result_that_a_prompt_shows_counts_before_a_posted_one() -> None:
    reading = turn(1, "p", call(0, "a"), call(1, "b")).reading
    shown, told = Result("t2", 2, "s", 3, "shown", None), Result(None, None, None, None, "told", None)
    for links in ([(0, shown), (0, told)], [(0, told), (0, shown)]):
        read = with_results(reading, links).response
        assert read is not None
        assert [call.result for call in read.calls] == [shown, None]
    assert with_results(reading, []) is reading
