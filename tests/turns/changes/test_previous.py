"""What differs from the turn before: counts, paths and kinds, by digests alone."""

from inspector.turns.changes import since
from inspector.turns.turn import NativeCall, SectionCounts
from tests.turns.made import made, part, said, tag


def counts(old: object, new: object) -> SectionCounts:
    return since(old, new).sections  # type: ignore[arg-type]


def test_a_turn_against_itself_is_all_same() -> None:
    turn = made(said("system", tag("a", "one\n"), tag("b", tag("c", "two\n"))), said("user", "Hi"))
    found = since(turn, turn)
    assert found.sections == SectionCounts(same=3)
    assert (found.changed_paths, found.changed_kinds, found.tokens) == ((), (), 0)


def test_an_inserted_message_is_one_addition_and_nothing_else() -> None:
    old = made(said("user", "One"), said("assistant", "ok"), said("user", "Two"), said("assistant", "ok"))
    new = made(
        said("user", "One"),
        said("assistant", "ok"),
        said("user", "Between"),
        said("user", "Two"),
        said("assistant", "ok"),
    )
    assert counts(old, new) == SectionCounts(added=1, same=4)
    assert counts(new, old) == SectionCounts(removed=1, same=4)


def test_only_the_innermost_changed_section_counts() -> None:
    old = made(
        said("user", tag("all", tag("clock", "10:31\n", kind="environment"), tag("rules", "Be brief.\n")))
    )
    new = made(
        said("user", tag("all", tag("clock", "10:32\n", kind="environment"), tag("rules", "Be brief.\n")))
    )
    found = since(old, new)
    assert found.sections == SectionCounts(changed=1, same=1)
    assert found.changed_paths == ("all/clock",)
    assert found.changed_kinds == ("environment",)


def test_keyed_contexts_keep_their_partners_when_one_is_put_before_them() -> None:
    def contexts(*names: str) -> object:
        return made(said("user", *(tag(f"context[{name}]", f"state of {name}\n" * 3) for name in names)))

    assert counts(contexts("a", "b"), contexts("new", "a", "b")) == SectionCounts(added=1, same=2)


def test_one_section_that_changed_places_moved_alone() -> None:
    def turn(*names: str) -> object:
        return made(said("user", *(tag(name, f"text of {name}\n") for name in names)))

    assert counts(turn("a", "b", "c", "d"), turn("b", "c", "d", "a")) == SectionCounts(moved=1, same=3)


def test_a_window_that_slides_over_repeats_marks_what_fell_out_and_what_came() -> None:
    def window(*results: str) -> object:
        return made(said("user", tag("results", *(tag("result", each) for each in results))))

    old = window('{"mana": 80}\n', '{"stored": 5}\n', '{"stored": 520, "player": "Bob"}\n')
    new = window('{"stored": 5}\n', '{"stored": 520, "player": "Bob"}\n', '{"hit": true, "health": 60}\n')
    assert counts(old, new) == SectionCounts(added=1, removed=1, same=2)


def test_a_section_that_went_into_another_one_moved() -> None:
    text = "A dungeon game, and who is in it.\n"
    old = made(said("user", tag("role", "You.\n"), tag("game", text), tag("box", "x\n")))
    new = made(said("user", tag("role", "You.\n"), tag("box", "x\n", tag("game", text))))
    found = since(old, new)
    assert found.sections.moved == 1
    assert found.sections.removed == found.sections.added == 0


def test_kinds_come_in_their_fixed_order_and_count_what_was_removed() -> None:
    old = made(said("user", tag("m", "remember\n", kind="memory"), tag("u", "new\n", kind="updates")))
    new = made(said("user", tag("i", "You.\n", kind="instructions"), tag("u", "newer\n", kind="updates")))
    assert since(old, new).changed_kinds == ("instructions", "memory", "updates")


def test_an_edited_system_message_is_changed_not_replaced() -> None:
    old = made(said("system", "You are a careful agent.\n" * 9), said("user", "Hi"))
    new = made(said("system", "You are a careful agent.\n" * 8 + "Never lie.\n"), said("user", "Hi"))
    assert counts(old, new) == SectionCounts(changed=1, same=1)


def test_the_difference_of_tokens_is_new_minus_old() -> None:
    old, new = made(said("user", "one")), made(said("user", "one two three"))
    assert since(old, new).tokens == 2
    assert since(new, old).tokens == -2


def test_turns_of_different_shapes_compare() -> None:
    old = made(said("user", tag("role", "You help.\n"), tag("state", "calm\n")))
    new = made(said("system", "You are someone else entirely."), said("user", "Hi"))
    found = since(old, new)
    assert found.sections.same == 0
    assert since(made(), new).sections == SectionCounts(added=2)
    assert since(new, made()).sections == SectionCounts(removed=2)


def test_messages_of_calls_alone_do_not_disturb_their_neighbours() -> None:
    call = NativeCall("c1", "read", "{}")
    old = made(
        said("user", "Go"), said("assistant", part("assistant", ""), calls=[call]), said("tool", "AAA")
    )
    new = made(
        said("user", "Go"),
        said("assistant", part("assistant", ""), calls=[call]),
        said("tool", "AAA"),
        said("assistant", "Done."),
    )
    assert counts(old, new) == SectionCounts(added=1, same=3)
