"""Values that change by themselves: found, named, masked, and told from what only looks like one."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from inspector.turns.volatile import cause_of, masked, values_in


@pytest.mark.parametrize(
    ("text", "name", "found"),
    [
        ("at 2026-08-03T10:00:31.550Z, go", "clock", "2026-08-03T10:00:31.550Z"),
        ("at 2026-02-06 09:14 sharp", "clock", "2026-02-06 09:14"),
        ("9:59 AM.", "clock", "9:59 AM."),
        ("now 23:59:59", "clock", "23:59:59"),
        ('timestamp="1796039251112"', "clock", "1796039251112"),
        ("on 2026-08-03.", "date", "2026-08-03"),
        ("March 6, 2026", "date", "March 6, 2026"),
        ("3 June 2026", "date", "3 June 2026"),
        ("on Friday", "date", "Friday"),
        ("01a22c48-148e-706a-a45c-399d9815ca5f", "id", "01a22c48-148e-706a-a45c-399d9815ca5f"),
        ("call toolu_01AbC9xY", "id", "toolu_01AbC9xY"),
        ("commit 29b5ec25", "id", "29b5ec25"),
        ("01JD8ZQ4X9T7M2V5K1N3P6R8SB", "id", "01JD8ZQ4X9T7M2V5K1N3P6R8SB"),
        ("step 12", "counter", "12"),
        ("1,234.5 tokens", "counter", "1,234.5"),
    ],
)
def test_a_value_is_found_and_named(text: str, name: str, found: str) -> None:
    assert [(each.name, each.text) for each in values_in(text)] == [(name, found)]


@pytest.mark.parametrize(
    "text", ["You help.", "session456", "a-b", "well-known", "utf_8x", "deadbeefcafe", "may"]
)
def test_words_are_not_values(text: str) -> None:
    assert values_in(text) == []


@pytest.mark.parametrize(
    ("old", "new", "name"),
    [
        ("Day 3, 10:31", "Day 3, 10:32", "clock"),
        ("Day 3, 10:31", "Day 4, 10:32", "counter"),
        ("request id: 7", "request id: 9", "id"),
        ("Happiness: 70%", "Happiness: 60%", None),
        ("at 10:31 it rains", "at 10:32 it snows", None),
        ("10:31", "10:31", None),
        ("Friday", "Saturday", "date"),
    ],
)
def test_the_value_that_explains_two_versions_of_a_line(old: str, new: str, name: str | None) -> None:
    assert cause_of(old, new) == name


def test_masking_hides_what_changes_by_itself_and_keeps_what_is_said() -> None:
    assert masked("turn 3 at 10:31: mana 80") == masked("turn 4 at 10:32: mana 80")
    assert masked("mana 80") != masked("mana 60")


@settings(deadline=None)
@given(st.text(st.sampled_from("0123456789:-T /.,aPM_f#Z\n"), max_size=80))
def test_values_lie_in_order_inside_the_text(text: str) -> None:
    at = 0
    for value in values_in(text):
        assert at <= value.start < value.end <= len(text)
        assert text[value.start : value.end] == value.text
        at = value.end


@pytest.mark.parametrize("piece", ["1", "a1", "f", "1:", "1,", "A_", "0-", "Z9", "Monday"])
def test_hostile_text_is_searched_in_linear_work(piece: str) -> None:
    text = piece * (50_000 // len(piece))
    assert isinstance(values_in(text), list)
