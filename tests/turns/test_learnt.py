"""Values that change by themselves, learnt over turns."""

import string
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspector.turns.changes import compare
from inspector.turns.learnt import Pattern, learn, learn_sections, masked_by, restless_in
from inspector.turns.turn import ReadTurn
from tests.turns.made import made, said, tag

BERTHS = ["Berth 4 is free for ships of up to ninety metres.", "Berth 5 has no power."]


def over(template: str, *values: str) -> tuple[Pattern, ...]:
    """Learnt from a text in which one line changes."""
    return learn([[*BERTHS, template.format(value), "Be brief."] for value in values])


def slots(found: tuple[Pattern, ...]) -> list[tuple[str, int, int]]:
    return [(slot.name, slot.changed, slot.seen) for pattern in found for slot in pattern.slots]


@pytest.mark.parametrize(
    ("template", "values", "name"),
    [
        ("It is {} UTC.", ("10:31", "10:32", "10:40", "11:02"), "clock"),
        ("Now: {}", ("2026-11-30T10:31:09Z", "2026-11-30T10:31:12Z", "2026-12-01T00:00:00Z"), "clock"),
        ("Today is {}.", ("2026-11-28", "2026-11-29", "2026-11-30"), "date"),
        ("Turn {} of the watch", ("1", "2", "3", "4"), "counter"),
        ("Budget left: {} coins", ("90", "75", "60"), "counter"),
        ("Wind: {} knots", ("9", "14", "11"), "number"),
        (
            "Request 4f0c1d2e-0000-4000-8000-{}",
            ("aaaaaaaaaaaa", "bbbbbbbbbbbb", "cccccccccccc"),
            "id",
        ),
        ("Ticket {}, keep it.", ("Zk81x-Qq7", "Pm42a-Rt0", "Bd17c-Ws5"), "id"),
        ("The mood of the crew is {} today.", ("calm", "cheerful", "tired"), "text"),
    ],
)
def test_what_changes_is_named_by_what_it_is(template: str, values: tuple[str, ...], name: str) -> None:
    found = over(template, *values)
    assert slots(found) == [(name, len(values) - 1, len(values) - 1)]
    (pattern,) = found
    assert pattern.line == 2
    assert pattern.slots[0].samples[-1] in template.format(values[-1])
    assert pattern.values(template.format(values[0])) is not None


def test_two_values_of_one_line_are_two() -> None:
    found = learn([[*BERTHS, f"It is 10:3{n} UTC, turn {n}, in the harbour."] for n in range(1, 5)])
    assert slots(found) == [("clock", 3, 3), ("counter", 3, 3)]


def test_a_value_that_changed_once_is_no_volatile_one() -> None:
    assert over("The harbour master is {}.", "Ann", "Ann", "Ben", "Ben") == ()
    assert over("It is {} UTC.", "10:31", "10:32") == ()


def test_a_value_that_mostly_stays_is_no_volatile_one() -> None:
    assert over("Wind: {} knots", "9", "9", "9", "11", "11", "11", "14", "14") == ()


def test_turns_in_which_a_text_stayed_count() -> None:
    texts = [[*BERTHS, f"Wind: {value} knots"] for value in ("9", "14", "11")]
    assert slots(learn(texts)) == [("number", 2, 2)]
    assert learn(texts, [3, 3, 2]) == ()


def test_a_line_written_anew_each_turn_is_no_value() -> None:
    lines = [
        "Please find me a berth for the night, near the fish market.",
        "How deep is the water at the northern pier at low tide?",
        "Thank you, that was all I wanted to know for today.",
    ]
    assert learn([[*BERTHS, line] for line in lines]) == ()


def test_lines_that_come_before_do_not_part_a_line_from_its_versions() -> None:
    texts = [
        [*(f"Skipper {n} called." for n in range(turn)), f"It is 10:3{turn} UTC."] for turn in range(1, 6)
    ]
    found = learn(texts)
    assert slots(found) == [("clock", 4, 4)]
    assert found[0].line == 5


def test_a_line_is_masked_where_it_fits_and_left_alone_where_not() -> None:
    found = over("The mood of the crew is {} today.", "calm", "cheerful", "tired")
    assert masked_by(found, "The mood of the crew is grim today.") == masked_by(
        found, "The mood of the crew is calm today."
    )
    assert masked_by(found, "The mood is calm.") == "The mood is calm."


LINE = st.text(alphabet=string.ascii_lowercase + "0123456789 :-.", max_size=30)


@given(st.lists(st.lists(LINE, max_size=6), min_size=1, max_size=6))
def test_any_versions_give_patterns_that_fit_the_latest(versions: list[list[str]]) -> None:
    for pattern in learn(versions):
        assert len(pattern.fixed) == len(pattern.slots) + 1
        values = pattern.values(versions[-1][pattern.line])
        assert values is not None
        pieces = [piece for pair in zip(pattern.fixed, values, strict=False) for piece in pair]
        assert "".join([*pieces, pattern.fixed[-1]]) == versions[-1][pattern.line]
        for slot in pattern.slots:
            assert 2 <= slot.changed <= slot.seen < len(versions)


def test_long_texts_that_change_everywhere_end_soon() -> None:
    random = Random(1)
    versions = [[f"value {random.random()} of line {n % 7}" for n in range(3_000)] for _ in range(6)]
    assert len(learn(versions)) <= 200


# ---------------------------------------------------------------- sections of a session


def turn(number: int, mood: str) -> ReadTurn:
    return made(
        said(
            "system",
            tag("rules", "Be brief.\n"),
            tag(
                "state", tag("clock", f"It is 10:3{number} UTC.\n"), tag("crew", f"The mood is {mood} now.\n")
            ),
        ),
        seq=number,
    )


def test_sections_that_changed_twice_are_learnt() -> None:
    session = [turn(1, "calm"), turn(2, "calm"), turn(3, "tired")]
    assert restless_in(session) == ["state", "state/clock"]
    found = learn_sections(session, restless_in(session))
    assert slots(found["state/clock"]) == [("clock", 2, 2)]
    assert found["state"][0].line == found["state/clock"][0].line + 1


def test_a_comparison_ignores_what_the_session_taught() -> None:
    session = [turn(1, "calm"), turn(2, "cheerful"), turn(3, "tired")]
    learnt = learn_sections(session, restless_in(session))
    plain = compare(session[1], session[2], ignore_volatile=True)
    taught = compare(session[1], session[2], ignore_volatile=True, learnt=learnt)
    crew = [next(one for one in each.sections if one.path == "state/crew") for each in (plain, taught)]
    assert [bool(section.hunks) for section in crew] == [True, False]
    assert crew[1].note == "only what is ignored differs"
    assert crew[1].change == "changed"
