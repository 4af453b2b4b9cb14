"""Title lines in a known order."""

from hypothesis import given
from hypothesis import strategies as st

from inspector.turns.dialects.titles import MAX_TITLES, Title, by_titles

TITLES = tuple(Title(f"--- {name} ---", "memory", name) for name in "ABCD")


def found(text: str) -> tuple[list[str], list[str]]:
    pieces, notes = by_titles(text, 0, TITLES, 0)
    return [piece.title for piece in pieces], [text[note.start : note.end] for note in notes]


def lines(titles: str) -> str:
    return "".join(f"--- {name} ---\nx\n" for name in titles)


def test_titles_in_order_are_sections() -> None:
    assert found("intro\n" + lines("ABD")) == (["A", "B", "D"], [])


def test_title_out_of_order_is_noted() -> None:
    assert found(lines("ADBCD")) == (["A", "B", "C", "D"], ["--- D ---"])
    assert found(lines("ABCDA")) == (["A", "B", "C", "D"], ["--- A ---"])


def test_same_line_before_the_first_title_is_a_repetition() -> None:
    assert found("You.\n" + lines("AAB")) == (["A", "B"], [])
    assert found(lines("DAB")) == (["A", "B"], ["--- D ---"])


def test_of_two_the_later_one_is_real() -> None:
    text = lines("ABBC")
    pieces, _ = by_titles(text, 0, TITLES, 0)
    assert [piece.start for piece in pieces] == [0, 24, 36]


def test_title_behind_a_bullet_is_only_noted() -> None:
    assert found(lines("A") + "• --- D ---\n" + lines("B")) == (["A", "B"], ["--- D ---"])


def test_title_in_a_sentence_is_neither() -> None:
    assert found(lines("A") + "say --- D --- now\n") == (["A"], [])


@given(st.lists(st.sampled_from("ABCD"), max_size=12))
def test_chain_is_in_order_and_the_longest(names: list[str]) -> None:
    titles, notes = found(lines("".join(names)))
    assert titles == sorted(set(titles))
    assert len(titles) == longest(names)
    spare = len(names) - len(titles)
    assert spare or not notes
    if spare and not notes:
        assert set(names[:spare]) <= set(titles), "only what stands before the first one is no forgery"


def longest(names: list[str]) -> int:
    best: list[int] = []
    for index, name in enumerate(names):
        best.append(1 + max((best[i] for i in range(index) if names[i] < name), default=0))
    return max(best, default=0)


def test_very_many_titles_are_not_all_looked_at() -> None:
    pieces, notes = by_titles(lines("A" * (MAX_TITLES * 3)) + lines("BCD"), 0, TITLES, 0)
    assert [piece.title for piece in pieces] == ["A", "B", "C", "D"]
    assert len(notes) <= len(TITLES) + 1
