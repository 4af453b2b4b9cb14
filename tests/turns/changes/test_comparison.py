"""Two prompts compared: hunks, notes, views, and that both sides agree."""

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from inspector.turns.changes import compare, since
from inspector.turns.changes.change import Changes, SectionChange
from inspector.turns.turn import KINDS, NativeCall, ReadTurn
from inspector.turns.turn import Part as TurnPart
from tests.turns.changes.test_lines import patched
from tests.turns.made import Part, Said, made, part, said, tag

WORDS = st.text(st.sampled_from("ab\n <>1"), max_size=12)
NAMES = st.sampled_from(["a", "b", "c", "ctx[1]", "ctx[2]"])
LEAF = st.builds(
    lambda name, text, kind: tag(name, text + "\n", kind=kind), NAMES, WORDS, st.sampled_from(KINDS)
)
NESTED = st.recursive(
    LEAF,
    lambda inner: st.builds(lambda name, parts: tag(name, *parts), NAMES, st.lists(inner, max_size=3)),
    max_leaves=6,
)
MESSAGES = st.lists(
    st.builds(
        lambda role, parts: said(role, *parts),
        st.sampled_from(["system", "user", "tool"]),
        st.lists(NESTED, max_size=4),
    ),
    max_size=4,
)


def lines_of(text: str) -> list[str]:
    """The lines of a text; what ends with a line end has no empty one behind it."""
    lines = text.split("\n")
    return lines[:-1] if lines[-1] == "" and len(lines) > 1 else lines


def only(changes: Changes, change: str) -> list[str]:
    return [each.path for each in changes.sections if each.change == change]


def at(changes: Changes, path: str) -> SectionChange:
    return next(each for each in changes.sections if each.path == path)


def one(old: str, new: str, **view: Any) -> SectionChange:
    return compare(made(said("user", tag("s", old))), made(said("user", tag("s", new))), **view).sections[0]


@settings(max_examples=80, deadline=None)
@given(MESSAGES, MESSAGES)
@example(
    [said("user", tag("b", "Nora called.\n"), tag("c", "It is calm at sea tonight.\n"))],
    [said("user", tag("c", "Nora called.\n"), tag("b", "Nora called.\n"))],
)
@example(
    [said("user", tag("b", "Berth 8 is free.\n"), tag("a", "Berth 7 is free.\n"))],
    [said("user", *(tag(name, f"Berth {n} is free.\n") for name, n in (("a", 7), ("b", 7), ("a", 8))))],
)
def test_both_directions_agree(old: list[Said], new: list[Said]) -> None:
    there, back = compare(made(*old), made(*new)), compare(made(*new), made(*old))
    assert there.summary.added == back.summary.removed
    assert there.summary.removed == back.summary.added
    assert there.summary.same == back.summary.same
    assert there.summary.changed == back.summary.changed
    assert there.tokens == -back.tokens


@settings(max_examples=80, deadline=None)
@given(MESSAGES, MESSAGES)
def test_the_cheap_counts_are_those_of_the_full_comparison(old: list[Said], new: list[Said]) -> None:
    a, b = made(*old), made(*new)
    assert since(a, b).sections == compare(a, b).summary


@settings(max_examples=80, deadline=None)
@given(MESSAGES)
def test_a_turn_against_itself_is_all_same(messages: list[Said]) -> None:
    found = compare(made(*messages), made(*messages))
    assert {each.change for each in found.sections} <= {"same"}
    assert (found.summary.added, found.summary.removed, found.summary.changed, found.summary.moved) == (
        0,
        0,
        0,
        0,
    )
    assert found.prefix.broken_at is None
    assert not found.coarse


@settings(max_examples=80, deadline=None)
@given(MESSAGES, MESSAGES)
def test_all_text_of_both_prompts_is_accounted_for(old: list[Said], new: list[Said]) -> None:
    a, b = made(*old), made(*new)
    changes = compare(a, b)
    for turn, side in ((a, "old"), (b, "new")):
        covered = [set(range(len(message.text))) for message in turn.turn.messages]
        for each in changes.sections:
            stretch = getattr(each, side)
            if stretch is not None:
                covered[stretch.message] -= set(range(stretch.start, stretch.end))
        assert not any(covered)


@settings(max_examples=150, deadline=None)
@given(
    st.text(st.sampled_from("ab\n \r\u200b1"), max_size=40),
    st.text(st.sampled_from("ab\n \r\u200b1"), max_size=40),
)
def test_a_text_and_its_hunks_give_the_new_text(old: str, new: str) -> None:
    changes = compare(made(said("user", part("s", "x\n" + old))), made(said("user", part("s", "x\n" + new))))
    if len(changes.sections) == 1 and changes.sections[0].change == "changed":
        assert patched(lines_of("x\n" + old), changes.sections[0].hunks) == lines_of("x\n" + new)
    elif old != new and len(changes.sections) == 1:
        assert ("x\n" + old).rstrip() == ("x\n" + new).rstrip()
        assert changes.sections[0].note == "only the blank space behind it differs"


def test_hunks_carry_line_numbers_of_the_whole_prompts() -> None:
    old = made(said("system", "You.\nBe brief."), said("user", tag("s", "one\ntwo\n")))
    new = made(said("system", "You.\nBe brief.\nNever lie."), said("user", tag("s", "one\n2\n")))
    (hunk,) = at(compare(old, new), "s").hunks
    assert (hunk.old_line, hunk.new_line) == (3, 4)
    assert [(line.op, line.old_line, line.new_line) for line in hunk.lines] == [
        ("=", 3, 4),
        ("=", 4, 5),
        ("-", 5, None),
        ("+", None, 6),
        ("=", 6, 7),
    ]


def test_a_parent_shows_its_own_text_and_leaves_the_rest_to_its_children() -> None:
    old = made(said("user", tag("p", "before\n", tag("c", "one\n"), "after\n")))
    new = made(said("user", tag("p", "before!\n", tag("c", "two\n"), "after\n")))
    changes = compare(old, new)
    assert [line.text for line in at(changes, "p").hunks[0].lines if line.op != "="] == ["before", "before!"]
    assert [line.text for line in at(changes, "p/c").hunks[0].lines if line.op != "="] == ["one", "two"]
    assert changes.summary.changed == 2


def test_unchanged_sections_are_listed_without_hunks_and_their_children_not_at_all() -> None:
    turn = made(said("user", tag("p", tag("c", "one\n"), tag("d", "two\n"))))
    assert [(each.path, each.hunks) for each in compare(turn, turn).sections] == [("p", ())]


def test_removed_sections_stand_where_they_stood() -> None:
    old = made(said("user", tag("a", "1\n"), tag("b", "2\n"), tag("c", "3\n")))
    new = made(said("user", tag("a", "1\n"), tag("c", "3\n"), tag("d", "4\n")))
    found = [(each.path, each.change) for each in compare(old, new).sections]
    assert found == [("a", "same"), ("b", "removed"), ("c", "same"), ("d", "added")]


def test_added_and_removed_sections_show_their_text() -> None:
    old = made(said("user", tag("a", "1\n"), tag("b", "2\n")))
    new = made(said("user", tag("a", "1\n")))
    (hunk,) = at(compare(old, new), "b").hunks
    assert [(line.op, line.text) for line in hunk.lines] == [("-", "<b>"), ("-", "2"), ("-", "</b>")]
    (hunk,) = at(compare(new, old), "b").hunks
    assert [line.op for line in hunk.lines] == ["+", "+", "+"]


def test_a_section_under_a_new_name_is_renamed() -> None:
    old = made(said("user", part("a", "1\n"), part("old", "The very same text stays.\n"), part("b", "2\n")))
    new = made(said("user", part("a", "1\n"), part("new", "The very same text stays.\n"), part("b", "2\n")))
    (change,) = [each for each in compare(old, new).sections if each.change != "same"]
    assert (change.change, change.path) == ("renamed", "new")
    assert change.old is not None
    assert change.old.path == "old"


def test_a_changed_section_that_also_moved_says_so() -> None:
    def turn(*parts: Part) -> ReadTurn:
        return made(said("user", *parts))

    old = turn(tag("a", "1\n"), tag("b", "2\n"), tag("c", "3\n"), tag("d", "4\n"))
    new = turn(tag("b", "2\n"), tag("c", "3\n"), tag("d", "4\n"), tag("a", "one\n"))
    assert at(compare(old, new), "a").note == "moved"


@pytest.mark.parametrize(
    ("old", "new", "note", "whitespace_only"),
    [
        ("a\nb\n", "a\r\nb\r\n", "only line ends differ: LF became CRLF", True),
        (
            "a b\n",
            "a\u200b b\n",
            "only invisible characters differ: 1 zero width space (U+200B) added",
            False,
        ),
        ("a b\n", "a  b\n", "only whitespace differs", True),
        ("a b\n", "a b  \n", "only spaces at line ends differ", True),
        ("  a\n", "    a\n", "only indentation differs", True),
        ("a\nb\n", "a\n\nb\n", "only blank lines differ", True),
        (
            "caf\u00e9\n",
            "cafe\u0301\n",
            "only the Unicode form differs: the same letters, composed otherwise",
            False,
        ),
        ("a\n", "b\n", None, False),
    ],
)
def test_what_cannot_be_seen_is_named(old: str, new: str, note: str | None, whitespace_only: bool) -> None:
    change = one(old, new)
    assert (change.change, change.note, change.whitespace_only) == ("changed", note, whitespace_only)


def test_ignored_whitespace_is_not_drawn_but_still_changed() -> None:
    change = one("a b\nc\n", "a  b\nc\n", ignore_whitespace=True)
    assert (change.change, change.hunks, change.note) == ("changed", (), "only what is ignored differs")


def test_blank_lines_are_whitespace_too() -> None:
    assert one("a\nb\n", "a\n\nb\n", ignore_whitespace=True).hunks == ()


def test_ignored_values_are_not_drawn_but_other_changes_are() -> None:
    change = one("at 10:31\nBe brief.\n", "at 10:32\nBe kind.\n", ignore_volatile=True)
    assert [line.text for line in change.hunks[0].lines if line.op != "="] == ["Be brief.", "Be kind."]
    assert one("at 10:31\n", "at 10:32\n", ignore_volatile=True).hunks == ()


def test_a_changed_native_call_is_shown_line_by_line() -> None:
    def turn(city: str) -> ReadTurn:
        call: Any = NativeCall("c1", "weather", f'{{"city": "{city}", "days": 3}}')
        return made(said("user", "Go"), said("assistant", calls=[call]), said("tool", "Rain."))

    changes = compare(turn("Oslo"), turn("Rome"))
    (change,) = [each for each in changes.sections if each.change == "changed"]
    assert change.title == "calls weather"
    assert [line.text for line in change.hunks[0].lines if line.op != "="] == [
        '  "city": "Oslo"',
        '  "city": "Rome"',
    ]
    assert changes.summary.changed == 1


def test_arguments_spelled_otherwise_are_changed_with_a_note() -> None:
    def turn(arguments: str) -> ReadTurn:
        return made(said("user", "Go"), said("assistant", calls=[NativeCall("c1", "weather", arguments)]))

    changes = compare(turn('{"city": "Oslo", "days": 3}'), turn('{"city":"Oslo","days":3}'))
    (change,) = [each for each in changes.sections if each.change != "same"]
    assert (change.hunks, change.note) == ((), "the same values, spelled otherwise")


def test_calls_beside_text_are_shown_when_they_differ() -> None:
    def turn(city: str) -> ReadTurn:
        call = NativeCall("c1", "weather", f'{{"city": "{city}"}}')
        return made(said("user", "Go"), said("assistant", "Let me look.", calls=[call]))

    changes = compare(turn("Oslo"), turn("Rome"))
    assert [(each.title, each.change) for each in changes.sections] == [
        ("user", "same"),
        ("assistant", "same"),
        ("calls weather", "changed"),
    ]


def test_another_image_is_a_change() -> None:
    def turn(image: str) -> ReadTurn:
        read = made(said("user", "What is this?"))
        pieces = (TurnPart("text", 0, 13), TurnPart("image_url", 13, 13, {"url": image}))
        message = replace(read.turn.messages[0], parts=pieces)
        return replace(read, turn=replace(read.turn, messages=(message,)))

    old, new = turn("data:" + "a" * 900 + "x"), turn("data:" + "a" * 900 + "y")
    (change,) = [each for each in compare(old, new).sections if each.change != "same"]
    assert (change.title, change.change) == ("image_url", "changed")
    assert compare(old, old).summary.changed == 0


def test_too_much_difference_gives_a_coarse_answer_that_says_so() -> None:
    old = "".join(f"line {index * index % 7919}\n" for index in range(20_000))
    new = "".join(f"line {index * index % 7907}\n" for index in range(20_000))
    changes = compare(made(said("user", part("s", old))), made(said("user", part("s", new))))
    assert changes.coarse
    assert changes.sections[0].hunks


def test_turns_without_messages_compare() -> None:
    assert compare(made(), made()).sections == ()
    assert only(compare(made(), made(said("user", "Hi"))), "added") == ["user"]
