"""Token counts."""

import itertools

from hypothesis import given
from hypothesis import strategies as st
from toktok import batch_count  # type: ignore[import-untyped]

from inspector.turns.tokens import VOCABULARY, adds_up_at, count, count_all


def test_known_counts() -> None:
    assert [count(text) for text in ("", "hello world", "a" * 8, "<|endoftext|>")] == [0, 2, 1, 7]


def test_lone_surrogate_counts_as_one_replacement_character() -> None:
    assert count("a\ud800b") == count("a\ufffdb")
    assert count_all(["\udfff", "plain"]) == [count("\ufffd"), count("plain")]


@given(st.text())
def test_any_text_can_be_counted(text: str) -> None:
    assert 0 <= count(text) <= len(text.encode("utf-8", "surrogatepass")) * 3


@given(st.text(st.sampled_from("ab Z9.,-/\n\t\r\u00a0\u4e2d'{}<>\u0301s\x1c\u2028é\ud800"), max_size=60))
def test_counts_add_up_where_that_is_said(text: str) -> None:
    cuts = sorted({0, len(text), *(at for at in range(len(text)) if adds_up_at(text, at))})
    parts = [text[start:end] for start, end in itertools.pairwise(cuts)]
    assert sum(count_all(parts)) == count(text)


def test_counts_add_up_at_lines_that_begin_with_words() -> None:
    text = "one\n two\n/three\nfour"
    assert [at for at in range(len(text) + 1) if adds_up_at(text, at)] == [0, text.index("four"), len(text)]


@given(st.lists(st.text(st.characters(exclude_categories=["Cs"]))))
def test_one_by_one_counts_are_those_of_a_batch(texts: list[str]) -> None:
    assert count_all(texts) == batch_count(texts, VOCABULARY, threads=1)
