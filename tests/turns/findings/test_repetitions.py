"""What is said again is told once, with what all of it costs."""

from typing import Any

from inspector.turns.turn import Finding
from tests.turns.findings.over_sessions import ANOTHER, ASK, BLOB, SYS, asks, gives, say
from tests.turns.findings.test_session_rules import read_session

RULES = "<rules>\n" + "Always answer in full sentences and never guess. " * 8 + "\n</rules>\n"


def found(turn: dict[str, Any], rule: str) -> list[Finding]:
    return [one for one in read_session([turn])[-1].reading.findings if one.rule == rule]


def test_section_that_stands_three_times_is_told_once() -> None:
    (one,) = found(
        say(("system", f"{RULES}\nBe brief.\n\n{RULES}\nBe kind.\n\n{RULES}"), ASK), "duplicate-section"
    )
    assert "stands 3 times" in one.message
    assert one.data["count"] == 3
    assert one.where.section == "rules#2"


def test_paragraph_in_three_system_messages_is_told_once() -> None:
    notes = [("system", f"Note {number}.\n\n{ANOTHER}\n\nEnd {number}.") for number in range(3)]
    (one,) = found(say(notes[0], ASK, notes[1], ("assistant", "Ok."), notes[2]), "duplicate-content")
    assert "in 2 more messages" in one.message
    assert (one.data["messages"], one.data["stretches"]) == (2, 1)


def test_section_that_stands_again_is_not_told_by_its_paragraphs_too() -> None:
    rules = f"<rules>\n{ANOTHER}\n\n{ANOTHER.upper()}\n</rules>\n"
    turn = say(("system", rules), ASK, ("system", rules))
    assert len(found(turn, "duplicate-section")) == 1
    assert found(turn, "duplicate-content") == []


def test_small_payload_in_a_long_prompt_is_told_quietly() -> None:
    long = "The pump stands beside the tide gauge. " * 200
    (small,) = found(say(SYS, ("user", f"{long}\n{BLOB}"), ASK), "embedded-blob")
    (most,) = found(say(SYS, ("user", BLOB)), "embedded-blob")
    (large,) = found(say(SYS, ("user", f"{long * 8}\n{BLOB * 30}")), "embedded-blob")
    assert [one.severity for one in (small, most, large)] == ["info", "warning", "warning"]


def test_payloads_are_named_by_their_digits() -> None:
    runs = ["0110" * 80, "0x" + "0f3A" * 80, "0f3a" * 80, BLOB]
    names = [
        found(say(SYS, ASK, asks("c"), gives("c", run)), "embedded-blob")[0].data["sort"] for run in runs
    ]
    assert names == ["binary digits", "hexadecimal digits", "hexadecimal digits", "base64"]


def test_results_that_are_out_of_place_alike_are_told_once() -> None:
    talk = [part for name in ("a", "b", "c") for part in (asks(name), ("user", "Wait."), gives(name, "ok"))]
    (one,) = found(say(SYS, ASK, *talk, ("user", "And?")), "role-order")
    assert one.message.endswith("So it is with 2 more results.")
    assert (one.data["call"], one.data["count"]) == ("a", 3)
