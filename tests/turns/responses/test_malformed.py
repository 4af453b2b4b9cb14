"""Malformed responses from issue trackers with what a reader should make of them, where they are at hand."""

import json
from pathlib import Path
from typing import Any

import pytest

from inspector.turns import read_turn
from inspector.turns.payload import Payload
from inspector.turns.turn import Reading
from inspector.turns.wires import read_payload

CASES = Path(__file__).parents[4] / "shared" / "corpus" / "cases" / "malformed.jsonl"
DIFFERS = {
    8: "entities inside a value stay: whether they are decoded is the framework's business",
    9: "the value goes on to the last closing tag that one may follow, so that there is no doubt left",
    14: "no tag and no native reasoning says that words are reasoning; the cut is told",
    16: "of an object with a text and no call the text is what it says",
    20: "an assignment is no structure that any framework reads: it is text",
    23: "without the prompt there is no schema; the hint on the level comes with one",
    28: "without the prompt there is no schema; the missing argument is told with one",
    30: "without the prompt there is no schema to say that the value is a number",
    43: "without the prompt there is no schema; the echo is told with one",
}
"""Where our reading is another one, and why."""


def cases() -> list[Any]:
    if not CASES.exists():
        return []
    rows = [json.loads(line) for line in CASES.read_text().splitlines()]
    return [pytest.param(index, row, id=f"{index} {row['symptom'][:50]}") for index, row in enumerate(rows)]


@pytest.mark.skipif(not CASES.exists(), reason="the corpus is not at hand")
@pytest.mark.parametrize(("index", "case"), cases())
def test_reading_agrees_or_says_why_not(index: int, case: dict[str, Any]) -> None:
    payload = {"messages": [{"role": "user", "content": "go"}], "response": case["response"]}
    reading = read_turn(read_payload(Payload(payload)))
    assert reading.response is not None
    missed = [what for what, value in case["expected"].items() if not agrees(what, value, reading)]
    assert bool(missed) is (index in DIFFERS), missed


def agrees(what: str, value: Any, reading: Reading) -> bool:
    response = reading.response
    assert response is not None
    made = {(call.name, json.dumps(call.arguments, sort_keys=True)) for call in response.calls}
    said = [output.data if output.data is not None else output.raw for output in response.outputs]
    if what in ("reasoning", "think"):
        return str(value).strip() in [span.text.strip() for span in response.reasoning]
    if what in ("calls", "call"):
        calls = value if isinstance(value, list) else [value]
        wanted = {(c["name"], json.dumps(c.get("arguments", c.get("args")), sort_keys=True)) for c in calls}
        return made == wanted
    if what == "json":
        return value is None or any(same(value, each) for each in [*said, said])
    if what == "actions":
        return bool([call.name for call in response.calls] == value)
    if what in ("tool", "action"):
        return [call.name for call in response.calls] == ([value] if value else [])
    if what in ("params", "input", "likely"):
        return any(same(value, call.arguments) for call in response.calls)
    if what == "code":
        return any(call.arguments == {"code": value} for call in response.calls)
    if what in ("error", "schema_error"):
        return bool(reading.findings) or not (response.calls or response.outputs)
    if what == "finish_reason":
        return not response.complete or not (response.calls or response.outputs)
    return True


def same(value: Any, ours: Any) -> bool:
    """Equal, texts of child tags taken for the values that they write."""
    if isinstance(value, dict) and isinstance(ours, dict):
        return value.keys() == ours.keys() and all(same(value[key], ours[key]) for key in value)
    if isinstance(value, bool) and isinstance(ours, str):
        return ours == json.dumps(value)
    return bool(value == ours)
