"""What the real engine made of each response, where the corpus is at hand: the same as we, or we tell why."""

import json
from collections import defaultdict
from pathlib import Path
from typing import Any

import pytest

from inspector.turns.transcript import answers

CORPUS = Path(__file__).parents[4] / "shared" / "corpus"
FILES = sorted((CORPUS / "daydreams").glob("*.jsonl"))
TELLS = {
    "calls": {
        "call-refused",
        "run-hangs",
        "lost-by-framework",
        "reference-gives-list",
        "dangling-reference",
        "reference-not-resolved-here",
        "invalid-json",
    },
    "outputs": {
        "call-refused",
        "lost-by-framework",
        "depends-on-chunks",
        "unknown-output",
        "outputs-stopped",
        "invalid-json",
    },
    "thoughts": {"lost-by-framework"},
}
"""Rules that say why the engine has something else than we read."""
FAILURES = TELLS["calls"] | TELLS["outputs"] | {"unknown-action"}
LATE = {"f_core-0.3.12-src", "f2_core-0.3.12-src-prefilled"}
"""This version logs an output some steps after it was read: outputs are compared over the whole session."""


def truth_of(path: Path) -> dict[tuple[str, int], list[dict[str, Any]]]:
    found: dict[tuple[str, int], list[dict[str, Any]]] = defaultdict(list)
    lines = (CORPUS / "daydreams_truth" / f"{path.stem}.truth.jsonl").read_text().splitlines()
    for row in map(json.loads, lines):
        if row.get("session"):
            found[row["session"], row["turn"]].append(row)
    return found


def logged(rows: list[dict[str, Any]], ref: str) -> list[dict[str, Any]]:
    return [row["log"] for row in rows if (row.get("log") or {}).get("ref") == ref]


def engine(rows: list[dict[str, Any]]) -> dict[str, list[Any]]:
    """What the engine logged, as we would say it. A prefill that is passed over leaves empty thoughts."""
    calls = sorted(logged(rows, "action_call"), key=lambda log: str(log["id"]))
    outputs = logged(rows, "output")
    return {
        "thoughts": [text for log in logged(rows, "thought") if (text := log["content"].strip())],
        "calls": [[log.get("name") or "", parsed(log.get("data"))] for log in calls],
        "outputs": [[log.get("name") or log.get("type") or "", log.get("data")] for log in outputs],
    }


def parsed(value: Any) -> Any:
    """An action without a schema gets its body as it is."""
    return json.loads(value) if isinstance(value, str) and value.startswith("{") else value


def ours(answer: dict[str, Any]) -> dict[str, list[Any]]:
    """Our reading, references put in as far as they have values."""
    response = answer["response"] or {"reasoning": [], "calls": [], "outputs": [], "references": []}
    values = {f"{{{{{each['expression']}}}}}": each["value"] for each in response["references"]}
    return {
        "thoughts": [span["text"].strip() for span in response["reasoning"]],
        "calls": [[call["name"], resolved(call["arguments"], values)] for call in response["calls"]],
        "outputs": [
            [output["name"], output["raw"] if output["data"] is None else output["data"]]
            for output in response["outputs"]
        ],
    }


def resolved(value: Any, values: dict[str, Any]) -> Any:
    if isinstance(value, dict):
        return {key: resolved(item, values) for key, item in value.items()}
    if isinstance(value, list):
        return [resolved(item, values) for item in value]
    known = values.get(value) if isinstance(value, str) else None
    return value if known is None else known


def untold(path: Path, answer: dict[str, Any], rows: list[dict[str, Any]]) -> list[Any]:
    """Differences and failures of one turn that no finding tells of."""
    rules = {finding["rule"] for finding in answer["findings"]}
    true, read = engine(rows), ours(answer)
    found: list[Any] = []
    for what, tells in TELLS.items():
        if what == "outputs" and path.stem in LATE:
            continue
        if true[what] != read[what] and not rules & tells:
            found.append((path.stem, answer["session"], answer["seq"], what))
    has_failed = logged(rows, "event") or any(row["kind"] == "unhandledRejection" for row in rows)
    if has_failed and not rules & FAILURES:
        found.append((path.stem, answer["session"], answer["seq"], "failure"))
    return found


@pytest.mark.skipif(not FILES, reason="the corpus is not at hand")
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_what_the_engine_does_otherwise_is_told(path: Path) -> None:
    truth = truth_of(path)
    with path.open("rb") as lines:
        read = list(answers(lines))
    assert all(answer["dialect"] for answer in read)
    found = [
        each for answer in read for each in untold(path, answer, truth[answer["session"], answer["seq"]])
    ]
    assert found == []


@pytest.mark.skipif(not FILES, reason="the corpus is not at hand")
@pytest.mark.parametrize("name", sorted(LATE))
def test_outputs_that_are_never_sent_are_told(name: str) -> None:
    path = CORPUS / "daydreams" / f"{name}.jsonl"
    sent = [output for rows in truth_of(path).values() for output in engine(rows)["outputs"]]
    with path.open("rb") as lines:
        for answer in answers(lines):
            told = {
                finding["data"]["output"]
                for finding in answer["findings"]
                if finding["rule"] in ("outputs-stopped", "unknown-output")
            }
            for index, output in enumerate(ours(answer)["outputs"]):
                assert (output in sent) != (index in told), (answer["seq"], output)


@pytest.mark.skipif(not FILES, reason="the corpus is not at hand")
def test_runs_that_hang_are_told() -> None:
    path = CORPUS / "daydreams" / "d_malformed_core-0.3.22.jsonl"
    cases = CORPUS / "cases" / "responses_tricky.jsonl"
    rows = [json.loads(line) for line in cases.read_text().splitlines()]
    hung = {row["name"] for row in rows if row.get("daydreams_0_3_22", {}).get("run") == "HUNG"}
    with path.open("rb") as lines:
        read = list(answers(lines))
    captured = {answer["session"].removeprefix("case:") for answer in read}
    told = {
        answer["session"].removeprefix("case:")
        for answer in read
        if "run-hangs" in {finding["rule"] for finding in answer["findings"]}
    }
    assert told - {"template_forward_self_reference"} == hung & captured
