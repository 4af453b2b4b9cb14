"""The rule of each field of a posted turn."""

from typing import Any

import pytest

from inspector.turns.errors import NotATurn
from inspector.turns.fields import FIELDS, RULES, check, check_addition


def test_every_field_has_a_rule_but_metadata() -> None:
    assert FIELDS - set(RULES) == {"metadata"}


@pytest.mark.parametrize(
    "payload",
    [
        {"prompt": "p"},
        {"prompt": ""},
        {"messages": [{"role": "user", "content": "x"}]},
        {"messages": [{"role": "user", "content": [{"type": "text", "text": "x"}]}]},
        {"messages": [{"type": "function_call_output", "call_id": "c", "output": "x"}]},
        {"messages": [{"role": "tool", "content": {"a": 1}}, "bare"]},
        {"messages": None, "response": "r"},
        {"request": {"model": "m"}},
        {"response": ""},
        {"response": [{"type": "message_start"}]},
        {"response": {"error": {"message": "x"}}},
        dict.fromkeys(FIELDS) | {"prompt": "p"},
        {"prompt": "p", "unknown": object()},
        {"prompt": "p", "timestamp": {"odd": 1}},
        {"prompt": "p", "id": "a.b_c:d~e-" + "f" * 118},
        {"prompt": "p", "session": "\x00 any \ud83d text ☃".ljust(256, "x")},
        {"prompt": "p", "tags": {"a": "b"}, "metadata": [1]},
        {"prompt": "p", "started_at": "0001-01-01T00:00:00Z", "ended_at": 10**30},
        {"prompt": "p", "results": [{"call": 0, "value": None}, {"call": "c1", "error": "x", "name": "go"}]},
        {"prompt": "p", "error": {"type": "t", "message": "m"}, "finish_reason": "stop"},
        {"prompt": "p", "tools": {"function_declarations": []}},
    ],
)
def test_accepted(payload: Any) -> None:
    check(payload)


@pytest.mark.parametrize(
    ("payload", "field", "says"),
    [
        ({}, None, "at least one of prompt, messages, request or response"),
        ({"messages": []}, None, "at least one of"),
        ({"messages": None, "response": None, "raw_response": "x"}, None, "at least one of"),
        ({"prompt": 3}, "prompt", "must be a string, not a number"),
        ({"prompt": [{"role": "user"}]}, "prompt", "Send a list of messages as 'messages'"),
        ({"messages": "x"}, "messages", "must be a list of messages, not a string"),
        ({"messages": [3]}, "messages[0]", "must be an object"),
        ({"messages": [{"role": 1}]}, "messages[0].role", "must be a string"),
        ({"messages": [{"content": 1}]}, "messages[0].content", "must be a string or a list"),
        ({"request": "{}"}, "request", "must be the provider's request body"),
        ({"response": 3}, "response", "not a number"),
        ({"response": True}, "response", "not true or false"),
        ({"prompt": "p", "id": ""}, "id", "1 to 128"),
        ({"prompt": "p", "id": "a" * 129}, "id", "it has 129"),
        ({"prompt": "p", "id": "a/b"}, "id", "letters, digits"),
        ({"prompt": "p", "id": "a\n"}, "id", "letters, digits"),
        ({"prompt": "p", "id": "é"}, "id", "letters, digits"),
        ({"prompt": "p", "id": 7}, "id", "must be a string"),
        ({"prompt": "p", "parent": "a b"}, "parent", "letters, digits"),
        ({"prompt": "p", "session": "s" * 257}, "session", "257 characters; the limit is 256"),
        ({"prompt": "p", "session": ""}, "session", "Leave it out"),
        ({"prompt": "p", "session": 1}, "session", "must be a string"),
        ({"prompt": "p", "agent": ["a"]}, "agent", "must be a string"),
        ({"prompt": "p", "model": "m" * 257}, "model", "the limit is 256"),
        ({"prompt": "p", "usage": 5}, "usage", "must be an object"),
        ({"prompt": "p", "started_at": {}}, "started_at", "ISO 8601"),
        ({"prompt": "p", "started_at": True}, "started_at", "ISO 8601"),
        ({"prompt": "p", "tags": {"a": 1}}, "tags.a", "must be a string"),
        ({"prompt": "p", "tags": ["a"]}, "tags", "object of strings"),
        ({"prompt": "p", "results": {}}, "results", "must be a list"),
        ({"prompt": "p", "results": [{"value": 1}]}, "results[0].call", "index of the call"),
        ({"prompt": "p", "results": [{"call": -1, "value": 1}]}, "results[0].call", "index of the call"),
        ({"prompt": "p", "results": [{"call": True, "value": 1}]}, "results[0].call", "index of the call"),
        ({"prompt": "p", "results": [{"call": 0}]}, "results", "needs 'value' or 'error'"),
        ({"prompt": "p", "error": 500}, "error", "{type, message}"),
        ({"prompt": "p", "tools": "x"}, "tools", "tool declarations"),
    ],
)
def test_refused(payload: Any, field: Any, says: str) -> None:
    with pytest.raises(NotATurn) as caught:
        check(payload)
    assert caught.value.field == field
    assert says in str(caught.value)


@pytest.mark.parametrize(
    ("part", "payload"),
    [
        ("response", {"response": "x", "usage": {"input_tokens": 1}}),
        ("response", {"error": "timeout"}),
        ("results", {"results": []}),
    ],
)
def test_accepted_later_part(part: Any, payload: Any) -> None:
    check_addition(part, payload)


@pytest.mark.parametrize(
    ("part", "payload"),
    [
        ("response", {}),
        ("response", {"response": 5}),
        ("response", {"response": "x", "usage": []}),
        ("results", {}),
        ("results", {"results": [{"call": 0}]}),
    ],
)
def test_refused_later_part(part: Any, payload: Any) -> None:
    with pytest.raises(NotATurn):
        check_addition(part, payload)
