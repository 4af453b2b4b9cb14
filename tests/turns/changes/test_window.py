"""A comparison of which only a part is drawn: the same figures, fewer lines."""

from hypothesis import given, settings
from hypothesis import strategies as st

from inspector.turns.changes import compare
from inspector.turns.changes.change import Hunk, Window
from inspector.turns.changes.hunks import Limits, drawn
from inspector.turns.changes.numbered import Numbered
from inspector.turns.turn import ReadTurn
from tests.turns.made import made, said, tag


def berths(*moods: str) -> ReadTurn:
    return made(said("system", *(tag(f"berth{n}", f"It is {mood}.\n") for n, mood in enumerate(moods))))


OLD = berths(*"abcdefgh")
NEW = berths(*"aBcDEfGh")


def numbered(lines: list[str]) -> Numbered:
    return Numbered(lines, list(range(1, len(lines) + 1)))


def changed_lines(hunks: tuple[Hunk, ...]) -> list[tuple[str, str]]:
    return [(line.op, line.text) for hunk in hunks for line in hunk.lines if line.op != "="]


def test_only_the_sections_of_the_window_have_hunks() -> None:
    everything = compare(OLD, NEW)
    part = compare(OLD, NEW, window=Window(skip=1, count=2))
    assert [each.path for each in everything.sections if each.hunks] == [
        "berth1",
        "berth3",
        "berth4",
        "berth6",
    ]
    assert [each.path for each in part.sections if each.hunks] == ["berth3", "berth4"]
    assert part.summary == everything.summary
    assert part.prefix == everything.prefix
    assert [each.change for each in part.sections] == [each.change for each in everything.sections]


def test_one_section_alone_by_its_index() -> None:
    part = compare(OLD, NEW, window=Window(only=6))
    assert [each.path for each in part.sections if each.hunks] == ["berth6"]
    assert compare(OLD, NEW, window=Window(only=5)).sections[5].hunks == ()


def test_a_prefix_that_is_known_is_not_sought_again() -> None:
    known = compare(OLD, OLD).prefix
    assert compare(OLD, NEW, known=known).prefix is known


def test_lines_that_are_not_drawn_are_counted() -> None:
    old = [f"old {n}" for n in range(50)]
    new = [f"new {n}" for n in range(70)]
    found = drawn(numbered(old), numbered(new), Limits.fresh(10))
    assert (found.removed, found.added, found.left_out) == (50, 70, 100)
    assert changed_lines(found.hunks) == [("-", line) for line in old[:10]] + [
        ("+", line) for line in new[:10]
    ]


def test_what_follows_a_change_that_was_cut_is_no_context() -> None:
    old = ["a", "b", "c", "z", "y"]
    new = ["a", "1", "2", "3", "z", "y"]
    found = drawn(numbered(old), numbered(new), Limits.fresh(2))
    assert [line.op for hunk in found.hunks for line in hunk.lines] == ["=", "-", "-", "+", "+"]
    assert found.left_out == 1


LINES = st.lists(st.sampled_from(["a", "b", "c", "", "a longer line"]), max_size=12)


@settings(max_examples=150, deadline=None)
@given(LINES, LINES, st.integers(1, 12))
def test_what_is_drawn_is_the_beginning_of_all_changes(old: list[str], new: list[str], most: int) -> None:
    whole = drawn(numbered(old), numbered(new), Limits.fresh())
    part = drawn(numbered(old), numbered(new), Limits.fresh(most))
    assert whole.left_out == 0
    assert (part.added, part.removed) == (whole.added, whole.removed)
    kept = changed_lines(part.hunks)
    assert len(kept) + part.left_out == len(changed_lines(whole.hunks))
    for op in "+-":
        mine = [text for sign, text in kept if sign == op]
        everything = [text for sign, text in changed_lines(whole.hunks) if sign == op]
        assert mine == everything[: len(mine)]
        assert len(mine) <= most
    if part.left_out == 0:
        assert part.hunks == whole.hunks
    for hunk in part.hunks:
        for line in hunk.lines:
            if line.op == "=":
                assert line.old_line is not None
                assert line.new_line is not None
                assert old[line.old_line - 1] == new[line.new_line - 1] == line.text
