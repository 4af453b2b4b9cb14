"""Readings and changes in the words of the HTTP API."""

import json
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given, settings

from inspector.turns.answer import changes_answer, latency_ms, reading_answer, time_answer, turn_answer
from inspector.turns.changes.change import (
    Changes,
    ContractChange,
    Hunk,
    Line,
    SectionChange,
    Stretch,
)
from inspector.turns.turn import (
    Break,
    Call,
    Contract,
    ErrorInfo,
    Offer,
    Prefix,
    Reading,
    Response,
    SectionCounts,
    Source,
    Turn,
    Usage,
)
from tests.turns.readings import READING

EMPTY = Reading("generic", None, 0, 0, 0, 0, (), (), Contract(), None, ())
PREFIX = Prefix(3, 12, 10, 0.3, Break("a", 0, 2, 5, "09:00", "09:01", "clock"), 7)
START = datetime(2026, 3, 1, 12, tzinfo=UTC)


@given(READING)
@settings(max_examples=100, deadline=None)
def test_every_reading_answers_in_strict_json(reading: Any) -> None:
    json.dumps(turn_answer(Turn(), reading), allow_nan=False).encode("ascii")


def test_a_turn_answers_with_the_fields_of_the_api() -> None:
    answer = turn_answer(Turn(id="t1", usage=Usage(5, 2), error=ErrorInfo("overloaded", "busy")), EMPTY)
    assert set(answer) >= {
        *(
            "id",
            "session",
            "agent",
            "parent",
            "model",
            "provider",
            "wire",
            "dialect",
            "started_at",
            "ended_at",
        ),
        *(
            "latency_ms",
            "usage",
            "finish_reason",
            "error",
            "tags",
            "metadata",
            "prompt",
            "sections",
            "contract",
        ),
        *("response", "findings", "since_previous"),
    }
    assert answer["usage"] == {"input_tokens": 5, "output_tokens": 2}
    assert answer["error"] == {"type": "overloaded", "message": "busy"}


def test_fields_without_a_meaning_are_shown() -> None:
    assert turn_answer(Turn(extra={"region": "north"}), EMPTY)["extra"] == {"region": "north"}


def test_nan_in_mended_arguments_is_text() -> None:
    call = Call(0, None, "go", {}, {"x": [float("nan"), float("-inf"), 1]}, "", "repaired", "ok", 0, 1)
    answer = reading_answer(replace(EMPTY, response=Response("tagged", True, "", 0, calls=(call,))))
    assert answer["response"]["calls"][0]["arguments"] == {"x": ["NaN", "-Infinity", 1]}


def test_an_offer_leaves_out_what_is_not_known() -> None:
    action = Offer("go", None, None, Source(0, 3, 9), "actions")
    output = Offer("text", None, {"type": "string"}, "tools", None, required=True)
    answer = reading_answer(replace(EMPTY, contract=Contract((action,), (output,))))["contract"]
    assert "required" not in answer["actions"][0]
    assert answer["actions"][0]["source"] == {"message": 0, "start": 3, "end": 9}
    assert answer["outputs"][0]["required"] is True
    assert answer["outputs"][0]["source"] == "tools"


@pytest.mark.parametrize(
    ("end", "latency"),
    [(START.replace(microsecond=250_000), 250), (START.replace(hour=11), None), (None, None)],
)
def test_latency_is_given_where_the_times_make_sense(end: Any, latency: Any) -> None:
    assert latency_ms(Turn(started_at=START, ended_at=end)) == latency


def test_times_are_iso_in_utc() -> None:
    assert time_answer(START) == "2026-03-01T12:00:00.000Z"


def test_changes_answer_names_the_break_and_the_words() -> None:
    old = Stretch("a", "a", 0, 0, 9, 1, 1, 3, "d1")
    line = Line("+", "at 09:01", ((3, 8),), None, 2)
    change = SectionChange("a", "other", "a", 0, "changed", old, old, hunks=(Hunk(2, 2, (line,)),))
    contract = ContractChange("go.to", "argument-required", False, True, True)
    changes = Changes(SectionCounts(changed=1), 4, PREFIX, (change,), (contract,), False)
    answer = json.loads(json.dumps(changes_answer(changes), allow_nan=False))
    assert set(answer) == {"summary", "prefix", "sections", "contract", "coarse"}
    assert answer["summary"] == {"added": 0, "removed": 0, "changed": 1, "moved": 0, "same": 0, "tokens": 4}
    assert answer["prefix"]["break"]["cause"] == "clock"
    assert answer["sections"][0]["hunks"][0]["lines"][0]["words"] == [[3, 8]]
    assert answer["contract"][0]["breaking"] is True
