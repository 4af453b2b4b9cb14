"""Hostile prompts of some size: all are read whole, and what they make is bounded.

How long a megabyte of each takes is printed by ``python -m tests.bench.hostile``.
"""

import pytest

from inspector.turns.dialects import DIALECTS, choose
from inspector.turns.dialects.card import Dialect
from inspector.turns.sections import sections_of
from inspector.turns.turn import Message, Turn
from tests.turns.hostile import HOSTILE
from tests.turns.whole import assert_whole

MAX_SECTIONS = 2_500


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_prompt_is_read_whole(name: str) -> None:
    turn = Turn(messages=(Message("user", HOSTILE[name](60_000)), Message("assistant", "<response>")))
    found = sections_of(turn, choose(turn))
    assert_whole(turn, found.sections)
    assert len(found.sections) <= MAX_SECTIONS
    assert len(found.notes) <= 100


@pytest.mark.parametrize("dialect", DIALECTS, ids=lambda dialect: dialect.name)
@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_system_message_is_read_whole(name: str, dialect: Dialect) -> None:
    text = HOSTILE[name](20_000)
    turn = Turn(messages=(Message("system", text), Message("user", text)))
    found = sections_of(turn, dialect)
    assert_whole(turn, found.sections)
    assert len(found.sections) <= 2 * MAX_SECTIONS
