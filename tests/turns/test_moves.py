"""What moving sections to the end would save."""

from dataclasses import replace

from inspector.turns.changes.previous import restless
from inspector.turns.prefix import prefix
from inspector.turns.turn import Prefix, ReadTurn, SectionCounts, SincePrevious
from tests.turns.made import made, said, tag

BULK = "Berth 4 is free for ships of up to ninety metres, and it has power.\n" * 20


def harbour(clock: str, ticket: str, tide: str = "low") -> ReadTurn:
    return made(
        said(
            "system",
            tag("clock", f"It is {clock} UTC.\n"),
            tag("berths", BULK),
            tag("ticket", f"Ticket id: {ticket}\n"),
            tag("cranes", BULK),
            tag("tide", f"The water is {tide} and will stay so.\n"),
            tag("rules", BULK),
        )
    )


def test_one_section_that_changes_by_itself_is_told_as_one() -> None:
    found = prefix(harbour("10:31", "a1b2c3d4"), harbour("10:32", "a1b2c3d4"))
    assert found.if_moved is not None
    assert found.if_moved.section == "clock"
    assert found.if_all_moved is None


def test_all_sections_that_change_by_themselves_are_told_together() -> None:
    new = harbour("10:32", "e5f6a7b8")
    found = prefix(harbour("10:31", "a1b2c3d4"), new)
    assert found.if_moved is not None
    assert found.if_all_moved is not None
    assert found.if_all_moved.sections == ("clock", "ticket")
    own = sum(section.tokens for section in new.reading.sections if section.path in ("clock", "ticket"))
    assert abs(found.if_all_moved.shared_tokens - (new.reading.tokens - own)) <= 4
    assert found.if_moved.shared_tokens < found.if_all_moved.shared_tokens - 100


def test_an_edit_by_hand_is_not_moved() -> None:
    found = prefix(harbour("10:31", "a1b2c3d4"), harbour("10:32", "e5f6a7b8", tide="high"))
    assert found.if_all_moved is not None
    assert found.if_all_moved.sections == ("clock", "ticket")
    assert found.if_all_moved.shared_tokens < found.tokens - 200


def test_a_section_that_the_session_changes_all_the_time_is_moved_too() -> None:
    turns = harbour("10:31", "a1b2c3d4"), harbour("10:32", "e5f6a7b8", tide="high")
    found = prefix(*turns, frozenset({"tide"}))
    assert found.if_all_moved is not None
    assert found.if_all_moved.sections == ("clock", "ticket", "tide")
    assert found.if_all_moved.shared_tokens > found.tokens - 60


def changed(*paths: str) -> ReadTurn:
    turn = made(said("user", "x"))
    since = SincePrevious("t", 0, SectionCounts(), Prefix(0, 0, 1, 0.0, None, 0), changed_paths=paths)
    return replace(turn, reading=replace(turn.reading, since_previous=since))


def test_restless_is_what_nearly_every_turn_changed() -> None:
    often = [changed("clock", "tide"), changed("clock"), changed("clock", "tide"), changed("clock", "rules")]
    assert restless(often) == {"clock"}
    assert restless([*often, changed("tide", "clock"), changed("tide")]) == {"clock"}


def test_one_turn_tells_nothing_of_what_is_restless() -> None:
    assert restless([made(said("user", "x")), changed("clock")]) == frozenset()
