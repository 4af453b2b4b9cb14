"""Sections add up to the text, whatever the text and whatever a dialect answers."""

from collections.abc import Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspector.turns.dialects import DIALECTS, choose
from inspector.turns.dialects.card import Cut, Dialect, Piece
from inspector.turns.memo import RecentMemo
from inspector.turns.sections import digest, sections_of
from inspector.turns.turn import Message, Turn
from tests.turns.test_scan import TEXTS
from tests.turns.whole import assert_whole

BOUNDARIES = st.sampled_from(
    [
        "You are an expert AI agent controlling a multi-context software application.\n\n",
        "## CURRENT SITUATION\n\n",
        "### Unprocessed Inputs\n<unprocessed-inputs>\n",
        '<input name="text" timestamp="1">',
        "</input>\n",
        "</unprocessed-inputs>\n\n",
        "### Pending Operations\n<pending-operations>\n",
        "</pending-operations>\n\n",
        "---\n\n## AVAILABLE TOOLS\n\n",
        "### Actions You Can Initiate\n<available-actions>\n",
        "<available-actions>\n",
        '<action name="a">\n',
        "</action>\n",
        "</available-actions>\n\n",
        "<contexts>\n",
        "</contexts>\n\n",
        "<updates>\n",
        "Now, generate your response",
        "Respond with:\n",
        "x",
        "\n",
    ]
)
PROMPTS = st.lists(BOUNDARIES, max_size=30).map("".join) | TEXTS | st.text()
ROLES = st.sampled_from(["system", "user", "assistant", "tool", "developer", "", "ro/le#2"])
TURNS = st.lists(st.builds(Message, role=ROLES, text=PROMPTS), max_size=4).map(
    lambda messages: Turn(messages=tuple(messages))
)
TREES = st.recursive(
    st.builds(Piece, st.integers(-3, 30), st.integers(-3, 30), st.just("other"), st.text(), st.text()),
    lambda inner: st.builds(
        Piece,
        st.integers(-3, 30),
        st.integers(-3, 30),
        st.just("other"),
        st.text(),
        st.text(),
        body_start=st.integers(-3, 30),
        body_end=st.integers(-3, 30),
        children=st.lists(inner, max_size=3).map(tuple),
    ),
    max_leaves=8,
)


def a_turn(*texts: str) -> Turn:
    return Turn(messages=tuple(Message("user", text) for text in texts))


def answering(*pieces: Piece) -> Dialect:
    """A dialect that always cuts the first message so."""

    def split(turn: Turn, kinds: Mapping[str, str]) -> Cut:
        return Cut((pieces,))

    return Dialect("odd", "Odd", lambda turn: 1.0, split)


@pytest.mark.parametrize("dialect", DIALECTS, ids=lambda dialect: dialect.name)
@given(turn=TURNS)
def test_sections_add_up_to_any_text(dialect: Dialect, turn: Turn) -> None:
    assert_whole(turn, sections_of(turn, dialect).sections)


@given(turn=TURNS)
def test_a_turn_always_has_a_dialect(turn: Turn) -> None:
    assert choose(turn) in DIALECTS


@given(st.lists(TREES, max_size=4), st.text(max_size=20))
def test_whatever_a_dialect_answers_is_mended(pieces: list[Piece], text: str) -> None:
    turn = a_turn(text, text)
    assert_whole(turn, sections_of(turn, answering(*pieces)).sections)


def test_an_empty_message_has_no_sections() -> None:
    assert sections_of(a_turn("", "x"), choose(a_turn(""))).sections[0].message == 1


def test_a_gap_with_words_becomes_a_section_and_white_space_goes_to_the_one_before() -> None:
    text = "aa\n\nbb\ncc"
    dialect = answering(Piece(0, 2, "memory", "A", "a"), Piece(7, 9, "memory", "C", "c"))
    cut = sections_of(a_turn(text), dialect).sections
    assert [(section.path, text[section.start : section.end]) for section in cut] == [
        ("a", "aa"),
        ("text", "\n\nbb\n"),
        ("c", "cc"),
    ]
    blank = answering(Piece(0, 2, "memory", "A", "a"), Piece(4, 6, "memory", "B", "b"))
    assert [section.end for section in sections_of(a_turn("aa\n\nbb"), blank).sections] == [4, 6]


def test_repeats_are_numbered_and_never_clash() -> None:
    twice = [Piece(index, index + 1, "other", "", name) for index, name in enumerate(("a", "a", "a#2", "a"))]
    paths = [section.path for section in sections_of(a_turn("abcd"), answering(*twice)).sections]
    assert paths == ["a", "a#2", "a_2", "a#3"]


def test_labels_hold_nothing_that_a_database_refuses() -> None:
    odd = Piece(0, 1, "other", "a\x00\ud800\nb", "x/y z\ud800", attributes={"k\x00": "v\udfff" * 300})
    (section,) = sections_of(a_turn("a"), answering(odd)).sections
    assert section.title == "a\ufffd\ufffd\ufffdb"
    assert section.path == "x_y_z_"
    assert all("\udfff" not in value and len(value) <= 200 for value in section.attributes.values())
    assert list(section.attributes) == ["k\ufffd"]


def test_lines_count_over_the_whole_prompt() -> None:
    cut = sections_of(a_turn("one\ntwo\n", "<context>\nx\n</context>\n"), choose(a_turn(""))).sections
    assert [(section.line, section.end_line) for section in cut] == [(1, 2), (4, 6)]


def test_digest_tells_lone_surrogates_apart() -> None:
    assert len({digest(text) for text in ("\ud800", "\udfff", "\ufffd", "\\ud800", "")}) == 5
    assert digest("abc") == "ba7816bf8f01cfea"


def test_memo_saves_counting_and_changes_nothing() -> None:
    turn = a_turn("<context>\nx\n</context>\n", "more words")
    memo = RecentMemo()
    first = sections_of(turn, choose(turn), memo=memo)
    assert first == sections_of(turn, choose(turn)) == sections_of(turn, choose(turn), memo=memo)
    for key in list(memo._values):
        memo.set(key, 4711)
    assert {section.tokens for section in sections_of(turn, choose(turn), memo=memo).sections} == {4711}
