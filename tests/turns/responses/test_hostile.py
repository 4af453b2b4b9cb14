"""Hostile responses of some size: all are read, none raises, and what they make is bounded."""

import pytest

from inspector.turns.findings import MAX_PER_RULE, RULES, Context, findings_of
from inspector.turns.responses.elements import LEAVES_MAX
from inspector.turns.turn import Message, Turn
from tests.turns.responses.reading import CONTRACT, dialect, heard

SIZE = 60_000
UNITS = {
    "angle brackets": "<",
    "closing angle brackets": "</",
    "open outputs": '<output name="text">',
    "open quotes": '<output name="',
    "crossed quotes": "<output a=\"<output b='",
    "quotes out of step": '<output a="<output b=" c="',
    "calls without end": '<action_call name="note">{"a":"',
    "strings without end": "<action_call name='note'>{\"a</action_call>",
    "braces in a call": '<action_call name="note">' + "{" * 100,
    "brackets": "[",
    "braces": '{"a":',
    "quotes": '"',
    "backticks": "`",
    "nested": '<reasoning><action_call name="note">',
    "containers": "<response>",
    "comments without end": "<!--",
    "comments": '<!-- <output name="text"> -->',
    "orphans": "</output>",
    "half tags": '/output name="text">\n',
    "attributes": "<output " + "a=1 " * 10,
    "unknown tags": "<foo>",
    "references": "{{calls[0].a}}",
    "broken calls": "<action_call name=\"note\">{a:1,b:'c',}</action_call>",
    "broken objects": '{"a" "b",',
    "thoughts": 'Thought: x\nAction: y\nAction Input: {"a":',
    "tool calls": '<tool_call>{"name":"x","arguments":{"a":',
    "functions": "<function=x><parameter=a>",
    "mistral": "[TOOL_CALLS][{",
    "invokes": '<invoke name="x"><parameter name="q">',
    "elements": "<read_file><path>",
    "lone surrogates": "\ud800",
    "nul": "\0",
}


@pytest.mark.parametrize("name", UNITS)
@pytest.mark.parametrize("grammar", ["daydreams", "generic"])
def test_hostile_response_is_read_and_bounded(name: str, grammar: str) -> None:
    text = UNITS[name] * (SIZE // len(UNITS[name]))
    found = heard(text, "<response>" if grammar == "daydreams" else "", grammar)
    response = found.response
    assert response.text.endswith(text)
    assert len(response.calls) + len(response.outputs) <= LEAVES_MAX
    turn = Turn(messages=(Message("user", "go"),))
    context = Context(turn, dialect(grammar), (), CONTRACT, response, found)
    findings = findings_of(context)
    assert "reading-failed" not in {finding.rule for finding in findings}
    assert len(findings) <= MAX_PER_RULE * len(RULES)
