"""Choosing a dialect."""

from dataclasses import replace

import pytest

from inspector.turns import dialects, read_turn
from inspector.turns.dialects import DIALECTS, choose, named
from inspector.turns.dialects.card import Dialect
from inspector.turns.dialects.generic import GENERIC
from inspector.turns.turn import Message, ReadTurn, Turn

TURN = Turn(messages=(Message("user", "hi"),))


def test_a_turn_may_name_its_dialect() -> None:
    assert choose(replace(TURN, dialect="daydreams")).name == "daydreams"
    assert choose(replace(TURN, dialect="no such")) is GENERIC


def test_of_equals_the_first_wins(monkeypatch: pytest.MonkeyPatch) -> None:
    first, second = (replace(GENERIC, name=name) for name in ("first", "second"))
    monkeypatch.setattr(dialects, "DIALECTS", (first, second))
    assert choose(TURN) is first


def test_dialect_that_raises_while_asked_counts_as_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(turn: Turn) -> float:
        raise ValueError

    monkeypatch.setattr(dialects, "DIALECTS", (replace(GENERIC, name="broken", likelihood=broken), GENERIC))
    notes: list[str] = []
    assert choose(TURN, notes) is GENERIC
    assert notes == ["dialect broken failed while asked: ValueError"]


def test_names_are_unique_and_generic_is_last() -> None:
    assert len({dialect.name for dialect in DIALECTS}) == len(DIALECTS)
    assert DIALECTS[-1] is GENERIC
    assert all(named(dialect.name) is dialect for dialect in DIALECTS)


def test_facts_depend_on_the_layout() -> None:
    card = Dialect(
        "x",
        "X",
        GENERIC.likelihood,
        GENERIC.split,
        facts={"": {"prefill": "a", "stop": None}, "2": {"prefill": "b"}},
    )
    assert [card.at(layout).fact("prefill") for layout in (None, "1", "2")] == ["a", "a", "b"]
    assert card.at("2").fact("stop", "x") is None
    assert card.fact("unknown", 7) == 7


BARE = Turn(
    messages=(Message("user", "Water it."), Message("assistant", "Done."), Message("user", "Thanks."))
)
FULL = Turn(
    messages=(
        Message(
            "system", "## Current context\n\n- bed: 4\n\nThis block supersedes any environment description"
        ),
        *BARE.messages[:1],
    )
)


def read_after(turn: Turn, before: Turn) -> str:
    earlier = ReadTurn("t1", 1, before, read_turn(before))
    return read_turn(turn, [earlier], id="t2", seq=2).dialect


def test_conversation_alone_speaks_as_the_turn_it_goes_on_from() -> None:
    assert choose(FULL).name == "llm-agent"
    assert choose(BARE) is GENERIC
    assert read_after(BARE, FULL) == "llm-agent"
    earlier = ReadTurn("t1", 1, FULL, read_turn(FULL))
    assert read_turn(BARE, [earlier]).layout == "context"


def test_dialect_goes_on_only_with_its_own_conversation() -> None:
    other = replace(BARE, messages=(Message("user", "Prune it."),))
    assert read_after(other, FULL) == "generic"
    assert read_after(replace(BARE, dialect="generic"), FULL) == "generic"
    assert read_after(Turn(messages=(Message("assistant", "Done."),)), FULL) == "generic"


def test_dialect_that_always_shows_itself_does_not_go_on() -> None:
    """Ankole's prompts have a system message each: without one they are something else."""
    ankole = Message("system", "You are Moss, an AI colleague Agent powered by Ankole.\n\nCalm.")
    before = replace(FULL, messages=(ankole, *BARE.messages[:1]))
    assert choose(before).name == "ankole"
    assert read_after(BARE, before) == "generic"
