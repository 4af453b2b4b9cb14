"""Schemas made to cost more than they look, through a whole reading: it ends, and says what it knows."""

import json
import socket
from pathlib import Path
from typing import Any

import pytest

from inspector.turns import Turn, read_turn
from inspector.turns.checking import faults_of
from inspector.turns.effort import Effort
from inspector.turns.turn import Message, NativeCall, Response, ResponseBody, Tool
from tests.turns.bombs import BOMBS

STATUSES = {
    "allOf in allOf, 90 deep": "invalid",
    "not in not": "invalid",
    "wide anyOf": "invalid",
    "wide oneOf": "invalid",
    "wide allOf": "invalid",
    "large enum": "invalid",
    "pattern (a+)+$": "invalid",
    "unique items": "ok",
    "pattern with a large repeat": "ok",
}
"""All others are too much to check, or no schema."""


def read(schema: Any, *values: Any) -> Response:
    """The response of a turn that offers a tool with a schema and asks for it with some values."""
    calls = tuple(NativeCall(None, "t", json.dumps(value)) for value in values)
    turn = Turn(messages=(Message("user", "go"),), tools=(Tool("t", None, schema),))
    reading = read_turn(
        Turn(messages=turn.messages, tools=turn.tools, response=ResponseBody("", calls=calls))
    )
    assert "reading-failed" not in {finding.rule for finding in reading.findings}
    assert reading.response is not None
    return reading.response


@pytest.mark.parametrize("name", BOMBS)
def test_bomb_is_checked_or_said_to_be_unchecked(name: str) -> None:
    schema, value = BOMBS[name]()
    (call,) = read(schema, value).calls
    assert call.status == STATUSES.get(name, "unchecked")


def test_printed_schemas_are_no_more_dangerous_than_native_ones() -> None:
    schema, value = BOMBS["references that double by pointer"]()
    offer = f'<action name="t">\n<schema>{json.dumps(schema)}</schema>\n</action>'
    text = f"<available-actions>\n{offer}\n</available-actions>"
    answer = f'<response><action_call name="t">{json.dumps(value)}</action_call></response>'
    turn = Turn(messages=(Message("user", text),), response=ResponseBody(answer), dialect="daydreams")
    found = read_turn(turn).response
    assert found is not None
    assert [call.status for call in found.calls] == ["unchecked"]


def test_many_calls_share_what_checking_may_cost() -> None:
    schema, value = BOMBS["wide anyOf"]()
    statuses = [call.status for call in read(schema, *[value] * 200).calls]
    assert statuses[0] == "invalid"
    assert statuses[-1] == "unchecked"


def test_fault_that_would_take_long_to_tell_is_told_in_short() -> None:
    schema = {"anyOf": [{"required": [name]} for name in "abcdefgh"]}
    (fault,) = faults_of(schema, {"z": 1}, effort=Effort(micros=0)) or ()
    assert (fault.kind, fault.path) == ("does-not-fit", "")
    assert faults_of(schema, {"a": 1}, effort=Effort(micros=0)) == ()


@pytest.mark.parametrize(
    "schema",
    [
        {"$ref": "{url}"},
        {"properties": {"a": {"$ref": "{url}#/x"}}},
        {"$id": "{url}", "$ref": "other.json"},
        {"$schema": "{url}"},
        {"$dynamicRef": "{url}"},
        {"allOf": [{"$id": "{url}/a", "$ref": "b"}]},
        {"$ref": "{file}"},
    ],
)
def test_nothing_is_fetched(schema: Any, tmp_path: Path) -> None:
    forbidding = tmp_path / "schema.json"
    forbidding.write_text('{"not": {}}')
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(0.05)
        url = f"http://127.0.0.1:{server.getsockname()[1]}/schema.json"
        text = json.dumps(schema).replace("{url}", url).replace("{file}", forbidding.as_uri())
        (call,) = read(json.loads(text), {"a": 1}).calls
        assert call.status in ("unchecked", "ok")
        with pytest.raises(TimeoutError):
            server.accept()
