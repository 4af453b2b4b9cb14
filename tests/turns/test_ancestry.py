"""The ancestry of a text's lines."""

from hypothesis import given
from hypothesis import strategies as st

from inspector.turns.ancestry import Gone, Step, ancestry


def test_each_line_knows_the_version_that_brought_it() -> None:
    found = ancestry([["a", "z"], ["a", "b", "z"], ["a", "b", "c", "z"]])
    assert found.origins == (0, 1, 2, 0)
    assert found.steps == (Step(2, 0), Step(1, 0), Step(1, 0))
    assert found.gone == ()


def test_lines_that_went_are_told_with_the_version_that_dropped_them() -> None:
    found = ancestry([["head", "one", "two"], ["head", "two"], ["head", "three"]])
    assert found.gone == (Gone(1, "one"), Gone(2, "two"))
    assert found.origins == (0, 2)


def test_a_line_that_came_again_is_not_gone() -> None:
    found = ancestry([["a", "b"], ["a"], ["a", "b"]])
    assert found.gone == ()
    assert found.origins == (0, 2)


def test_blank_lines_that_went_are_not_worth_telling() -> None:
    assert ancestry([["a", "", "b"], ["a", "b"]]).gone == ()


def test_nothing_has_no_ancestry() -> None:
    assert ancestry([]) == ancestry([])
    assert ancestry([]).origins == ()


@given(st.lists(st.lists(st.sampled_from("abcd"), max_size=8), min_size=1, max_size=5))
def test_every_line_has_an_origin_that_holds_it(versions: list[list[str]]) -> None:
    found = ancestry(versions)
    assert len(found.origins) == len(versions[-1])
    assert all(line in versions[origin] for line, origin in zip(versions[-1], found.origins, strict=True))
    sizes = [0]
    for step in found.steps:
        sizes.append(sizes[-1] + step.added - step.removed)
    assert sizes[1:] == [len(version) for version in versions]
