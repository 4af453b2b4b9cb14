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
    8: "what an entity means is for the framework to say: the value stays as it is sent, and a finding tells",
    20: "an assignment is no structure that any framework reads: it is text, with no guess at what it means",
}
"""Where our reading is another one, and why."""


def tool(name: str, properties: dict[str, Any], *required: str) -> dict[str, Any]:
    parameters = {"type": "object", "properties": properties, "required": list(required)}
    return {"type": "function", "function": {"name": name, "parameters": parameters}}


FLAT = {"dateRange": {"type": "string"}, "level": {"type": "string"}}
GIVEN: dict[int, dict[str, Any]] = {
    14: {"prefill": "<think>", "finish_reason": "length"},
    23: {"tools": [tool("logs", {"query": {"type": "object", "properties": FLAT}}, "query")]},
    28: {"tools": [tool("write", {"path": {}, "content": {"type": "string"}}, "path", "content")]},
    30: {"tools": [tool("set_temp", {"value": {"type": "integer"}}, "value")]},
    43: {"tools": [tool("Name of my tool", {"argument": {"type": "string"}}, "argument")]},
}
"""What the reports say of the prompt, where the expectation rests on it."""
NATIVE = {23: "logs"}
"""Responses that are the arguments of a native call of this name."""
TELLS = {
    8: {"escaped-value"},
    9: {"malformed-tag"},
    14: {"truncated-response"},
    16: {"duplicate-response"},
    23: {"missing-argument"},
    28: {"missing-argument"},
    43: {"schema-echoed", "wrong-type"},
}
"""Rules that tell what is wrong, where the expectation says that something is."""


def cases() -> list[Any]:
    if not CASES.exists():
        return []
    rows = [json.loads(line) for line in CASES.read_text().splitlines()]
    return [pytest.param(index, row, id=f"{index} {row['symptom'][:50]}") for index, row in enumerate(rows)]


@pytest.mark.skipif(not CASES.exists(), reason="the corpus is not at hand")
@pytest.mark.parametrize(("index", "case"), cases())
def test_reading_agrees_or_says_why_not(index: int, case: dict[str, Any]) -> None:
    reading = read_turn(read_payload(Payload(posted(index, case["response"]))))
    assert reading.response is not None
    missed = [what for what, value in case["expected"].items() if not agrees(what, value, reading)]
    assert bool(missed) is (index in DIFFERS), missed
    assert TELLS.get(index, set()) <= {finding.rule for finding in reading.findings}


def posted(index: int, response: Any) -> dict[str, Any]:
    if index in NATIVE:
        call = {"id": "1", "function": {"name": NATIVE[index], "arguments": response}}
        response = {"role": "assistant", "tool_calls": [call]}
    return {"messages": [{"role": "user", "content": "go"}], "response": response, **GIVEN.get(index, {})}


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
