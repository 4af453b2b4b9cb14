"""The shared prefix of two prompts: figures, place, cause, and what a move would save."""

import json
from pathlib import Path

import pytest

from inspector.turns.prefix import prefix
from inspector.turns.read import read_turn
from inspector.turns.turn import NativeCall, ReadTurn, Tool, Usage
from inspector.turns.wires import read_payload
from tests.turns.made import made, part, said, tag

SEEDS = Path(__file__).parents[3] / "shared/corpus/seeds"
RULES = "You are a support agent.\n\n# Rules\nBe brief.\n"


def cause(old: str, new: str) -> str:
    found = prefix(made(said("system", old)), made(said("system", new)))
    assert found.broken_at is not None
    return found.broken_at.cause


def test_equal_prompts_share_everything() -> None:
    turn = made(said("system", RULES), said("user", "Hi"))
    found = prefix(turn, turn)
    assert (found.ratio, found.shared_tokens, found.broken_at) == (1.0, turn.reading.tokens, None)
    assert found.shared_chars == turn.reading.chars
    assert found.rebilled_tokens == 0


def test_a_conversation_that_only_goes_on_is_not_broken() -> None:
    old = made(said("system", RULES), said("user", "Hi"))
    new = made(said("system", RULES), said("user", "Hi"), said("assistant", "Yes?"), said("user", "Help me"))
    found = prefix(old, new)
    assert found.broken_at is None
    assert found.shared_tokens == old.reading.tokens
    assert 0 < found.ratio < 1
    assert found.rebilled_tokens == 0


def test_text_added_at_the_very_end_is_not_broken() -> None:
    found = prefix(made(said("user", "One.\n")), made(said("user", "One.\nTwo.\n")))
    assert (found.broken_at, found.shared_chars) == (None, 5)


def test_the_place_of_the_first_difference() -> None:
    old = made(said("system", part("role", "You help.\n"), part("clock", "## Now\nLocal time: 10:31 UTC\n")))
    new = made(said("system", part("role", "You help.\n"), part("clock", "## Now\nLocal time: 10:32 UTC\n")))
    found = prefix(old, new).broken_at
    assert found is not None
    assert (found.section, found.message, found.line, found.column) == ("clock", 0, 3, 17)
    assert (found.old, found.new, found.cause) == ("1 UTC", "2 UTC", "clock")


def test_lines_count_over_the_whole_prompt() -> None:
    old = made(said("system", RULES), said("user", "one\ntwo"), said("user", "three"))
    new = made(said("system", RULES), said("user", "one\ntoo"), said("user", "three"))
    found = prefix(old, new).broken_at
    assert found is not None
    assert (found.message, found.line, found.column) == (1, 7, 2)


@pytest.mark.parametrize(
    ("old", "new", "name"),
    [
        ("Current time is 15:09:20. Go.", "Current time is 15:09:34. Go.", "clock"),
        ("Friday, March 6, 2026, 10:15:02 AM", "Friday, March 6, 2026, 10:15:40 AM", "clock"),
        ("It is September 17, 2026 9:59 AM.", "It is September 17, 2026 10:00 AM.", "clock"),
        ('<m at="2026-08-03T10:00:00.101Z"/>', '<m at="2026-08-03T10:00:31.550Z"/>', "clock"),
        ("date: 2026-08-03\nx", "date: 2026-08-04\nx", "date"),
        ("LLM turn ID: lt-a81f03bc\nx", "LLM turn ID: lt-a81f03bd\nx", "id"),
        ("id 01a22c48-148e-706a-a45c-399d9815ca5f x", "id 01a22c48-148e-706a-a45c-499d9815ca5f x", "id"),
        ("Turn ID: lt-1\nx", "Turn ID: lt-2\nx", "id"),
        ("Step 3 of many\nx", "Step 4 of many\nx", "counter"),
        ("Messages: 4\nx", "Messages: 7\nx", "counter"),
        ("Mana: 80\nx", "Mana: 60\nx", "edit"),
        ('{"bed": 4, "dry": true}\nx', '{"dry": true, "bed": 4}\nx', "key-order"),
        ("Be brief.\nBe kind.\n", "Be  brief.\nBe kind.\n", "whitespace"),
        ("Be brief.\nBe kind.\n", "Be brief.\n\nBe kind.\n", "whitespace"),
        ("Be brief.\nBe kind.\n", "Be brief.\nNever lie.\nBe kind.\n", "insertion"),
        ("Be brief.\nNever lie.\nBe kind.\n", "Be brief.\nBe kind.\n", "removal"),
        ("Be brief.\nBe kind.\nx", "Be brief. Always.\nBe kind.\nx", "insertion"),
        ("Be brief.\nBe good.\nx", "Be good.\nBe brief.\nx", "reorder"),
        ("You are a careful agent.\nx", "You are a reckless agent.\nx", "edit"),
    ],
)
def test_cause(old: str, new: str, name: str) -> None:
    assert cause(old, new) == name


def test_a_section_that_came_is_an_insertion_and_one_that_went_a_removal() -> None:
    small = made(said("user", tag("role", "You.\n"), tag("state", "calm\n")))
    large = made(said("user", tag("role", "You.\n"), tag("skills", "cook\n"), tag("state", "calm\n")))
    came, went = prefix(small, large).broken_at, prefix(large, small).broken_at
    assert came is not None
    assert went is not None
    assert (came.cause, came.section) == ("insertion", "skills")
    assert (went.cause, went.section) == ("removal", "state")


def test_a_section_that_grew_before_the_next_one_is_an_insertion() -> None:
    short = made(said("user", part("who", "You.\n"), part("state", "calm\n"), part("end", "go\n")))
    long = made(said("user", part("who", "You.\nStory.\n"), part("state", "calm\n"), part("end", "go\n")))
    grew, shrank = prefix(short, long).broken_at, prefix(long, short).broken_at
    assert grew is not None
    assert shrank is not None
    assert (grew.cause, grew.section) == ("insertion", "who")
    assert (shrank.cause, shrank.section) == ("removal", "state")


def test_sections_that_changed_places_are_a_reorder() -> None:
    old = made(said("user", tag("a", "one\n"), tag("b", "two\n")))
    new = made(said("user", tag("b", "two\n"), tag("a", "one\n")))
    found = prefix(old, new).broken_at
    assert found is not None
    assert found.cause == "reorder"


def test_a_message_that_fell_out_of_a_window_is_a_removal() -> None:
    old = made(said("system", RULES), said("user", "one"), said("assistant", "two"), said("user", "three"))
    new = made(said("system", RULES), said("assistant", "two"), said("user", "three"))
    found = prefix(old, new).broken_at
    assert found is not None
    assert (found.message, found.line, found.cause) == (1, 6, "removal")


def test_a_system_text_that_grew_at_its_end_is_an_append() -> None:
    found = prefix(
        made(said("system", RULES), said("user", "Hi")),
        made(said("system", RULES + "More."), said("user", "Hi")),
    )
    assert found.broken_at is not None
    assert (found.broken_at.cause, found.shared_chars) == ("append", len(RULES))


def test_a_section_appended_behind_blank_space_is_where_the_prefix_breaks() -> None:
    old = made(said("system", part("role", "You.\n\n"), part("rules", "Be brief.")), said("user", RULES * 9))
    new = made(
        said(
            "system",
            part("role", "You.\n\n"),
            part("rules", "Be brief.\n\n"),
            part("memory", "Ann likes tea."),
        ),
        said("user", RULES * 9),
    )
    found = prefix(old, new)
    assert found.broken_at is not None
    assert (found.broken_at.section, found.broken_at.line, found.broken_at.cause) == ("memory", 3, "append")
    assert found.if_moved is not None
    assert found.if_moved.section == "memory"
    assert found.if_moved.shared_tokens > found.shared_tokens + 50


def test_native_calls_are_part_of_the_prefix() -> None:
    call = NativeCall("c1", "read", '{"path": "a"}')
    other = NativeCall("c1", "read", '{"path": "b"}')
    old = made(said("user", "Go"), said("assistant", "", calls=[call]), said("tool", "AAA", call_id="c1"))
    new = made(said("user", "Go"), said("assistant", "", calls=[other]), said("tool", "AAA", call_id="c1"))
    found = prefix(old, new)
    assert found.broken_at is not None
    assert (found.broken_at.message, found.shared_chars) == (1, 2)


def test_tools_with_other_bytes_leave_nothing_to_reuse() -> None:
    """The same tools, the keys of one's schema in another order: a cache compares bytes."""
    sort = Tool("sort", "Sorts.", {"type": "object"})
    was, now = ({"properties": {key: {"type": "string"} for key in keys}} for keys in ("ab", "ba"))
    found = prefix(
        made(said("user", "Hi"), tools=(sort, Tool("read", "Reads.", was))),
        made(said("user", "Hi"), tools=(sort, Tool("read", "Reads.", now))),
    )
    assert found.broken_at is not None
    assert (found.broken_at.cause, found.shared_tokens) == ("key-order", 0)
    assert (found.broken_at.old, found.broken_at.new) == ("read.properties: a, b", "read.properties: b, a")


def test_other_tools_leave_nothing_to_reuse() -> None:
    read, write = Tool("read", "Reads.", {}), Tool("write", "Writes.", {})
    found = prefix(
        made(said("user", "Hi"), tools=(read, write)), made(said("user", "Hi"), tools=(write, read))
    )
    assert found.broken_at is not None
    assert (found.broken_at.cause, found.shared_tokens, found.ratio) == ("tool-list", 0, 0.0)
    assert found.rebilled_tokens == found.tokens
    assert (found.broken_at.old, found.broken_at.new) == ("read", "write")


def test_a_tool_under_the_same_name_shows_what_differs_in_it() -> None:
    old, new = Tool("read", "Reads.", {}), Tool("read", "Reads files.", {})
    found = prefix(made(said("user", "Hi"), tools=(old,)), made(said("user", "Hi"), tools=(new,))).broken_at
    assert found is not None
    assert (found.old, found.new) == ('read: ["Reads.", {}]', 'read: ["Reads files.", {}]')


def test_another_model_leaves_nothing_to_reuse() -> None:
    found = prefix(made(said("user", "Hi"), model="a"), made(said("user", "Hi"), model="b"))
    assert found.broken_at is not None
    assert (found.broken_at.cause, found.broken_at.old, found.broken_at.new) == ("model", "a", "b")


def test_moving_the_clock_to_the_end_saves_what_follows_it() -> None:
    def turn(time: str) -> object:
        return made(
            said(
                "system", part("role", "You.\n"), part("clock", f"Time: {time}\n"), part("rules", RULES * 20)
            ),
            said("user", "Hi"),
        )

    old, new = turn("10:31"), turn("10:32")
    found = prefix(old, new)  # type: ignore[arg-type]
    assert found.if_moved is not None
    assert found.if_moved.section == "clock"
    assert found.tokens - 10 < found.if_moved.shared_tokens < found.tokens


def test_moving_the_last_section_saves_nothing() -> None:
    old = made(said("system", part("rules", RULES), part("clock", "Time: 10:31\n")))
    new = made(said("system", part("rules", RULES), part("clock", "Time: 10:32\n")))
    assert prefix(old, new).if_moved is None


def test_the_provider_s_own_count_stands_beside() -> None:
    found = prefix(made(said("user", "Hi")), made(said("user", "Hi"), usage=Usage(cache_read_tokens=7)))
    assert found.reported_cached_tokens == 7


def test_a_prompt_that_lost_its_end_can_be_reused_whole() -> None:
    found = prefix(made(said("user", "Hi"), said("user", "there")), made(said("user", "Hi")))
    assert (found.broken_at, found.ratio) == (None, 1.0)


@pytest.mark.skipif(not SEEDS.exists(), reason="needs the captured turns")
@pytest.mark.parametrize(
    ("file", "turn", "chars", "cause"),
    [
        ("ankole_worker", 8, 71, "edit"),
        ("ankole_worker", 6, 9_329, "insertion"),
        ("ankole_worker", 5, 9_922, "append"),
        ("hive_pursuit", 13, 806, "edit"),
    ],
)
def test_captured_figures(file: str, turn: int, chars: int, cause: str) -> None:
    rows = [json.loads(line) for line in (SEEDS / f"{file}.jsonl").read_text().splitlines()]
    reads = []
    for seq, row in enumerate(rows[turn - 2 : turn], turn - 1):
        travelled = read_payload(row)
        reads.append(ReadTurn(str(seq), seq, travelled, read_turn(travelled)))
    found = prefix(reads[0], reads[1])
    assert found.broken_at is not None
    assert (found.shared_chars, found.broken_at.cause) == (chars, cause)
