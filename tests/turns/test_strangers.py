"""What is no turn but is recognised."""

from typing import Any

import pytest

from inspector.turns.errors import NotATurn
from inspector.turns.fields import check
from inspector.turns.strangers import recognised


@pytest.mark.parametrize(
    ("payload", "says"),
    [
        ({"schema_version": "1", "agent": {"name": "gull"}, "steps": []}, "whole trajectory"),
        ({"resourceSpans": []}, "OpenTelemetry"),
        ({"trace": {"id": "t"}, "observations": []}, "a trace with its observations"),
        ({"batch": [{"type": "trace-create"}]}, "a batch of trace events"),
        ({"kind": "log", "log": {"ref": "thought"}}, "an entry of a log"),
        ({"id": "r", "choices": []}, "response alone"),
        ({"type": "message", "content": []}, "response alone"),
        ({"candidates": []}, "response alone"),
        ({"object": "response", "output": []}, "response alone"),
        ({"contents": []}, "request body alone"),
        ({"model": "m", "input": "Hi"}, "request body alone"),
    ],
)
def test_refused_with_what_it_is_and_what_to_do(payload: dict[str, Any], says: str) -> None:
    with pytest.raises(NotATurn) as caught:
        check(payload)
    assert says in str(caught.value)
    assert "as 'response'" in str(caught.value)


@pytest.mark.parametrize(
    "payload", [{}, {"x": 1}, {"output": "text"}, {"input": "text"}, {"log": "text"}, {"type": "message"}]
)
def test_other_things_are_not_recognised(payload: dict[str, Any]) -> None:
    assert recognised(payload) == ""


def test_turn_with_content_may_have_such_fields_of_its_own() -> None:
    check({"prompt": "Hi", "steps": [], "schema_version": "1", "observations": [], "batch": [], "log": {}})
