"""Results in a log in JSON that a prompt shows."""

import json
from typing import Any

import pytest

from inspector.turns.logged import last_logged
from inspector.turns.results import link
from inspector.turns.turn import Call, Contract, Message, Reading, ReadTurn, Response, Turn

READ: dict[str, Any] = {"source": "agent", "action": "read", "args": {"path": "a.txt", "start": 0}}
CAME: dict[str, Any] = {"source": "agent", "observation": "read", "content": "gulls", "extras": {}}
ASKED: dict[str, Any] = {"source": "agent", "action": "delegate", "args": {"agent": "B"}}
DONE: dict[str, Any] = {"source": "agent", "observation": "delegate", "content": "B is done"}


def prompt(events: list[Any]) -> str:
    return f"## History\nMost recent last.\n\n{json.dumps(events)}\n\n## Format\nAnswer in JSON."


def turn(seq: int, events: list[Any], name: str = "", arguments: Any = None) -> ReadTurn:
    raw = json.dumps(arguments)
    call = Call(0, None, name, {}, arguments, raw, "strict", "ok", 0, 1)
    response = Response("json", True, "", 0, calls=(call,)) if name else None
    reading = Reading("generic", None, 0, 0, 0, 0, (), (), Contract(), response, ())
    return ReadTurn(f"t{seq}", seq, Turn(messages=(Message("user", prompt(events)),)), reading)


def linked(earlier: list[ReadTurn], later: ReadTurn) -> list[tuple[str, Any, Any]]:
    return [(each.turn_id, each.result.value, each.result.error) for each in link(earlier, later)]


@pytest.mark.parametrize("events", [[READ, CAME], [[READ, CAME]], [[ASKED, DONE], [READ, CAME]]])
def test_observation_behind_the_last_action_is_its_result(events: list[Any]) -> None:
    found = last_logged((Message("user", prompt(events)),))
    assert found is not None
    assert json.loads(prompt(events)[found.result.start : found.result.end]) == CAME
    assert linked([turn(1, [], "read", {"path": "a.txt"})], turn(2, events)) == [("t1", "gulls", None)]


@pytest.mark.parametrize(
    ("events", "name", "arguments"),
    [
        ([READ, CAME], "read", {"path": "b.txt"}),
        ([READ, CAME], "write", {"path": "a.txt"}),
        ([READ], "read", {"path": "a.txt"}),
        ([READ, CAME, ASKED], "read", {"path": "a.txt"}),
        ([], "read", {"path": "a.txt"}),
    ],
)
def test_another_action_or_none_is_no_result(events: list[Any], name: str, arguments: Any) -> None:
    assert linked([turn(1, [], name, arguments)], turn(2, events)) == []


def test_error_is_one_and_a_refused_action_is_named_by_it() -> None:
    failed = {"observation": "error", "content": "no such file"}
    assert linked([turn(1, [], "read", {"path": "a.txt"})], turn(2, [READ, failed])) == [
        ("t1", None, "no such file")
    ]
    why = "action={'action': 'reject', 'args': {}} has the wrong arguments"
    refused = [READ, CAME, {"observation": "error", "content": why}]
    assert linked([turn(1, [READ, CAME], "reject", {"reason": "x"})], turn(2, refused)) == [("t1", None, why)]


def test_agent_that_called_in_another_one_gets_its_result_when_that_is_done() -> None:
    asked = turn(1, [], "delegate", {"agent": "B"})
    inner = turn(2, [], "finish", {})
    assert linked([asked, inner], turn(3, [ASKED, DONE])) == [("t1", "B is done", None)]


def test_log_that_has_not_changed_answers_no_older_call() -> None:
    old = turn(1, [], "read", {"path": "a.txt"})
    think = turn(2, [READ, CAME], "message", {"content": "hm"})
    assert linked([old, think], turn(3, [READ, CAME])) == []


@pytest.mark.parametrize(
    "text", ["[{", "[{}]", "[[{]]", '[{"observation": 1}]', '[[], {"observation"}]', "[1, 2]"]
)
def test_other_lists_are_no_log(text: str) -> None:
    assert last_logged((Message("user", f'"observation"\n{text}\n'),)) is None


STEPS = """## Progress

### Step 1: Executed `read_file(filename='a.py')`
- **Reasoning:** "I look."
- **Status:** `success`
- **Output:**
    ```
    x = 1
    ```

### Step 2: Executed `write_file(filename='a.py')`
- **Reasoning:** "I write."
- **Status:** `success`
- **Output:** File a.py has been written."""


def told(text: str, seq: int, name: str = "") -> ReadTurn:
    made = turn(seq, [], name, {"filename": "a.py"})
    return ReadTurn(made.id, seq, Turn(messages=(Message("system", text),)), made.reading)


def test_output_of_the_last_step_is_its_result() -> None:
    first = STEPS[: STEPS.index("\n### Step 2")]
    begun = told("## Progress\n", 1, "read_file")
    assert linked([begun], told(first, 2)) == [("t1", "```\nx = 1\n```", None)]
    assert linked([told(first, 1, "write_file")], told(STEPS, 2)) == [
        ("t1", "File a.py has been written.", None)
    ]


def test_failed_step_is_an_error_and_an_unfinished_one_nothing() -> None:
    failed = STEPS.replace("`success`\n- **Output:** File", "`error`\n- **Reason:** File")
    assert linked([told("## Progress\n", 1, "write_file")], told(failed, 2)) == [
        ("t1", None, "File a.py has been written.")
    ]
    unfinished = STEPS[: STEPS.rindex("- **Status")] + "- **Status:** `did_not_finish`\n"
    assert linked([told("## Progress\n", 1, "write_file")], told(unfinished, 2)) == []


def test_steps_that_have_not_changed_answer_no_call() -> None:
    assert linked([told(STEPS, 1, "write_file")], told(STEPS, 2)) == []
