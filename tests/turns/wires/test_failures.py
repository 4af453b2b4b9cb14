"""Errors of any provider."""

from typing import Any

import pytest

from inspector.turns.turn import ErrorInfo
from inspector.turns.wires.failures import error_of, failure_in


@pytest.mark.parametrize(
    ("given", "error"),
    [
        (None, None),
        ("", None),
        ({}, None),
        ("timeout", ErrorInfo(None, "timeout")),
        ({"type": "overloaded", "message": "busy"}, ErrorInfo("overloaded", "busy")),
        ({"error": {"message": "no", "code": 404, "status": "NOT_FOUND"}}, ErrorInfo("404", "no")),
        ({"type": "error", "error": {"type": "api_error", "message": "no"}}, ErrorInfo("api_error", "no")),
        ([{"error": {"message": "no"}}], ErrorInfo(None, "no")),
        ({"error": "no"}, ErrorInfo(None, "no")),
        ({"code": 7}, ErrorInfo("7", '{"code":7}')),
        (7, ErrorInfo(None, "7")),
    ],
)
def test_error(given: Any, error: Any) -> None:
    assert error_of(given) == error


@pytest.mark.parametrize(
    "body", [{"error": {"message": "no"}}, {"message": "no"}, {"detail": "no"}, [{"error": "no"}]]
)
def test_a_body_that_is_nothing_but_an_error(body: Any) -> None:
    found = failure_in(body)
    assert found is not None
    assert "no" in found.message


@pytest.mark.parametrize(
    "body",
    [
        {"error": None, "output": [1]},
        {"error": "x", "content": "y"},
        {"role": "assistant"},
        {},
        [],
        "error",
        None,
    ],
)
def test_a_body_that_is_more_than_an_error(body: Any) -> None:
    assert failure_in(body) is None
