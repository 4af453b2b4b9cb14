"""Responses of others with what a tolerant reader makes of them, where the corpus is at hand."""

import json
from pathlib import Path
from typing import Any

import pytest

from inspector.turns.turn import Contract, Offer, Response
from tests.turns.responses.reading import HERE, read

CASES = Path(__file__).parents[4] / "shared" / "corpus" / "cases" / "responses_tricky.jsonl"
CONTRACT = Contract(
    (Offer("xmlact", None, None, HERE, None, call_format="xml"),),
    (Offer("raw", None, {"type": "string"}, HERE, None),),
)
MENDED = {"json_trailing_comma"}
"""We mend what can be mended and label it; the corpus expects no arguments."""


def cases() -> list[Any]:
    if not CASES.exists():
        return []
    rows = [json.loads(line) for line in CASES.read_text().splitlines()]
    return [pytest.param(row, id=row["name"]) for row in rows if "reasoning" in row["expected"]]


@pytest.mark.skipif(not CASES.exists(), reason="the corpus is not at hand")
@pytest.mark.parametrize("case", cases())
def test_reading_agrees(case: dict[str, Any]) -> None:
    expected = case["expected"]
    response = read(case["response"], case["prefill"] or "", contract=CONTRACT)
    assert [span.text.strip() for span in response.reasoning] == [
        text.strip() for text in expected["reasoning"]
    ]
    assert said(response) == [
        (call["name"] or "", call["attributes"], call["raw"].strip())
        for call in (*expected["action_calls"], *expected["outputs"])
    ]
    if case["name"] not in MENDED:
        assert [call.arguments for call in response.calls] == [
            call["arguments"] for call in expected["action_calls"]
        ]
    stray = " ".join(span.text.strip() for span in response.stray) or None
    assert (stray, response.complete) == (expected["stray_text"], expected["complete"])


def said(response: Response) -> list[tuple[str, dict[str, str], str]]:
    found = [(call.name, dict(call.attributes), call.raw.strip()) for call in response.calls]
    return found + [(output.name, dict(output.attributes), output.raw.strip()) for output in response.outputs]
