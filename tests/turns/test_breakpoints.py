"""Cache breakpoints: where requests set them, and what each found in the cache."""

from typing import Any

import pytest

from inspector.turns.prefix import prefix
from inspector.turns.read import read_turn
from inspector.turns.turn import Breakpoint, Prefix, ReadTurn
from inspector.turns.wires import read_payload

KEPT = {"type": "ephemeral"}
RULES = "You are the harbour master.\n" + "Every berth has a number.\n" * 30


def text(words: str, kept: bool = False, **control: Any) -> dict[str, Any]:
    block: dict[str, Any] = {"type": "text", "text": words}
    return block | ({"cache_control": KEPT | control} if kept else {})


def said(role: str, *blocks: dict[str, Any]) -> dict[str, Any]:
    return {"role": role, "content": list(blocks)}


def tool(name: str, kept: bool = False) -> dict[str, Any]:
    return {"name": name, "input_schema": {"type": "object"}} | ({"cache_control": KEPT} if kept else {})


def read(*messages: dict[str, Any], system: Any = None, **more: Any) -> ReadTurn:
    request = {"model": "claude-x", "max_tokens": 9, "messages": list(messages), **more}
    turn = read_payload({"request": request | ({"system": system} if system else {})})
    return ReadTurn("t", 1, turn, read_turn(turn))


def states(found: Prefix) -> list[tuple[int | None, str]]:
    return [(mark.message, mark.state) for mark in found.breakpoints]


def test_a_request_without_breakpoints_has_none() -> None:
    turn = read(said("user", text("Hi")))
    found = prefix(turn, turn)
    assert found.breakpoints == ()
    assert found.readable_tokens is None


def test_a_conversation_that_goes_on_hits_the_rules_and_reads_up_to_its_last_breakpoint() -> None:
    rules = [text(RULES, kept=True)]
    old = read(said("user", text("Is berth 4 free?", kept=True)), system=rules)
    new = read(
        said("user", text("Is berth 4 free?")),
        said("assistant", text("It is.")),
        said("user", text("Book it.", kept=True)),
        system=rules,
    )
    found = prefix(old, new)
    assert found.broken_at is None
    assert states(found) == [(0, "hit"), (3, "partly")]
    assert [mark.read_tokens for mark in found.breakpoints] == [
        old.reading.messages[0].tokens,
        old.reading.tokens,
    ]
    assert found.readable_tokens == found.shared_tokens == old.reading.tokens


def test_a_clock_before_a_breakpoint_makes_it_miss() -> None:
    old = read(said("user", text("Hi", kept=True)), system=[text(f"It is 10:31.\n{RULES}", kept=True)])
    new = read(said("user", text("Hi", kept=True)), system=[text(f"It is 10:32.\n{RULES}", kept=True)])
    found = prefix(old, new)
    assert states(found) == [(0, "missed"), (1, "missed")]
    assert found.readable_tokens == 0
    assert found.if_all_moved is None


def test_a_breakpoint_before_the_difference_is_hit_and_the_one_behind_reads_up_to_it() -> None:
    def turn(clock: str) -> ReadTurn:
        return read(said("user", text("Hi", kept=True)), system=[text(RULES, kept=True), text(clock)])

    found = prefix(turn("It is 10:31."), turn("It is 10:32."))
    assert states(found) == [(0, "hit"), (1, "partly")]
    assert found.breakpoints[0].read_tokens == found.breakpoints[1].read_tokens == found.readable_tokens
    assert found.readable_tokens is not None
    assert 0 < found.readable_tokens < found.shared_tokens


def test_what_the_turn_before_did_not_keep_cannot_be_read() -> None:
    old = read(said("user", text("Hi")), system=[text(RULES)])
    new = read(said("user", text("Hi")), system=[text(RULES, kept=True)])
    found = prefix(old, new)
    assert states(found) == [(0, "missed")]
    assert (found.broken_at, found.ratio, found.readable_tokens) == (None, 1.0, 0)


def test_a_breakpoint_more_than_twenty_blocks_behind_the_last_one_finds_nothing() -> None:
    def blocks(count: int) -> list[dict[str, Any]]:
        return [text(f"Line {number}.") for number in range(count)]

    old = read(said("user", text("Start.", kept=True)))
    for count, state in ((20, "partly"), (21, "missed")):
        more = blocks(count)
        more[-1]["cache_control"] = KEPT
        assert states(prefix(old, read(said("user", text("Start."), *more)))) == [(0, state)]


def test_tools_stand_before_the_messages() -> None:
    one, two = tool("berths", kept=True), tool("tides", kept=True)
    system = [text(RULES, kept=True)]
    same = prefix(read(tools=[one, two], system=system), read(tools=[one, two], system=system))
    assert states(same) == [(None, "hit"), (None, "hit"), (0, "hit")]
    other = prefix(
        read(tools=[one, two], system=system), read(tools=[one, tool("cranes", kept=True)], system=system)
    )
    assert states(other) == [(None, "hit"), (None, "partly"), (0, "partly")]
    assert other.readable_tokens == 0


def test_another_model_reads_nothing() -> None:
    system = [text(RULES, kept=True)]
    old, new = read(tools=[tool("berths", kept=True)], system=system), read(system=system, model="claude-y")
    assert states(prefix(old, new)) == [(0, "missed")]


def test_moving_a_breakpoint_changes_nothing_of_the_prompt() -> None:
    def turn(first: bool) -> ReadTurn:
        result = {"type": "tool_result", "tool_use_id": "a", "content": "4 free"}
        image = {"type": "image", "source": {"type": "url", "url": "x"}}
        return read(
            said("user", result | ({"cache_control": KEPT} if first else {}), image),
            said("assistant", text("Book?")),
            said("user", image | ({} if first else {"cache_control": KEPT})),
        )

    found = prefix(turn(True), turn(False))
    assert (found.broken_at, found.ratio) == (None, 1.0)
    assert states(found) == [(2, "partly")]


def test_a_block_that_differs_beside_its_text_is_not_read() -> None:
    def turn(picture: str) -> ReadTurn:
        image = {"type": "image", "source": {"type": "url", "url": picture}, "cache_control": KEPT}
        return read(said("user", text("Which ship is it?"), image), system=[text(RULES)])

    assert states(prefix(turn("a"), turn("b"))) == [(1, "missed")]
    assert states(prefix(turn("a"), turn("a"))) == [(1, "hit")]


def test_a_call_with_other_arguments_before_a_breakpoint_is_not_read() -> None:
    def turn(berth: int) -> ReadTurn:
        call = {"type": "tool_use", "id": "a", "name": "book", "input": {"berth": berth}}
        return read(said("assistant", call | {"cache_control": KEPT}), said("user", text("Hi")))

    assert states(prefix(turn(4), turn(5))) == [(0, "missed")]
    assert states(prefix(turn(4), turn(4))) == [(0, "hit")]


def test_line_and_lifetime_are_told() -> None:
    turn = read(
        said("user", text("Hi")), system=[text("One.\nTwo.\n"), text("Three.\n", kept=True, ttl="1h")]
    )
    (mark,) = prefix(turn, turn).breakpoints
    assert (mark.line, mark.lifetime, mark.state) == (3, "1h", "hit")


@pytest.mark.parametrize(
    ("payload", "found"),
    [
        (
            {
                "request": {
                    "model": "claude-x",
                    "system": "S",
                    "cache_control": KEPT,
                    "messages": [said("user", text("Hi"))],
                }
            },
            [(), (Breakpoint(2, 1),)],
        ),
        (
            {"request": {"model": "x", "messages": [{"role": "user", "content": [text("Hi", kept=True)]}]}},
            [(Breakpoint(2, 1),)],
        ),
        (
            {
                "request": {
                    "model": "x",
                    "messages": [{"role": "user", "content": "Hi", "cache_control": KEPT}],
                }
            },
            [(Breakpoint(2, 1),)],
        ),
        (
            {
                "request": {
                    "inferenceConfig": {},
                    "system": [{"text": "S"}, {"cachePoint": {"type": "default"}}],
                    "messages": [
                        {"role": "user", "content": [{"text": "Hi"}, {"cachePoint": {"type": "default"}}]}
                    ],
                }
            },
            [(Breakpoint(1, 1),), (Breakpoint(2, 1),)],
        ),
        (
            {
                "messages": [
                    {
                        "role": "user",
                        "content": "Hi",
                        "providerOptions": {"anthropic": {"cacheControl": KEPT}},
                    }
                ]
            },
            [(Breakpoint(2, 1),)],
        ),
        ({"messages": [{"role": "user", "content": [text("Hi") | {"cache_control": None}]}]}, [()]),
    ],
    ids=["whole request", "chat part", "message", "cache points", "ai sdk", "none"],
)
def test_wires_know_breakpoints(payload: dict[str, Any], found: list[tuple[Breakpoint, ...]]) -> None:
    assert [message.breakpoints for message in read_payload(payload).messages] == found


def test_a_cache_point_is_no_part_of_the_text_and_no_tool() -> None:
    point = {"cachePoint": {"type": "default"}}
    spec = {"toolSpec": {"name": "berths", "inputSchema": {"json": {"type": "object"}}}}
    turn = read_payload(
        {
            "request": {
                "toolConfig": {"tools": [spec, point]},
                "messages": [{"role": "user", "content": [{"text": "Hi"}, point]}],
            }
        }
    )
    assert [part.kind for part in turn.messages[0].parts] == ["text"]
    assert [(each.name, each.breakpoint) for each in turn.tools] == [("berths", Breakpoint(0, 1))]
    assert turn.notes == ()


def test_a_request_with_very_many_breakpoints_tells_the_first_and_the_last() -> None:
    turn = read(said("user", *(text(f"{number} ", kept=True) for number in range(3_000))))
    found = prefix(turn, turn)
    assert len(found.breakpoints) == 12
    assert found.breakpoints[-1].tokens == turn.reading.tokens
