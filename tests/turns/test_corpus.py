"""Real and captured turns, where they lie beside the checkout: every prompt adds up, no stage fails."""

import json
from pathlib import Path

import pytest

from inspector.turns import NotATurn, read_payload, read_turn
from inspector.turns.payload import parse
from tests.turns.whole import assert_whole

CORPUS = Path(__file__).parents[3] / "shared" / "corpus"
PARTS = ("messages", "prompt", "request", "response")
FILES = sorted(CORPUS.rglob("*.jsonl"))


@pytest.mark.skipif(not FILES, reason="the corpus is not here; samples and made-up prompts cover the same")
@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(CORPUS)))
def test_every_prompt_adds_up(path: Path) -> None:
    for number, line in enumerate(path.read_bytes().splitlines()):
        try:
            turn = read_payload(parse(line))
        except NotATurn:
            row = json.loads(line)
            assert [key for key in PARTS if row.get(key) is not None] == [], number
            continue
        reading = read_turn(turn)
        assert_whole(turn, reading.sections)
        failed = [finding.message for finding in reading.findings if finding.rule == "reading-failed"]
        assert failed == [], number
        if path.parent.name == "daydreams" and turn.messages[0].text.startswith("You are"):
            assert reading.layout, number
            assert not {s.title for s in reading.sections if s.depth == 0} & {"Text", "Introduction"}, number
