"""Geometry of the drawings."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspector.turns.turn import Section
from inspector.web.figures.chart import BOTTOM, MOST, RIGHT, Column, chart, step
from inspector.web.figures.matrix import in_words, matrix
from inspector.web.figures.spark import spark
from inspector.web.figures.strip import MOST as PIECES
from inspector.web.figures.strip import WIDTH, Weight, strip, weights, widths
from inspector.web.kinds import CARDS, card, in_order
from inspector.web.turn.composition import by_kind, parts


def section(kind: str, tokens: int, depth: int = 0, path: str = "a") -> Section:
    return Section(path, kind, path, "tag", depth, 0, 0, tokens, 0, tokens, 1, 1, tokens, "0")  # type: ignore[arg-type]


@given(st.lists(st.integers(0, 10**7), min_size=1, max_size=PIECES))
def test_a_strip_fills_its_width_and_every_piece_is_seen(tokens: list[int]) -> None:
    found = widths(tokens)
    assert sum(found) + 1.4 * (len(tokens) - 1) == pytest.approx(WIDTH, abs=0.5)
    assert min(found) > 1


def test_pieces_stand_in_the_order_of_the_prompt_without_overlap() -> None:
    drawn = strip([Weight("instructions", "Role", 10), Weight("actions", "Tools", 90)], 10, 100)
    first, second = drawn.pieces
    assert (first.css, second.css) == ("k-instructions", "k-actions")
    assert first.x + first.width < second.x
    assert drawn.shared == pytest.approx(second.x, abs=0.2)
    assert drawn.broken_at == drawn.shared


def test_a_wholly_shared_prompt_has_no_break() -> None:
    drawn = strip([Weight("instructions", "Role", 10)], 10, 10)
    assert drawn.shared == WIDTH
    assert drawn.broken_at is None


def test_a_first_turn_shares_nothing_and_breaks_nowhere() -> None:
    drawn = strip([Weight("instructions", "Role", 10)])
    assert drawn.shared is None
    assert drawn.broken_at is None


@pytest.mark.parametrize("kinds", [["history"], ["history", "updates"]])
def test_a_strip_of_ten_thousand_sections_stays_small_and_loses_no_token(kinds: list[str]) -> None:
    found = weights([section(kinds[i % len(kinds)], 3) for i in range(10_000)])
    assert len(found) <= PIECES
    assert sum(weight.tokens for weight in found) == 30_000


def test_bars_stand_on_the_ground_and_reach_their_total() -> None:
    drawn = chart([Column(1, {"instructions": 100, "actions": 300}, "/1"), Column(2, {"actions": 800}, "/2")])
    for bar in drawn.bars:
        assert max(block.y + block.height for block in bar.blocks) <= BOTTOM
    assert drawn.bars[1].top < drawn.bars[0].top
    assert [card.kind for card in drawn.kinds] == ["instructions", "actions"]
    assert drawn.rows[0][1] == [100, 300]


def test_a_long_session_draws_its_latest_turns_and_says_how_many_it_leaves_out() -> None:
    drawn = chart([Column(seq, {"other": 1}, "/") for seq in range(1, 101)])
    assert len(drawn.bars) == MOST
    assert drawn.left_out == 100 - MOST
    assert drawn.bars[-1].column.seq == 100
    assert drawn.bars[-1].hit_x + drawn.bars[-1].hit_width <= RIGHT + 0.5


@given(st.integers(1, 10**9))
def test_ticks_are_round_and_few(top: int) -> None:
    unit = step(top)
    assert unit * 4 >= top
    assert str(unit).rstrip("0") in {"1", "2", "5"}


def test_an_empty_session_has_an_empty_chart() -> None:
    assert chart([]).bars == ()


def test_the_matrix_has_a_slot_per_kind_of_the_session_in_the_fixed_order() -> None:
    slots = matrix(in_order(["updates", "instructions", "memory"]), {"memory"})
    assert [(slot.card.code, slot.changed) for slot in slots] == [("IN", False), ("WM", True), ("UP", False)]
    assert in_words(slots) == "changed: working memory"
    assert in_words(matrix(in_order(["updates"]), ())) == "unchanged"


def test_a_spark_keeps_its_first_and_last_value_and_few_points() -> None:
    drawn = spark(list(range(1000)))
    assert drawn is not None
    assert (drawn.first, drawn.last) == (0, 999)
    assert len(drawn.points.split()) <= 42
    assert spark([]) is None
    assert spark([5]) is not None


def test_tokens_inside_a_section_count_for_what_they_are() -> None:
    counts = by_kind(
        [section("other", 100), section("actions", 60, 1), section("memory", 30, 1), section("updates", 5)]
    )
    assert counts == {"actions": 60, "memory": 30, "updates": 5, "other": 10}


def test_parts_that_add_up_to_more_than_the_whole_never_count_below_zero() -> None:
    assert by_kind([section("other", 10), section("actions", 12, 1)]) == {"actions": 12}


def test_a_kind_that_went_away_is_still_listed_with_its_loss() -> None:
    (part,) = parts({}, {"memory": 7})
    assert (part.card.code, part.tokens, part.delta) == ("WM", 0, -7)


def test_every_kind_has_two_letters_and_a_class_of_its_own() -> None:
    assert len({card.code for card in CARDS}) == len({card.css for card in CARDS}) == len(CARDS)
    assert all(len(card.code) == 2 for card in CARDS)
    assert card("something new").kind == "other"
