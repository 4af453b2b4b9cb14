"""Token counts."""

from hypothesis import given
from hypothesis import strategies as st

from inspector.turns.tokens import count, count_all


def test_known_counts() -> None:
    assert [count(text) for text in ("", "hello world", "a" * 8, "<|endoftext|>")] == [0, 2, 1, 7]


def test_lone_surrogate_counts_as_one_replacement_character() -> None:
    assert count("a\ud800b") == count("a\ufffdb")
    assert count_all(["\udfff", "plain"]) == [count("\ufffd"), count("plain")]


@given(st.text())
def test_any_text_can_be_counted(text: str) -> None:
    assert 0 <= count(text) <= len(text.encode("utf-8", "surrogatepass")) * 3
