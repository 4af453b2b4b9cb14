"""Values against schemas: which fault, where, in what words; and that no schema can do harm."""

import json
import socket
from typing import Any

import pytest

from inspector.turns.checking import FAULTS_MAX, faults_of
from inspector.turns.compiled import is_usable

SCHEMA = {
    "type": "object",
    "properties": {
        "city": {"type": "string"},
        "days": {"type": "integer", "minimum": 1},
        "unit": {"enum": ["C", "F"]},
        "spots": {"type": "array", "items": {"type": "object", "required": ["lat"]}},
        "note": {"anyOf": [{"type": "string"}, {"type": "null"}]},
    },
    "required": ["city"],
    "additionalProperties": False,
}


def told(value: Any, schema: Any = SCHEMA) -> list[tuple[str, str, str, str]]:
    found = faults_of(schema, value)
    assert found is not None
    return [(fault.kind, fault.path, fault.expected, fault.got) for fault in found]


@pytest.mark.parametrize(
    ("value", "fault"),
    [
        ({}, ("missing-argument", "city", "text", "nothing")),
        ({"city": 5}, ("wrong-type", "city", "text", "5")),
        ({"city": "x", "days": 0}, ("not-allowed-value", "days", "at least 1", "0")),
        ({"city": "x", "unit": "K"}, ("not-allowed-value", "unit", 'one of "C", "F"', '"K"')),
        ({"city": "x", "sky": 1}, ("unexpected-argument", "sky", "no such argument", "1")),
        ({"city": "x", "spots": [{}]}, ("missing-argument", "spots[0].lat", "a value", "nothing")),
        ({"city": "x", "note": 1}, ("wrong-type", "note", "text or null", "1")),
        ([], ("wrong-type", "", "an object", "[]")),
    ],
)
def test_fault_in_plain_words(value: Any, fault: tuple[str, str, str, str]) -> None:
    assert told(value) == [fault]


def test_what_fits_has_no_faults() -> None:
    assert faults_of(SCHEMA, {"city": "x", "days": 2.0, "note": None}) == ()
    assert faults_of(True, 5) == faults_of({}, 5) == ()


def test_faults_have_their_places_in_the_text() -> None:
    raw = '{"sky": 1, "city": 5,\n "spots": [{}]}'
    found = faults_of(SCHEMA, json.loads(raw), raw)
    assert found is not None
    places = {
        fault.path: raw[fault.offset : fault.offset + fault.length]
        for fault in found
        if fault.offset is not None
    }
    assert places == {"sky": '"sky"', "city": "5", "spots[0].lat": "{}"}


def test_reference_inside_the_schema_is_followed() -> None:
    schema = {"$ref": "#/definitions/Args", "definitions": {"Args": SCHEMA}}
    assert told({}, schema) == [("missing-argument", "city", "text", "nothing")]


def test_types_in_capitals_are_understood() -> None:
    schema = {"type": "OBJECT", "properties": {"a": {"type": "STRING", "nullable": True}}}
    assert told({"a": None}, schema) == []
    assert told({"a": 1}, schema) == [("wrong-type", "a", "text or null", "1")]


@pytest.mark.parametrize(
    "schema",
    [
        {"type": "no-such-type"},
        {"$ref": "#/nowhere"},
        {"$ref": "http://127.0.0.1:9/schema"},
        {"$ref": "file:///etc/passwd"},
        {"pattern": "("},
        {"pattern": "^(a+)+\\1$"},
        [],
        5,
        {"enum": ["x" * 300_000]},
    ],
)
def test_schema_that_cannot_be_used_is_not_used(schema: Any) -> None:
    assert not is_usable(schema)
    assert faults_of(schema, 5) is None


def test_nothing_is_ever_fetched(monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(0.2)
        url = f"http://127.0.0.1:{server.getsockname()[1]}/schema.json"
        assert faults_of({"properties": {"a": {"$ref": url}}}, {"a": 1}) is None
        assert faults_of({"$schema": url, "type": "object"}, {}) in (None, ())
        with pytest.raises(TimeoutError):
            server.accept()


def doubling(last: Any) -> dict[str, Any]:
    """A schema whose full walk visits 2 to the power of 30 places."""
    steps = {f"s{i}": {"allOf": [{"$ref": f"#/$defs/s{i + 1}"}] * 2} for i in range(30)}
    return {"$defs": {**steps, "s30": last}, "$ref": "#/$defs/s0"}


def test_schema_that_multiplies_is_refused() -> None:
    assert faults_of(doubling({"type": "string"}), 5) is None


def test_schema_that_refers_to_itself_is_fine() -> None:
    tree = {"properties": {"left": {"$ref": "#"}, "right": {"$ref": "#"}, "n": {"type": "integer"}}}
    assert told({"left": {"right": {"n": "x"}}}, tree) == [
        ("wrong-type", "left.right.n", "a whole number", '"x"')
    ]


def test_pattern_that_would_backtrack_is_linear() -> None:
    assert told("a" * 50_000 + "!", {"pattern": "^(a+)+$"})[0][0] == "not-allowed-value"


def test_faults_are_bounded() -> None:
    found = faults_of({"items": {"type": "string"}}, [1] * 1_000)
    assert found is not None
    assert len(found) == FAULTS_MAX
    many = faults_of({"items": {"type": "string"}}, [1] * 100_000)
    assert many is not None
    assert len(many) == 1
