"""Posted bytes: what is refused and why, what is kept, what is noted."""

import json
import time
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from inspector.turns.errors import NotATurn
from inspector.turns.payload import MAX_DEPTH, MAX_DIGITS, merge, parse, parse_value
from tests.turns.readings import JSON

KEYS = st.text(max_size=8)


@given(st.dictionaries(KEYS, JSON, max_size=5))
@settings(max_examples=200, deadline=None)
def test_any_json_object_comes_back_as_it_was_sent(payload: Any) -> None:
    assert parse(json.dumps(payload).encode()) == payload


@given(st.binary(max_size=60) | st.text(max_size=60).map(lambda text: text.encode("utf-8", "surrogatepass")))
@settings(max_examples=300, deadline=None)
def test_any_bytes_are_an_object_or_refused(data: Any) -> None:
    try:
        payload = parse(data)
    except NotATurn:
        return
    assert json.loads(data.removeprefix(b"\xef\xbb\xbf")) == payload


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (b"", "Not JSON: Expecting value at byte 0"),
        (b"hello", "Not JSON: Expecting value at byte 0"),
        ('{"é": tru}'.encode(), "at byte 7 (line 1, column 7)"),
        (b'{"a": 1} x', "Extra data at byte 9"),
        (b'{"a": "line\nend"}', "Invalid control character"),
        (b'{"a": "x\x00y"}', "Invalid control character"),
        (b"[1]", "must be one JSON object, not a list. Post a list of turns to /turns/batch"),
        (b'"text"', "not a string"),
        (b"null", "not null"),
        (b"3", "not a number"),
        (b"true", "not true or false"),
        (b'{"a": "\xff"}', "not UTF-8: invalid start byte at byte 7"),
        (b'\xef\xbb\xbf{"a": "\xff"}', "at byte 10"),
        (b'{"a": "\xc0\x80"}', "at byte 7"),
        (b'{"a": "\xed\xa0\x80"}', "at byte 7"),
        (b'{"a": "\xe2\x82', "at byte 7"),
        ('{"a": 1}'.encode("utf-16"), "UTF-16"),
        ('{"a": 1}'.encode("utf-16-le"), "UTF-16"),
        ('{"a": 1}'.encode("utf-16-be"), "UTF-16"),
        ('{"a": 1}'.encode("utf-32"), "UTF-32"),
        (b'{"a": NaN}', "NaN is not JSON. Send null or a string instead."),
        (b'{"a": [-Infinity]}', "-Infinity is not JSON"),
        (b'{"a": ' + b"[" * 5_000 + b"]" * 5_000 + b"}", "nested 5001 deep; the limit is 500"),
        (b"[" * 400_000, "nested 400000 deep"),
        (b'{"a": ' * 5_000, "nested 5000 deep"),
        (b'{"id": "a", "session": "s", "id": "b"}', "The field 'id' is given twice"),
        (b'{"prompt": "a", "prompt": "a"}', "The field 'prompt' is given twice"),
    ],
)
def test_refused(data: Any, says: str) -> None:
    with pytest.raises(NotATurn) as caught:
        parse(data)
    assert says in str(caught.value)


def test_a_field_given_twice_is_named() -> None:
    with pytest.raises(NotATurn) as caught:
        parse(b'{"tools": [], "tools": []}')
    assert caught.value.field == "tools"


@pytest.mark.parametrize(
    ("data", "value"),
    [
        (b'\xef\xbb\xbf{"a": 1}', 1),
        (b' \n{"a": 1}\t', 1),
        (b'{"a": "\\u0000"}', "\x00"),
        (b'{"a": "\\ud83d"}', "\ud83d"),
        (b'{"a": "\\ud83d\\ude00"}', "\U0001f600"),
        (b'{"a": 18446744073709551616}', 2**64),
        (b'{"a": 1e30}', 1e30),
        (b'{"a": 1.0}', 1.0),
        (b'{"a": "[[[{{{"}', "[[[{{{"),
        (b'{"a": "' + b"[" * 9_000 + b'"}', "[" * 9_000),
        (b'{"a": "' + rb"\"[\\" * 900 + b'"}', '"[\\' * 900),
    ],
)
def test_kept_without_a_note(data: Any, value: Any) -> None:
    payload = parse(data)
    assert payload["a"] == value
    assert type(payload["a"]) is type(value)
    assert payload.notes == ()


def test_nul_keys_stay_distinct() -> None:
    assert parse(b'{"user": 1, "user\\u0000": 2}') == {"user": 1, "user\x00": 2}


def test_json_is_read_up_to_the_limit_of_depth() -> None:
    inner = MAX_DEPTH - 1
    assert "a" in parse(b'{"a": ' + b"[" * inner + b"]" * inner + b"}")


@pytest.mark.parametrize("number", ["9" * 5_000, "-" + "9" * 5_000, "1e400", "-1e400", "1" * 400 + ".5"])
def test_numbers_out_of_range_are_read_as_their_text_and_noted(number: str) -> None:
    payload = parse(f'{{"a": [{number}]}}'.encode())
    assert payload["a"] == [number]
    assert len(payload.notes) == 1
    json.dumps(payload, allow_nan=False)


def test_the_largest_integer_can_be_written_again() -> None:
    number = "9" * MAX_DIGITS
    assert json.dumps(parse(f'{{"a":{number}}}'.encode())["a"]) == number


def test_a_key_given_twice_inside_content_is_noted_and_the_last_counts() -> None:
    payload = parse(b'{"metadata": {"x": 1, "x": 2}, "other": 1, "other": 3}')
    assert payload == {"metadata": {"x": 2}, "other": 3}
    assert len(payload.notes) == 2
    assert "'x' is given twice" in payload.notes[0]


def test_notes_are_bounded() -> None:
    payload = parse(b'{"a": [' + b",".join([b'{"x":1,"x":2}'] * 500) + b"]}")
    assert len(payload.notes) == 20


@pytest.mark.parametrize(
    "piece",
    [
        b"[],",
        b'{"k":1},',
        b'"\\"",',
        b'"' + b"\\\\" * 8 + b'",',
        b"9" * 4_299 + b",",
        b'{"a":1,"a":2},',
        b"1e999,",
    ],
)
def test_hostile_megabytes_are_read_in_linear_time(piece: bytes) -> None:
    """Anything quadratic takes hours here, so the bound need not be close."""
    start = time.perf_counter()
    parse(b'{"a":[' + piece * (4_000_000 // len(piece)) + b"0]}")
    assert time.perf_counter() - start < 30


def test_unclosed_quotes_full_of_escapes_take_linear_time() -> None:
    start = time.perf_counter()
    with pytest.raises(NotATurn):
        parse(b"[" * 600 + b'"' + b'\\"' * 1_000_000)
    assert time.perf_counter() - start < 30


def test_values_are_read_by_the_same_rules() -> None:
    assert parse_value('{"a": [1, "x"]}') == {"a": [1, "x"]}
    with pytest.raises(NotATurn):
        parse_value("NaN")


# ---------------------------------------------------------------- later parts


def test_a_later_response_fills_only_what_the_turn_lacks() -> None:
    turn = {"id": "t", "prompt": "p", "usage": {"input_tokens": 1}}
    later = {"response": "r", "usage": {"input_tokens": 9}, "finish_reason": "stop", "junk": 1}
    assert merge(turn, [("response", later)]) == {**turn, "response": "r", "finish_reason": "stop"}
    assert "response" not in turn


def test_later_results_follow_those_already_there() -> None:
    turn = {"prompt": "p", "results": [{"call": 0, "value": 1}]}
    merged = merge(turn, [("results", {"results": [{"call": 1, "value": 2}]})])
    assert [result["call"] for result in merged["results"]] == [0, 1]


def test_notes_of_all_parts_are_kept() -> None:
    turn = parse(b'{"prompt": "p", "metadata": {"x": 1, "x": 2}}')
    later = parse(b'{"results": [{"call": 0, "value": {"y": 1, "y": 2}}]}')
    assert len(merge(turn, [("results", later)]).notes) == 2
