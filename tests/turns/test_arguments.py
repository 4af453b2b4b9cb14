"""Arguments as models write them: strict, truncated, repaired, invalid, fenced, in child tags."""

from typing import Any

import pytest

from inspector.turns.arguments import Budget, children, depth, parse, unwrapped


@pytest.mark.parametrize(
    ("raw", "value"),
    [
        ('{"a": 1}', {"a": 1}),
        (' \n[1, "x", null, true, -2.5e3]\n', [1, "x", None, True, -2500.0]),
        ('```json\n{"a": 1}\n```', {"a": 1}),
        ('\n```\n{"a": 1}\n```\n', {"a": 1}),
        ('<![CDATA[{"a": "<b>"}]]>', {"a": "<b>"}),
        ('{"n": 123456789012345678901234567890}', {"n": 123456789012345678901234567890}),
        ('"words"', "words"),
        ('{"a": "\\ud800"}', {"a": "\ud800"}),
    ],
)
def test_strict(raw: str, value: Any) -> None:
    parsed = parse(raw)
    assert (parsed.state, parsed.value, parsed.mended) == ("strict", value, ())
    assert raw[parsed.offset : parsed.offset + parsed.length][:1] in ("{", "[", '"')


@pytest.mark.parametrize(
    ("raw", "value"),
    [
        ('{"a": "half of', {"a": "half of"}),
        ('{"a": 1, "b": ', {"a": 1}),
        ('{"a": [1, 2', {"a": [1, 2]}),
        ('{"a": tr', {}),
        ('{"a": 1', {"a": 1}),
        ("{", {}),
    ],
)
def test_truncated(raw: str, value: Any) -> None:
    parsed = parse(raw)
    assert (parsed.state, parsed.value) == ("truncated", value)
    assert parsed.mended


@pytest.mark.parametrize(
    ("raw", "value"),
    [
        ('{"a": 1,}', {"a": 1}),
        ("{'a': 'b'}", {"a": "b"}),
        ("{a: 1, b: True}", {"a": 1, "b": True}),
        ('{"a": "two\nlines"}', {"a": "two\nlines"}),
        ('{"a": "He said "hi" to me"}', {"a": 'He said "hi" to me'}),
        ('{"a": 1} and more', {"a": 1}),
    ],
)
def test_repaired_says_what_was_wrong(raw: str, value: Any) -> None:
    parsed = parse(raw)
    assert (parsed.state, parsed.value) == ("repaired", value)
    assert parsed.error
    assert parsed.mended[0] == parsed.error
    assert 0 < parsed.error_at <= len(raw)


@pytest.mark.parametrize(
    "raw",
    ["just words", "<a>b</a>", "[" * 20_000, "[" * 600 + "]" * 600, '{"n": ' + "9" * 5_000 + "}x", "NaN"],
)
def test_invalid(raw: str) -> None:
    parsed = parse(raw)
    assert (parsed.state, parsed.value) == ("invalid", None)
    assert parsed.error


def test_nothing_is_neither_valid_nor_invalid() -> None:
    assert parse("  \n").state is None
    assert parse("```json\n```").state is None


def test_numbers_beyond_a_float_are_not_made_infinite() -> None:
    assert parse('{"n": 1e999}').state != "strict"


def test_repeated_keys_are_named_and_the_last_counts() -> None:
    parsed = parse('{"a": 1, "b": {"c": 1, "c": 2}, "a": 3}')
    assert parsed.value == {"a": 3, "b": {"c": 2}}
    assert set(parsed.repeated) == {"a", "c"}


def test_budget_bounds_what_is_mended() -> None:
    budget = Budget(left=10, times=5)
    assert parse("{a: 1}", budget).state == "repaired"
    assert parse("{a: 1}", budget).state == "invalid"


def test_unwrapped_tells_where_the_json_starts() -> None:
    raw = ' \n```json\n {"a": 1}\n```'
    body, offset, fenced = unwrapped(raw)
    assert (body, fenced) == ('{"a": 1}', True)
    assert raw[offset:].startswith(body)


def test_child_tags_are_named_texts() -> None:
    assert children("<a>1 < 2</a>\n<b x='y'>\n<c>in</c></b>") == ({"a": "1 < 2", "b": "\n<c>in</c>"}, ())
    assert children("<a>1</a><b>cut") == ({"a": "1", "b": "cut"}, ("b",))
    assert children("no tags") is None


def test_depth_counts_brackets_outside_of_strings() -> None:
    assert depth('{"a": ["[[[[", {"b": []}]}') == 4


def test_backslashes_of_a_windows_path_are_doubled() -> None:
    read = parse('{"path": "C:\\Users\\new\\notes.txt", "n": "a\\nb"}')
    assert read.state == "repaired"
    assert read.value == {"path": "C:\\Users\\new\\notes.txt", "n": "a\nb"}
    assert read.mended == ("doubled the backslashes of a path",)
