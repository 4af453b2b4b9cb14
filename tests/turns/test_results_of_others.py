"""Calls of captured sessions and what came of them, where the corpus is at hand: each result has its call."""

import json
from pathlib import Path

import pytest

from inspector.turns.transcript import answers

CORPUS = Path(__file__).parents[3] / "shared" / "corpus"
ALL = [
    ("agents/tau_bench_airline", 111, 108),
    ("agents/letta_agent_files", 83, 72),
    ("seeds/hive_pursuit", 31, 30),
    ("seeds/hive_pursuit_anthropic_wire", 22, 22),
    ("agents/cline_session", 11, 11),
    ("agents/swe_agent", 230, 208),
    ("agents/mini_swe_agent", 126, 107),
    ("agents/openhands_trajectories", 93, 88),
    ("agents/openhands_mock_prompts", 235, 101),
    ("agents/autogpt_cassettes", 230, 166),
    ("agents/copilot_prompts", 82, 81),
    ("agents/pydantic_ai_cassettes", 312, 275),
]
"""Calls, and those whose result a later prompt shows. What is left are calls of last turns."""
LEFT = {
    "agents/letta_agent_files": 1,
    "agents/openhands_mock_prompts": 96,
    "agents/autogpt_cassettes": 61,
    "agents/pydantic_ai_cassettes": 2,
}
"""Calls whose conversation goes on without what came of them: they end a run or an agent, or have none."""
STEPS = sorted((CORPUS / "daydreams").glob("*.jsonl"))


@pytest.mark.skipif(not STEPS, reason="the corpus is not at hand")
@pytest.mark.parametrize(("name", "calls", "linked"), ALL)
def test_calls_of_a_session_get_their_results(name: str, calls: int, linked: int) -> None:
    with (CORPUS / f"{name}.jsonl").open("rb") as lines:
        read = list(answers(lines))
    last = {answer["session"]: answer["seq"] for answer in read}
    made = [
        (answer["seq"] == last[answer["session"]], call["result"] is not None)
        for answer in read
        for call in (answer["response"] or {"calls": []})["calls"]
    ]
    assert (len(made), sum(has for _, has in made)) == (calls, linked)
    assert sum(not is_last and not has for is_last, has in made) == LEFT.get(name, 0)


@pytest.mark.skipif(not STEPS, reason="the corpus is not at hand")
def test_results_of_the_real_engine_are_those_of_its_log() -> None:
    linked = 0
    for path in STEPS:
        truth = CORPUS / "daydreams_truth" / f"{path.stem}.truth.jsonl"
        logs = [json.loads(line).get("log") or {} for line in truth.read_text().splitlines()]
        results = {log["callId"]: log.get("data") for log in logs if log.get("ref") == "action_result"}
        bodies = {
            log["id"]: (log.get("name"), (log.get("content") or "").strip())
            for log in logs
            if log.get("ref") == "action_call"
        }
        with path.open("rb") as lines:
            for answer in answers(lines):
                for call in (answer["response"] or {"calls": []})["calls"]:
                    if (result := call["result"]) is None:
                        continue
                    linked += 1
                    value = result["value"] if result["error"] is None else {"error": result["error"]}
                    body = (call["name"], call["raw"].strip())
                    assert value in [results.get(id) for id, known in bodies.items() if known == body]
    assert linked == 46
