"""Words: the same for both databases, and the same in a text and in a question about it."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspector.store.errors import BadQuery
from inspector.store.terms.query import parse
from inspector.store.terms.words import MAX_CHARS, asked, parts, words


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Hello, World!", ["hello", "world"]),
        ("order_id=42", ["order_id", "42"]),
        ("INV-0042", ["inv", "0042"]),
        ("a.b/c", ["a", "b", "c"]),
        ("\x00nul\x00", ["nul"]),
        ("", []),
        ("!?", []),
    ],
)
def test_plain_words(text: str, expected: list[str]) -> None:
    assert words(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("order_id", ["order", "id"]),
        ("getUserName", ["get", "user", "name"]),
        ("parseHTTPResponse", ["parse", "http", "response"]),
        ("plain words 42", []),
        ("deadbeef12 a3f9", []),
        ("SHOUTING", []),
        ("__init__", []),
    ],
)
def test_parts_of_identifiers(text: str, expected: list[str]) -> None:
    assert parts(text) == expected


def test_cjk_runs_are_pairs() -> None:
    assert len(words("天気予報")) == 4
    assert words("天気予報")[1:3] == words("気予報")[:2]
    # The lone last character is said by the pair before it.
    assert asked("予報") == words("天気予報")[2:3]


def test_case_and_width_do_not_matter() -> None:
    assert words("ÉCOLE Ｗｉｄｅ") == words("école wide")


@given(st.text(st.characters(exclude_categories=())))
def test_words_are_short_and_safe_for_both_databases(text: str) -> None:
    for word in [*words(text), *parts(text)]:
        assert re.fullmatch(r"[a-z0-9_]{1,48}|\$(?:[0-9a-f]{2}){1,48}", word), word
        assert not word.startswith("$p")


@given(st.text(st.characters(exclude_categories=()), min_size=1))
def test_what_is_asked_is_what_is_indexed(text: str) -> None:
    assert set(asked(text)) <= set(words(text))


def test_a_word_without_end_is_cut_alike_everywhere() -> None:
    assert words("x" * 1_000_000) == asked("x" * 70) == ["x" * MAX_CHARS]


def test_a_query_is_words_phrases_and_prefixes() -> None:
    terms = parse('moored "at berth 7" gann* foo-bar').terms
    assert [(term.words, term.is_prefix) for term in terms] == [
        (("moored",), False),
        (("at", "berth", "7"), False),
        (("gann",), True),
        (("foo", "bar"), False),
    ]


@pytest.mark.parametrize("text", ["", "   ", "!!", '"', 'a "open', '""', "*", "x" * 1_001, "w " * 40, "\x00"])
def test_a_query_that_means_nothing_is_explained(text: str) -> None:
    with pytest.raises(BadQuery, match=r".{20}"):
        parse(text)
