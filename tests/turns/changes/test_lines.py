"""Edits and hunks of two texts: they rebuild the new text, and stand where a person would draw them."""

from hypothesis import given, settings
from hypothesis import strategies as st

from inspector.turns.changes.change import Hunk
from inspector.turns.changes.hunks import AROUND, Limits, hunks
from inspector.turns.changes.lines import Edit, edits
from inspector.turns.changes.numbered import Numbered
from inspector.turns.changes.sequence import Budget, Run, increasing, runs

FEW = st.lists(st.sampled_from(["a", "b", "c", "", "  x", "</t>"]), max_size=60)
MANY = st.lists(st.text(st.characters(blacklist_characters="\n"), max_size=6), max_size=40)


def numbered(lines: list[str]) -> Numbered:
    return Numbered(lines, list(range(1, len(lines) + 1)))


def patched(old: list[str], drawn: tuple[Hunk, ...]) -> list[str]:
    """The old lines with hunks applied, as a strict patch program would."""
    new: list[str] = []
    at = 0
    for hunk in drawn:
        start = max(hunk.old_line - 1, 0) if any(line.op != "+" for line in hunk.lines) else at
        if hunk.lines and hunk.lines[0].op == "+" and hunk.old_line:
            start = hunk.old_line - 1
        new += old[at:start]
        at = start
        for line in hunk.lines:
            if line.op != "+":
                assert old[at] == line.text
                assert line.old_line == at + 1
                at += 1
            if line.op != "-":
                new.append(line.text)
                assert line.new_line == len(new)
    return new + old[at:]


def draw(old: list[str], new: list[str]) -> tuple[Hunk, ...]:
    return hunks(numbered(old), numbered(new), Limits.fresh())


@settings(deadline=None)
@given(FEW, FEW)
def test_applying_the_hunks_to_the_old_text_gives_the_new_one(old: list[str], new: list[str]) -> None:
    assert patched(old, draw(old, new)) == new


@settings(deadline=None)
@given(MANY, st.data())
def test_applying_hunks_of_an_edited_text(old: list[str], data: st.DataObject) -> None:
    new = list(old)
    for _ in range(data.draw(st.integers(0, 5))):
        at = data.draw(st.integers(0, len(new)))
        new[at : at + data.draw(st.integers(0, 2))] = data.draw(MANY)[:3]
    assert patched(old, draw(old, new)) == new


@settings(deadline=None)
@given(FEW)
def test_equal_texts_have_no_edits(lines: list[str]) -> None:
    assert edits(lines, list(lines), Budget()) == []


@settings(deadline=None)
@given(st.lists(st.integers(0, 5), max_size=80), st.lists(st.integers(0, 5), max_size=80))
def test_runs_are_equal_in_order_and_apart(old: list[int], new: list[int]) -> None:
    at = there = 0
    for index, run in enumerate(runs(old, new, Budget())):
        assert run.old >= at
        assert run.new >= there
        assert index == 0 or (run.old, run.new) != (at, there)
        assert old[run.old : run.old + run.size] == new[run.new : run.new + run.size]
        at, there = run.old + run.size, run.new + run.size


@settings(deadline=None)
@given(st.lists(st.integers(0, 30)))
def test_increasing_picks_a_longest_one(values: list[int]) -> None:
    picked = [values[index] for index in increasing(values)]
    assert picked == sorted(set(picked))
    longest = [1] * len(values)
    for index, value in enumerate(values):
        longest[index] += max((longest[i] for i in range(index) if values[i] < value), default=0)
    assert len(picked) == max(longest, default=0)


def test_a_budget_that_is_spent_leaves_a_valid_coarse_answer() -> None:
    old = [index % 7 for index in range(500)]
    new = [index % 5 for index in range(500)]
    budget = Budget(steps=10, cells=0)
    found = runs(old, new, budget)
    assert budget.coarse
    assert all(old[run.old] == new[run.new] for run in found)


def test_unique_lines_anchor_what_repeats_around_them() -> None:
    old = ["{", "}", "one", "{", "}", "two", *["{", "}"] * 41]
    new = [*["{", "}"] * 40, "one", "{", "}", "{", "}", "two", "{", "}"]
    numbers = {word: number for number, word in enumerate(dict.fromkeys(old + new))}
    found = runs([numbers[word] for word in old], [numbers[word] for word in new], Budget())
    kept = [old[run.old + step] for run in found for step in range(run.size)]
    assert "one" in kept
    assert "two" in kept


def test_an_added_function_is_drawn_whole() -> None:
    old = ["def a():", "    return 1", "", "def c():", "    return 3"]
    new = ["def a():", "    return 1", "", "def b():", "    return 2", "", "def c():", "    return 3"]
    assert edits(old, new, Budget()) == [Edit(3, 3, 3, 6)]


def test_an_added_tag_is_drawn_from_its_opening_to_its_closing() -> None:
    old = ["<c>", "one", "</c>", "end"]
    new = ["<c>", "one", "</c>", "<c>", "two", "</c>", "end"]
    assert edits(old, new, Budget()) == [Edit(3, 3, 3, 6)]


def test_an_added_item_between_blank_lines_takes_the_blank_line_after_it() -> None:
    old = ["# One", "text", "", "# Three", "text"]
    new = ["# One", "text", "", "# Two", "more", "", "# Three", "text"]
    assert edits(old, new, Budget()) == [Edit(3, 3, 3, 6)]


def test_changes_that_only_a_blank_line_parts_are_one() -> None:
    old = ["head", "one", "two", "", "three", "four", "tail"]
    new = ["head", "1", "2", "", "3", "4", "tail"]
    assert edits(old, new, Budget()) == [Edit(1, 6, 1, 6)]


def test_paragraphs_that_were_each_rewritten_stay_apart() -> None:
    old = ["1. Analyze the results:", "- original", "- success", "", "2. Correlate results:", "- match"]
    new = ["1. Analyze the updates:", "- check", "- state", "", "2. Correlate updates:", "- plan"]
    assert edits(old, new, Budget()) == [Edit(0, 3, 0, 3), Edit(4, 6, 4, 6)]


def test_a_line_with_words_keeps_two_changes_apart() -> None:
    old = ["one", "two", "kept", "three", "four"]
    new = ["1", "2", "kept", "3", "4"]
    assert len(edits(old, new, Budget())) == 2


def test_three_lines_of_context_and_near_changes_in_one_hunk() -> None:
    old = [f"line {number}" for number in range(40)]
    new = [*old[:10], "new", *old[11:16], "newer", *old[17:35], "last", *old[36:]]
    drawn = draw(old, new)
    assert len(drawn) == 2
    assert [line.op for line in drawn[0].lines] == list("===-+=====-+===")
    assert AROUND == 3


def test_a_run_without_end_of_equal_lines_costs_little() -> None:
    budget = Budget()
    assert runs([1] * 300_000, [1] * 200_000, budget) == [Run(0, 0, 200_000)]
    assert not budget.coarse
