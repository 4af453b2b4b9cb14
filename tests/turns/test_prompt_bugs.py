"""Bugs that people reported of their agents' prompts, as two turns each: what a reading shows of every one.

The cases lie beside the checkout. Each kind has look-alikes of our own in ``findings/over_sessions``.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from inspector.turns import NotATurn
from inspector.turns.payload import Payload
from inspector.turns.turn import Finding, ReadTurn
from inspector.turns.wires import read_payload
from tests.turns.findings.test_session_rules import read_session

PATH = Path(__file__).parents[3] / "shared" / "corpus" / "cases" / "prompt_bugs.jsonl"
CASES = (
    {f"{row['repo']}#{row['number']}": row for row in map(json.loads, PATH.read_bytes().splitlines())}
    if PATH.exists()
    else {}
)
pytestmark = pytest.mark.skipif(not CASES, reason="the cases are not here; over_sessions has look-alikes")


@dataclass(frozen=True)
class Shown:
    """One finding that a case must show."""

    turn: int
    rule: str
    section: str | None = None
    text: str | None = None
    """What the finding's place covers in the prompt."""
    says: str = ""
    """Words of its message or hint."""
    data: Mapping[str, Any] = field(default_factory=dict)


SHOWN: dict[str, list[Shown]] = {
    "goruck/home-generative-agent#617": [
        Shown(2, "volatile-prefix", "intro", "15:09:34", "A clock", {"cause": "clock", "cached_tokens": 0})
    ],
    "earendil-works/pi#1873": [
        Shown(2, "volatile-prefix", "rules", "10:15:40 AM", "last message of the user", {"cause": "clock"})
    ],
    "Mintplex-Labs/anything-llm#6398": [
        Shown(2, "volatile-prefix", "intro", "10:00 AM.", "A clock", {"cause": "clock"})
    ],
    "joshuadavidthomas/opencode-agent-memory#20": [
        Shown(2, "volatile-prefix", "memory_metadata", "2026-08-03T10:00:31.550Z", "", {"cause": "clock"})
    ],
    "HKUDS/nanobot#226": [
        Shown(2, "volatile-prefix", "current-time", "2026-02-06 09:15", "", {"cause": "clock"})
    ],
    "FerroxLabs/wayland#1208": [
        Shown(2, "stale-value", "rules", "2026-07-04", "makes it binding (line 5", {"said": "2026-07-04"})
    ],
    "GenAI-Security-Project/finbot-ctf#442": [
        Shown(2, "stale-value", "rules", "2026-07-04", "unchanged since turn 1", {"same_since": 1})
    ],
    "github/copilot-cli#4645": [
        Shown(2, "other-model", None, None, "“beta”", {"asked": "beta", "model": "alpha"})
    ],
    "can1357/oh-my-pi#890": [
        Shown(
            2,
            "tool-order-changed",
            None,
            None,
            "moved",
            {"before": ["a__x", "b__y"], "after": ["b__y", "a__x"]},
        )
    ],
    "langchain-ai/deepagents#2497": [
        Shown(2, "tool-order-changed", None, None, "the tools themselves are the same", {"same_set": True})
    ],
    "anthropics/claude-code#92033": [
        Shown(2, "tools-changed", None, None, "turn 1: added “mu”", {"added": ["mu"]})
    ],
    "QwenLM/qwen-code#4777": [
        Shown(2, "tools-changed", "deferred-tools", None, "declared natively did not change", {"tokens": 4})
    ],
    "openclaw/openclaw#10037": [Shown(2, "orphan-result", "tool", "AAA", "Turn 1 still had", {"call": "c1"})],
    "AstrBotDevs/AstrBot#8349": [
        Shown(2, "orphan-result", "tool", "AAA", "Turn 1 still had", {"calls": 0, "results": 2}),
        Shown(2, "orphan-result", "tool#2", "BBB", "", {"call": "c1b"}),
    ],
    "dataelement/Clawith#416": [
        Shown(2, "role-order", "tool", "AAA", "starts with a result", {"role": "tool"}),
        Shown(2, "orphan-result", "tool", "AAA"),
    ],
    "pydantic/pydantic-ai#5972": [
        Shown(2, "role-order", "tool", "AAA", "as message 3; now it is message 4", {"result_message": 3})
    ],
    "NousResearch/hermes-agent#94486": [
        Shown(
            1,
            "role-order",
            "user#2",
            None,
            "Two messages of the user follow each other",
            {"messages": [3, 4]},
        ),
        Shown(2, "history-rewritten", None, None, "continue please", {"count": 1}),
    ],
    "FoundationAgents/OpenManus#1272": [
        Shown(1, "duplicate-content", "intro#2", None, "all of system message 1 again", {"share": 100})
    ],
    "decolua/9router#2443": [
        Shown(2, "duplicate-content", "rules", "[style] be terse", "", {"before": 1, "count": 2})
    ],
    "moazbuilds/claudeclaw#96": [
        Shown(1, "duplicate-content", "system-reminder", None, "speak French", {"first": 0, "second": 1})
    ],
    "aws/bedrock-agentcore-sdk-python#420": [
        Shown(2, "duplicate-content", "user#2", "<user_context>likes tea</user_context>", "", {"count": 2})
    ],
    "plastic-labs/claude-honcho#39": [
        Shown(2, "duplicate-content", "user#2", "<honcho>prefers short answers</honcho>", "", {"count": 2})
    ],
    "SamSaffron/term-llm#890": [
        Shown(2, "missing-section", "system", None, "replaced as a whole", {"common": 0})
    ],
    "cel-ai/celai#106": [Shown(2, "value-not-shown", None, None, "price: 5")],
    "anthropics/claude-code#9796": [
        Shown(2, "missing-section", "rules", None, "project-context.md", {"section": "project-context.md"})
    ],
    "brcampidelli/chimera-agent#60": [
        Shown(2, "lost-task", "system", "8 earlier messages were removed", "TASK: fix the date bug")
    ],
    "MoonshotAI/kimi-code#2680": [
        Shown(
            2, "lost-task", None, "Summary: release done.", "still working on", {"text": "why is test 3 red?"}
        )
    ],
    "earendil-works/pi#3407": [
        Shown(1, "unresolved-placeholder", "available-tools", "${toolsList}"),
        Shown(1, "unresolved-placeholder", "guidelines", "${guidelines}"),
    ],
    "future-agi/future-agi#1302": [
        Shown(1, "value-not-shown", "user", " ", "is empty here", {"slot": "{{row.text}}"}),
        Shown(2, "value-not-shown", "user", "{{row.text}}", "was never filled in"),
    ],
    "langchain-ai/langchain#2487": [Shown(1, "doubled-braces", "user", "{{")],
    "RailtownAI/railtracks#1378": [
        Shown(2, "value-not-shown", None, None, "“Nova”", {"name": "name", "same_system": True})
    ],
    "anthropics/claude-code#93319": [
        Shown(2, "foreign-text", "tool", "MEMORY.md", "safelink.c", {"asked": "safelink.c", "call": "c1"})
    ],
    "openai/codex#28316": [
        Shown(1, "embedded-blob", "tool", None, "a message of the tool", {"chars": 233, "share": 98}),
        Shown(2, "embedded-blob", "tool", None, "", {"chars": 233}),
    ],
    "bman654/clodex#22": [Shown(1, "embedded-blob", "tool", None, "82 % of the prompt", {"sort": "base64"})],
    "xorbitsai/xagent#2392": [
        Shown(1, "truncated-section", "tool", "[truncated 51000 chars]", "in the middle", {"in_json": True})
    ],
    "HKUDS/OpenHarness#356": [
        Shown(1, "truncated-section", "tool", "[output 90 KB, showing 2 KB", "", {"shown": 36})
    ],
    "antirez/ds4#519": [
        Shown(2, "answer-altered", "assistant", "<think> </think>Hello.", "blank space inside its reasoning")
    ],
    "aaif-goose/goose#12164": [
        Shown(
            2,
            "key-order-changed",
            None,
            None,
            "As JSON the two are equal",
            {
                "message": 1,
                "before": ["role", "content", "tool_calls"],
                "after": ["role", "tool_calls", "content"],
            },
        )
    ],
    "antirez/ds4#691": [Shown(2, "answer-altered", "assistant", "Hello.", "without its reasoning")],
}
NOT_SHOWN = {
    "NickMonrad/kernel-ai-assistant#652": "Whether a memory was of use: a rule that tells would cry wolf.",
    "langchain-ai/langchain#700": "The template failed before anything was sent: there is no turn to post.",
}


def payloads(case: dict[str, Any]) -> list[dict[str, Any]]:
    """The case's turns in our own fields' names; the one that has nothing to post is left out."""
    found = []
    for turn in case["minimal_turns"]:
        payload = dict(turn)
        if sent := payload.pop("sent_at", None):
            payload["started_at"] = sent
        if "cache_read" in (usage := payload.get("usage") or {}):
            payload["usage"] = {
                "cache_read_tokens": usage["cache_read"],
                "cache_write_tokens": usage["cache_creation"],
            }
        if payload.get("messages"):
            found.append(payload)
    return found


def is_shown(shown: Shown, finding: Finding, read: ReadTurn) -> bool:
    where = finding.where
    if finding.rule != shown.rule or shown.says not in f"{finding.message} {finding.hint}":
        return False
    if shown.section is not None and where.section != shown.section:
        return False
    if shown.text is not None:
        if where.message is None:
            return False
        covered = read.turn.messages[where.message].text[where.start : where.end]
        if covered != shown.text:
            return False
    return all(finding.data.get(name) == value for name, value in shown.data.items())


def test_every_case_is_shown_or_named() -> None:
    assert sorted([*SHOWN, *NOT_SHOWN]) == sorted(CASES)
    assert len(SHOWN) == 39


@pytest.mark.parametrize("name", SHOWN)
def test_case_is_shown(name: str) -> None:
    read = read_session(payloads(CASES[name]))
    for shown in SHOWN[name]:
        turn = read[shown.turn - 1]
        told = [
            (finding.rule, finding.message, finding.where, finding.data) for finding in turn.reading.findings
        ]
        assert any(is_shown(shown, finding, turn) for finding in turn.reading.findings), told


@pytest.mark.parametrize("name", NOT_SHOWN)
def test_case_that_is_not_shown_is_read_quietly(name: str) -> None:
    rules = {
        finding.rule for read in read_session(payloads(CASES[name])) for finding in read.reading.findings
    }
    assert rules <= {"provider-error"}


def test_turn_that_was_never_sent_is_refused() -> None:
    never_sent = CASES["langchain-ai/langchain#700"]["minimal_turns"][0]
    with pytest.raises(NotATurn):
        read_payload(Payload(never_sent))


def test_difference_of_the_first_case_is_at_its_clock() -> None:
    """Everything behind the clock is the same, and the provider read nothing from its cache."""
    first, second = read_session(payloads(CASES["goruck/home-generative-agent#617"]))
    (found,) = [one for one in second.reading.findings if one.rule == "volatile-prefix"]
    assert found.where.start == 16
    old, new = (read.turn.messages[0].text for read in (first, second))
    assert old[24:] == new[24:]
    since = second.reading.since_previous
    assert since is not None
    assert since.prefix.reported_cached_tokens == 0
