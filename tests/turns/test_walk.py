"""Walking two prompts side by side, and what lies before a spot."""

from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st

from inspector.turns.turn import NativeCall
from inspector.turns.walk import Spot, sections_at, shared_length, tokens_before, walk
from tests.turns.made import made, part, said, tag

TEXT = st.text(st.sampled_from("ab\U0001f600"), max_size=30)


@settings(deadline=None)
@given(TEXT, TEXT, TEXT, st.integers(0, 3_000))
def test_shared_length_is_that_of_the_common_prefix(head: str, old: str, new: str, size: int) -> None:
    a, b = head * (size // 10) + old, head * (size // 10) + new
    length = shared_length(a, 0, b, 0)
    assert a[:length] == b[:length]
    assert length == min(len(a), len(b)) or a[length] != b[length]


def test_shared_length_counts_from_two_places() -> None:
    assert shared_length("xxabc", 2, "abd", 0) == 2


def test_a_walk_stops_at_another_role_call_or_text() -> None:
    call, other = NativeCall("1", "read", "{}"), NativeCall("1", "write", "{}")
    base = made(said("user", "Hi"), said("assistant", "ok", calls=[call]), said("user", "go on"))
    assert walk(base.turn.messages, base.turn.messages).chars == 9
    role = made(said("user", "Hi"), said("system", "ok", calls=[call]), said("user", "go on"))
    assert walk(base.turn.messages, role.turn.messages).new == Spot(1, 0)
    calls = made(said("user", "Hi"), said("assistant", "ok", calls=[other]), said("user", "go on"))
    assert walk(base.turn.messages, calls.turn.messages).new == Spot(1, 2)
    text = made(said("user", "Hi"), said("assistant", "ok", calls=[call]), said("user", "go off"))
    assert walk(base.turn.messages, text.turn.messages).new == Spot(2, 4)


def test_tokens_before_a_spot_grow_up_to_those_of_the_prompt() -> None:
    read = made(
        said(
            "system",
            part("role", "You help people.\n"),
            tag("state", tag("inner", "calm and quiet\n"), "more\n"),
        ),
        said("user", "What is the weather?"),
    )
    counts = [
        tokens_before(read, Spot(index, offset))
        for index, message in enumerate(read.turn.messages)
        for offset in range(0, len(message.text) + 1, 8)
    ]
    assert counts[0] == 0
    assert all(after >= before - 1 for before, after in pairwise(counts))
    assert tokens_before(read, Spot(2, 0)) == read.reading.tokens


def test_the_sections_at_a_spot_go_from_the_outermost_to_the_innermost() -> None:
    read = made(said("user", tag("a", tag("b", "text\n")), tag("c", "more\n")))
    text = read.turn.messages[0].text
    assert [each.path for each in sections_at(read, Spot(0, text.index("text")))] == ["a", "a/b"]
    assert [each.path for each in sections_at(read, Spot(0, len(text)))] == ["c"]
    assert sections_at(read, Spot(5, 0)) == []


def test_blank_space_at_the_end_of_a_section_belongs_to_the_next_one() -> None:
    read = made(said("user", part("a", "one\n\n"), part("b", "two\n\n")))
    assert [each.path for each in sections_at(read, Spot(0, 3))] == ["b"]
    assert [each.path for each in sections_at(read, Spot(0, 8))] == ["b"]
