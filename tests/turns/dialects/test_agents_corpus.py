"""Real prompts of agents, where they lie beside the checkout: none is taken for another framework's."""

from collections import Counter
from pathlib import Path

import pytest

from inspector.turns import NotATurn, read_payload
from inspector.turns.dialects import DIALECTS, choose
from inspector.turns.payload import parse
from inspector.turns.turn import Turn

AGENTS = Path(__file__).parents[4] / "shared" / "corpus" / "agents"
FILES = sorted(AGENTS.glob("*.jsonl"))
OWN = {
    "autogpt_cassettes": "autogpt",
    "claude_code_jsonl": "claude-code",
    "cline_session": "cline",
    "copilot_prompts": "copilot",
    "crewai_cassettes": "react",
    "langfuse_framework_traces": "react",
    "letta_agent_files": "letta",
    "metagpt_rsp_cache": "metagpt",
    "mini_swe_agent": "mini-swe",
    "openhands_mock_prompts": "openhands",
    "openhands_trajectories": "openhands",
    "swe_agent": "swe-agent",
}
"""The one dialect that a file's turns may be in, where they are more than plain conversations."""
WHOLE = frozenset(
    {
        "cline_session",
        "copilot_prompts",
        "letta_agent_files",
        "mini_swe_agent",
        "openhands_mock_prompts",
        "swe_agent",
    }
)
"""Files of which every turn is known."""


def turns_of(path: Path) -> list[Turn]:
    turns = []
    for line in path.read_bytes().splitlines():
        try:
            turns.append(read_payload(parse(line)))
        except NotATurn:
            continue
    return turns


@pytest.mark.skipif(not FILES, reason="the corpus is not here; each dialect's samples lie in its own folder")
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_no_prompt_is_taken_for_another_frameworks(path: Path) -> None:
    own = OWN.get(path.stem, "generic")
    found = Counter(choose(turn).name for turn in turns_of(path))
    assert set(found) <= {own, "generic"}
    if path.stem in WHOLE:
        assert set(found) == {own}


@pytest.mark.skipif(not FILES, reason="the corpus is not here; each dialect's samples lie in its own folder")
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_no_two_dialects_claim_the_same_prompt(path: Path) -> None:
    for turn in turns_of(path):
        claims = [dialect.name for dialect in DIALECTS[:-1] if dialect.likelihood(turn) > 0.3]
        assert len(claims) <= 1
