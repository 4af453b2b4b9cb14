"""Blame, section history and presence over the turns of one session."""

import pytest

from inspector.turns.lineage import Blame, blame, history, presence
from tests.turns.made import made, said, tag


def lines(*found: Blame) -> list[tuple[int, int, int]]:
    return [(each.line, each.end_line, each.seq) for each in found]


def test_each_line_belongs_to_the_turn_that_introduced_it() -> None:
    session = [
        made(said("user", tag("a", "one\n"), tag("b", "two\n")), id="t1", seq=1),
        made(said("user", tag("a", "one\nand\n"), tag("b", "two\n")), id="t2", seq=2),
        made(said("user", tag("a", "one\nand\n"), tag("c", "new\n"), tag("b", "two\n")), id="t3", seq=3),
    ]
    assert lines(*blame(session)) == [(1, 2, 1), (3, 3, 2), (4, 4, 1), (5, 7, 3), (8, 11, 1)]
    assert {each.turn for each in blame(session)} == {"t1", "t2", "t3"}


def test_blame_covers_every_line_of_the_last_prompt_once() -> None:
    session = [
        made(
            said("system", "You.\nBe brief."),
            said("user", *(tag("x", f"{n}\n") for n in range(count))),
            seq=count,
        )
        for count in range(1, 8)
    ]
    covered = [line for each in blame(session) for line in range(each.line, each.end_line + 1)]
    assert covered == list(range(1, session[-1].reading.lines + 1))


def test_a_moved_section_keeps_its_origin() -> None:
    session = [
        made(said("user", tag("a", "one\n"), tag("b", "two\n"), tag("c", "three\n")), seq=1),
        made(said("user", tag("b", "two\n"), tag("c", "three\n"), tag("a", "one\n")), seq=2),
    ]
    assert {each.seq for each in blame(session)} == {1}


def test_a_line_that_left_and_came_again_is_new() -> None:
    session = [
        made(said("user", tag("a", "x\n", text, "y\n")), seq=seq)
        for seq, text in enumerate(["gone\n", "", "gone\n"], 1)
    ]
    assert lines(*blame(session)) == [(1, 2, 1), (3, 3, 3), (4, 6, 1)]


def test_what_the_model_said_before_is_known_as_its_own() -> None:
    session = [
        made(
            said("user", tag("notes", "nothing yet\n")), seq=1, response="I will check the dragon's mana.\nok"
        ),
        made(said("user", tag("notes", "I will check the dragon's mana.\nok\n", kind="memory")), seq=2),
    ]
    found = [(each.line, each.said, each.kind) for each in blame(session) if each.seq == 2]
    assert found == [(2, True, "memory"), (3, False, "memory")]


def test_blame_tells_where_a_line_stood_when_it_came() -> None:
    session = [
        made(said("user", tag("a", "one\ntwo\n"), tag("b", "x\n")), seq=1),
        made(said("user", tag("n", "new\n"), tag("a", "one\nand\ntwo\n"), tag("b", "x\n")), seq=2),
        made(said("user", tag("b", "x\n"), tag("n", "new\n"), tag("a", "one\nand\ntwo\n")), seq=3),
    ]
    found = {each.line: (each.seq, each.from_line) for each in blame(session)}
    assert found[1] == (1, 5)
    assert (2, 1) in found.values()
    assert (2, 6) in found.values()


def test_a_sighting_names_the_line_of_its_first_place() -> None:
    session = [made(said("system", "You.\nBe brief."), said("user", tag("x", "a berth\na berth\n")), seq=1)]
    assert presence(session, "berth").turns[0].line == 4
    assert presence(session, "boat").turns[0].line is None


def test_blame_of_nothing_is_nothing() -> None:
    assert blame([]) == ()
    assert blame([made()]) == ()


def test_the_versions_of_a_section() -> None:
    texts = ["one\n", "one\n", "two\n", None, "two\n"]
    session = [
        made(said("user", tag("r", "You.\n"), *([tag("s", text)] if text else [])), id=f"t{seq}", seq=seq)
        for seq, text in enumerate(texts, 1)
    ]
    found = [(each.from_seq, each.to_seq, each.turn) for each in history(session, "s")]
    assert found == [(1, 2, "t1"), (3, 3, "t3"), (5, 5, "t5")]
    first, second, third = history(session, "s")
    assert first.digest != second.digest == third.digest
    assert first.chars == len("<s>\none\n</s>\n")


def test_a_path_that_never_was_has_no_versions() -> None:
    assert history([made(said("user", "Hi"))], "nowhere") == ()


TEXT = "the dragon sleeps in the cave"


@pytest.mark.parametrize(
    ("prompts", "entered", "left", "verdict"),
    [
        (["x", f"a {TEXT}", f"b {TEXT}"], 2, None, "present"),
        (["x", f"a {TEXT}", "x"], 2, 3, "left"),
        (["x", f"a {TEXT}", f"a {TEXT[:16]} …"], 2, 3, "cut"),
        (["x", "y"], None, None, "never"),
        ([f"a {TEXT}", "x", f"b {TEXT}", "y"], 1, 4, "left"),
    ],
)
def test_presence(prompts: list[str], entered: int | None, left: int | None, verdict: str) -> None:
    session = [made(said("user", text), seq=seq) for seq, text in enumerate(prompts, 1)]
    found = presence(session, TEXT)
    assert (found.entered, found.left, found.verdict) == (entered, left, verdict)
    assert [each.present for each in found.turns] == [TEXT in prompt for prompt in prompts]


def test_presence_names_the_sections_and_what_was_only_said() -> None:
    session = [
        made(said("user", tag("role", "You.\n")), seq=1, response=f"I know: {TEXT}!"),
        made(
            said("user", tag("role", "You.\n"), tag("memory", tag("note", f"{TEXT}\n"))), seq=2, response=TEXT
        ),
    ]
    first, second = presence(session, TEXT).turns
    assert (first.present, first.only_in_response) == (False, True)
    assert (second.present, second.only_in_response, second.sections) == (True, False, ("memory/note",))
    assert presence(session[:1], TEXT).verdict == "only-said"


def test_a_text_at_many_places_is_found_in_bounded_work() -> None:
    session = [made(said("user", "a" * 100_000))]
    assert presence(session, "a").turns[0].present
    assert presence(session, "").verdict == "never"
