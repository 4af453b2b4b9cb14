"""Lines over a whole prompt."""

from hypothesis import given
from hypothesis import strategies as st

from inspector.turns.lines import Lines
from inspector.turns.turn import Message

MESSAGES = st.lists(st.text(st.sampled_from("ab\n\r\u2028"), max_size=12), max_size=4)


def lines_of(*texts: str) -> Lines:
    return Lines([Message("user", text) for text in texts])


def test_each_message_starts_on_a_new_line() -> None:
    lines = lines_of("a\nb", "c\n", "", "d")
    assert lines.firsts == [1, 3, 5, 6]
    assert lines.total == 6


def test_line_feed_belongs_to_the_line_it_ends() -> None:
    lines = lines_of("a\nb\n")
    assert [lines.place(0, offset) for offset in range(5)] == [(1, 1), (1, 2), (2, 1), (2, 2), (3, 1)]


def test_only_line_feeds_end_lines() -> None:
    assert lines_of("a\rb\u2028c\x85d\x0ce").total == 1


@given(MESSAGES)
def test_places_agree_with_counting(texts: list[str]) -> None:
    lines = lines_of(*texts)
    first = 1
    for index, text in enumerate(texts):
        for offset in range(len(text) + 1):
            before = text[:offset]
            expected = (first + before.count("\n"), offset - (before.rfind("\n") + 1) + 1)
            assert lines.place(index, offset) == expected
            assert lines.line(index, offset) == expected[0]
        first += text.count("\n") + 1
    assert lines.total == first - 1
