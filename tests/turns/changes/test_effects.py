"""Calls of earlier turns that what is offered now would refuse."""

from dataclasses import replace
from typing import Any

from inspector.turns.changes.effects import refused_now
from inspector.turns.turn import Call, CallStatus, Contract, Offer, ReadTurn, Response
from tests.turns.made import made, said


def called(name: str, arguments: Any, seq: int = 1, status: CallStatus = "ok") -> ReadTurn:
    call = Call(0, None, name, {}, arguments, "", "strict", status, None, None)
    read = made(said("user", "Go"), id=f"t{seq}", seq=seq)
    return replace(
        read, reading=replace(read.reading, response=Response("tools", True, "", 0, calls=(call,)))
    )


def offers(name: str, schema: Any) -> Contract:
    return Contract((Offer(name, None, schema, "tools", None),))


PRIORITY = {"type": "object", "properties": {"priority": {"enum": ["low", "high"]}}, "required": ["priority"]}


def test_a_call_with_a_value_that_is_no_longer_allowed_is_refused() -> None:
    (refused,) = refused_now([called("draft", {"priority": "normal"})], offers("draft", PRIORITY))
    assert (refused.turn, refused.seq, refused.call, refused.name) == ("t1", 1, 0, "draft")
    assert refused.why.startswith("priority: expected")


def test_a_call_that_still_fits_is_not_named() -> None:
    assert refused_now([called("draft", {"priority": "low"})], offers("draft", PRIORITY)) == ()


def test_an_action_that_is_gone_refuses_its_calls() -> None:
    (refused,) = refused_now([called("ls", {})], offers("draft", PRIORITY))
    assert refused.why == "no longer offered"


def test_a_call_that_was_wrong_before_is_not_blamed_on_the_change() -> None:
    assert refused_now([called("draft", {}, status="invalid")], offers("draft", PRIORITY)) == ()


def test_one_of_two_offers_that_takes_the_call_is_enough() -> None:
    contract = Contract((*offers("draft", PRIORITY).actions, *offers("draft", {"type": "object"}).actions))
    assert refused_now([called("draft", {})], contract) == ()


def test_the_latest_calls_come_first() -> None:
    session = [called("ls", {}, seq) for seq in range(1, 4)]
    assert [each.seq for each in refused_now(session, Contract())] == [3, 2, 1]


def test_all_that_is_wrong_with_a_call_is_told() -> None:
    schema = PRIORITY | {"required": ["priority", "ship"]}
    (refused,) = refused_now([called("draft", {"priority": "normal"})], offers("draft", schema))
    assert sorted(part.partition(":")[0] for part in refused.why.split("; ")) == ["priority", "ship"]
