"""The first difference of two prompts with the words around it."""

import pytest

from inspector.turns.prefix import prefix
from inspector.turns.read import read_turn
from inspector.turns.turn import Message, ReadTurn, Turn
from inspector.web.comparison.excerpts import Excerpt, excerpts


def read(text: str) -> ReadTurn:
    """A prompt of one message."""
    turn = Turn(messages=(Message("user", text),))
    return ReadTurn("t", 1, turn, read_turn(turn))


def sides(old: str, new: str) -> tuple[Excerpt, Excerpt]:
    """Of two prompts."""
    before, after = (read(text) for text in (old, new))
    broken = prefix(before, after).broken_at
    assert broken is not None
    return excerpts(after, broken)


def test_whole_words_are_marked_and_their_neighbours_shown() -> None:
    old, new = sides(
        "# Clock\nLocal time: 10:31 UTC, Monday\nend", "# Clock\nLocal time: 10:32 UTC, Monday\nend"
    )
    assert old == Excerpt("Local time: 10:", "31", " UTC, Monday")
    assert new == Excerpt("Local time: 10:", "32", " UTC, Monday")


def test_a_word_that_grew_is_marked_whole() -> None:
    old, new = sides("the harbourmaster waits here", "the harbour waits here")
    assert (old.changed, new.changed) == ("harbourmaster", "harbour")
    assert old.before == new.before == "the "
    assert old.after == new.after == " waits here"


@pytest.mark.parametrize(
    ("old", "new"), [("x" * 500 + "1 end", "x" * 500 + "2 end"), ("a 1", "b 1"), ("é\u202ea", "é\u202eb")]
)
def test_both_sides_put_together_are_the_lines_they_come_from(old: str, new: str) -> None:
    for side, text in zip(sides(old, new), (old, new), strict=True):
        assert text.endswith((side.before + side.changed + side.after).removeprefix("…"))


def test_lines_are_counted_in_their_message() -> None:
    old, new = sides("one\ntwo\nthree: 3\nfour", "one\ntwo\nthree: 4\nfour")
    assert (old.before, old.changed, new.changed) == ("three: ", "3", "4")
