"""Values that are equal but for the order of their keys."""

from typing import Any

import pytest

from inspector.turns.key_order import STEPS_MAX, Swapped, is_swapped, swapped


@pytest.mark.parametrize(
    ("old", "new", "found"),
    [
        ({"a": 1, "b": 2}, {"b": 2, "a": 1}, Swapped("", ("a", "b"), ("b", "a"))),
        ({"x": [1, {"a": 1, "b": 2}]}, {"x": [1, {"b": 2, "a": 1}]}, Swapped("x[1]", ("a", "b"), ("b", "a"))),
        (
            {"p": {"q": {"a": 1, "b": 2}}, "z": 1},
            {"p": {"q": {"b": 2, "a": 1}}, "z": 1},
            Swapped("p.q", ("a", "b"), ("b", "a")),
        ),
        ({"a": 1, "b": [2, 3]}, {"a": 1, "b": [2, 3]}, None),
        ([], [], None),
        (1, 1, None),
    ],
)
def test_first_object_in_another_order_is_found(old: Any, new: Any, found: Swapped | None) -> None:
    assert swapped(old, new) == found


def test_large_and_deep_values_are_bounded() -> None:
    wide = [{"a": 1, "b": 2}] * (STEPS_MAX * 2)
    assert swapped(wide, [dict(item) for item in wide]) is None
    deep: Any = {"b": 1, "a": 1}
    other: Any = {"a": 1, "b": 1}
    for _ in range(5_000):
        deep, other = [deep], [other]
    assert swapped(deep, other) is not None


@pytest.mark.parametrize(
    ("old", "new", "is_it"),
    [
        ('state: {"a": 1, "b": 2} now', 'state: {"b": 2, "a": 1} now', True),
        ('[{"a": 1, "b": 2}]', '[{"b": 2, "a": 1}]', True),
        ('{"a": 1, "b": 2}', '{"a": 1, "b": 3}', False),
        ('{"a": 1, "b": 2}', '{"a": 1,"b": 2}', False),
        ('{"a": 1, "b": 2} x', '{"b": 2, "a": 1} y', False),
        ('s {"a": 1, "b": 2}', 't {"b": 2, "a": 1}', False),
        ('{"a": 1, "b', '{"b": 1, "a', False),
        ("no json", "none here", False),
        ("[" * 5_000, "[" * 5_000, False),
    ],
)
def test_lines_that_differ_in_the_order_of_keys(old: str, new: str, is_it: bool) -> None:
    assert is_swapped(old, new) is is_it
