"""Choosing a dialect."""

from dataclasses import replace

import pytest

from inspector.turns import dialects
from inspector.turns.dialects import DIALECTS, choose, named
from inspector.turns.dialects.card import Dialect
from inspector.turns.dialects.generic import GENERIC
from inspector.turns.turn import Message, Turn

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
