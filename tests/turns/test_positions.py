"""Places of values in JSON text agree with what the parser makes of that text."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspector.turns.positions import Places, place_of

TEXT = '{"a": [10, {"b\\n": "x, ]y"}], "a\\u0041": true , "last": -1.5e3}'


@pytest.mark.parametrize(
    ("path", "found"),
    [
        ([], TEXT),
        (["a"], '[10, {"b\\n": "x, ]y"}]'),
        (["a", 0], "10"),
        (["a", 1, "b\n"], '"x, ]y"'),
        (["aA"], "true"),
        (["last"], "-1.5e3"),
    ],
)
def test_value_at_a_path(path: list[str | int], found: str) -> None:
    place = place_of(TEXT, path)
    assert place is not None
    assert TEXT[slice(*place)] == found


@pytest.mark.parametrize("path", [["b"], ["a", 2], ["a", "x"], [0], ["last", 0]])
def test_nothing_at_a_path(path: list[str | int]) -> None:
    assert place_of(TEXT, path) is None


def test_key_of_a_path() -> None:
    place = place_of(TEXT, ["a", 1, "b\n"], key=True)
    assert place is not None
    assert TEXT[slice(*place)] == '"b\\n"'


def test_last_of_repeated_keys_counts() -> None:
    text = '{"a": 1, "a": 2}'
    place = place_of(text, ["a"])
    assert place is not None
    assert text[slice(*place)] == "2"


def test_depth_costs_no_stack() -> None:
    text = "[" * 50_000 + "]" * 50_000
    assert place_of(text, [0, 0]) == (2, len(text) - 2)


def test_places_of_a_part_of_a_text_count_over_all_of_it() -> None:
    text = 'see {"a": [1, 2]} there'
    places = Places(text, 4, 17)
    paths: list[list[str | int]] = [[], ["a"], ["a", 1]]
    assert [places.of(path) for path in paths] == [(4, 17), (10, 16), (14, 15)]


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=6),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=4), inner, max_size=4),
    max_leaves=20,
)


@given(VALUES, st.sampled_from([None, 2]), st.booleans())
def test_every_value_is_where_it_is_said_to_be(value: Any, indent: int | None, ascii_only: bool) -> None:
    text = json.dumps(value, indent=indent, ensure_ascii=ascii_only)
    waiting: list[tuple[list[str | int], Any]] = [([], value)]
    while waiting:
        path, item = waiting.pop()
        place = place_of(text, path)
        assert place is not None
        assert json.loads(text[slice(*place)]) == item
        if isinstance(item, dict):
            waiting.extend(([*path, key], inner) for key, inner in item.items())
        elif isinstance(item, list):
            waiting.extend(([*path, index], inner) for index, inner in enumerate(item))


@given(
    st.text(alphabet='{}[]":,\\ ax1', max_size=40), st.lists(st.sampled_from(["a", "x", 0, 1]), max_size=3)
)
def test_broken_json_gives_a_place_inside_or_none(text: str, path: list[str | int]) -> None:
    place = place_of(text, path)
    assert place is None or 0 <= place[0] <= place[1] <= len(text)
