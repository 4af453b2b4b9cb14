"""Hostile responses of some size: all are read, none raises, and what they make is bounded."""

import pytest

from inspector.turns.findings import MAX_PER_RULE, RULES, Context, findings_of
from inspector.turns.responses.elements import LEAVES_MAX
from inspector.turns.turn import Message, Turn
from tests.turns.hostile import RESPONSES
from tests.turns.responses.reading import CONTRACT, dialect, heard

SIZE = 60_000


@pytest.mark.parametrize("name", RESPONSES)
@pytest.mark.parametrize("grammar", ["daydreams", "generic"])
def test_hostile_response_is_read_and_bounded(name: str, grammar: str) -> None:
    text = RESPONSES[name](SIZE)
    found = heard(text, "<response>" if grammar == "daydreams" else "", grammar)
    response = found.response
    assert response.text.endswith(text)
    assert len(response.calls) + len(response.outputs) <= LEAVES_MAX
    turn = Turn(messages=(Message("user", "go"),))
    context = Context(turn, dialect(grammar), (), CONTRACT, response, found)
    findings = findings_of(context)
    assert "reading-failed" not in {finding.rule for finding in findings}
    assert len(findings) <= MAX_PER_RULE * len(RULES)
