"""Changed words of a line: what is outside them is the same on both sides."""

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from inspector.turns.changes.sequence import Budget
from inspector.turns.changes.words import Spans, changed_words

LINE = st.text(st.sampled_from("ab c,.x1日本語é\u200b\t"), max_size=60)


def outside(text: str, spans: Spans) -> str:
    kept, at = [], 0
    for start, end in spans:
        assert at <= start < end <= len(text)
        kept.append(text[at:start])
        at = end
    return "".join([*kept, text[at:]])


def inside(text: str, spans: Spans) -> list[str]:
    return [text[start:end] for start, end in spans]


@settings(deadline=None)
@given(LINE, LINE)
@example("a a", "a a a")
@example("go on, go on", "go on, go on, go on")
def test_what_is_outside_the_changed_words_is_equal(old: str, new: str) -> None:
    left, right = changed_words(old, new, Budget())
    assert outside(old, left) == outside(new, right)


@settings(deadline=None)
@given(LINE)
def test_a_line_against_itself_has_no_changed_words(line: str) -> None:
    assert changed_words(line, line, Budget()) == ((), ())


@pytest.mark.parametrize(
    ("old", "new", "removed", "added"),
    [
        ("mana: 80, level 5", "mana: 60, level 5", ["80"], ["60"]),
        ("Be brief.", "Be brief and kind.", [], [" and kind"]),
        ("Calm, brief.", "Warm, brief.", ["Calm"], ["Warm"]),
        ("今日は雨です", "今日は晴です", ["雨"], ["晴"]),
        ("LOW — play it safe", "HIGH — take big swings", ["LOW — play it safe"], ["HIGH — take big swings"]),
        ("color", "colour", ["color"], ["colour"]),
        ("a\u200bb c", "ab c", ["a\u200bb"], ["ab"]),
    ],
)
def test_words_as_a_person_would_mark_them(old: str, new: str, removed: list[str], added: list[str]) -> None:
    left, right = changed_words(old, new, Budget())
    assert (inside(old, left), inside(new, right)) == (removed, added)


def test_one_long_line_is_looked_into() -> None:
    words = [f"word{number}" for number in range(20_000)]
    old = " ".join(words)
    words[7_000] = "other"
    left, right = changed_words(old, " ".join(words), Budget())
    assert (inside(old, left), inside(" ".join(words), right)) == (["word7000"], ["other"])


def test_a_word_without_end_is_cut_where_it_differs() -> None:
    old, new = "a" * 100_000 + "x" + "b" * 100_000, "a" * 100_000 + "y" + "b" * 100_000
    left, right = changed_words(old, new, Budget())
    assert outside(old, left) == outside(new, right)
    assert inside(old, left) == ["x"]


def test_without_budget_the_whole_line_counts_as_changed() -> None:
    assert changed_words("one two", "one three", Budget(steps=0)) == (((0, 7),), ((0, 9),))
