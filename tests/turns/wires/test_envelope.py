"""Fields of a turn that stand beside its two sides."""

from typing import Any

import pytest

from inspector.turns.turn import ErrorInfo, PostedResult, Usage
from inspector.turns.wires import read_payload

REQUEST = {
    "model": "m1",
    "messages": [{"role": "user", "content": "Q"}, {"role": "assistant", "content": "<a>"}],
}
RESPONSE = {
    "model": "m1-exact",
    "choices": [{"message": {"content": "A"}, "finish_reason": "stop"}],
    "usage": {"prompt_tokens": 5, "completion_tokens": 1},
}


def test_what_the_agent_says_comes_before_what_the_bodies_say() -> None:
    said = {
        "model": "m2",
        "finish_reason": "length",
        "error": "late",
        "usage": {"input_tokens": 9},
        "prefill": "<b>",
    }
    turn = read_payload({"request": REQUEST, "response": RESPONSE, **said})
    assert (turn.model, turn.finish_reason, turn.prefill) == ("m2", "length", "<b>")
    assert turn.error == ErrorInfo(None, "late")
    assert turn.usage == Usage(9, 1)


def test_what_the_bodies_say_is_taken_otherwise() -> None:
    turn = read_payload({"request": REQUEST, "response": RESPONSE})
    assert (turn.model, turn.finish_reason, turn.prefill) == ("m1-exact", "stop", "<a>")
    assert turn.usage == Usage(5, 1)
    assert [message.role for message in turn.messages] == ["user", "assistant"]


def test_a_models_name_in_a_body_is_no_longer_than_one_that_is_posted() -> None:
    turn = read_payload({"request": REQUEST | {"model": "m" * 9_000}})
    assert turn.model == "m" * 256


def test_without_a_response_the_last_message_is_no_prefill() -> None:
    assert read_payload({"request": REQUEST}).prefill == ""


@pytest.mark.parametrize("wire", [{"request": REQUEST}, {"prompt": "Q"}])
def test_tools_beside_the_request_are_offered(wire: Any) -> None:
    turn = read_payload(
        {**wire, "tools": [{"name": "go", "parameters": {"type": "object"}}, {"odd": 1, "er": 2}]}
    )
    assert [tool.name for tool in turn.tools] == ["go"]
    assert turn.notes == ("1 tool declarations have no name and are left out.",)


def test_a_prompt_beside_a_request_is_noted() -> None:
    (note,) = read_payload({"request": REQUEST, "prompt": "other"}).notes
    assert note == "Both a request and prompt were posted; the request is shown."


def test_unknown_fields_are_kept() -> None:
    turn = read_payload({"prompt": "p", "timestamp": "2026-03-01T12:00:00Z", "turn": 3, "format": "x"})
    assert turn.extra == {"timestamp": "2026-03-01T12:00:00Z", "turn": 3, "format": "x"}
    assert turn.started_at is not None


def test_started_at_comes_before_timestamp() -> None:
    turn = read_payload(
        {"prompt": "p", "timestamp": "2026-03-01T12:00:00Z", "started_at": "2025-01-01T00:00:00Z"}
    )
    assert turn.started_at is not None
    assert turn.started_at.year == 2025


def test_results_are_taken_as_posted() -> None:
    turn = read_payload(
        {"prompt": "p", "results": [{"call": 1, "name": "go", "error": "e"}, {"call": "c", "value": 0}]}
    )
    assert turn.results == (PostedResult(1, "go", None, "e"), PostedResult("c", None, 0, None))
