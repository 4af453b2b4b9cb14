"""Sample responses and how they are read, as files. Adding a case needs no Python.

``pytest tests/turns/responses/test_samples.py --update-samples`` rewrites the expected side; read the
difference before you commit it. The first word of a file's name is the dialect.
"""

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest

from inspector.turns.references import references_of
from inspector.turns.responses import Heard
from inspector.turns.turn import Turn
from tests.turns.responses.reading import dialect, heard

SAMPLES = Path(__file__).parent / "samples"
CASES = sorted(path for path in SAMPLES.glob("*.json") if not path.name.endswith(".expected.json"))


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_response_is_read_as_expected(path: Path, update_samples: bool) -> None:
    sample = json.loads(path.read_text())
    name = path.stem.split("-")[0]
    shown = _shown(heard(sample["response"], sample["prefill"], name), name)
    assert_places(shown, sample["prefill"] + sample["response"])
    expected = path.with_suffix(".expected.json")
    if update_samples:
        expected.write_text(json.dumps(shown, indent=1, ensure_ascii=False) + "\n")
    assert expected.exists(), "new sample: run pytest tests/turns/responses/test_samples.py --update-samples"
    assert shown == json.loads(expected.read_text())


def test_no_expectation_without_its_sample() -> None:
    assert {path.name.removesuffix(".expected.json") for path in SAMPLES.glob("*.expected.json")} == {
        path.stem for path in CASES
    }


def assert_places(shown: dict[str, Any], text: str) -> None:
    """What is said to stand at a place does."""
    for span in (*shown["reasoning"], *shown["stray"]):
        assert text[span["start"] : span["end"]] == span["text"]
    for item in (*shown["calls"], *shown["outputs"]):
        assert text[item["start"] : item["end"]].find(item["raw"]) >= 0
        if item["raw_start"] is not None:
            assert text[item["raw_start"] :].startswith(item["raw"])


def _shown(found: Heard, name: str) -> dict[str, Any]:
    layout = "0.3.20" if name == "daydreams" else None
    response = found.response
    shown: dict[str, Any] = json.loads(json.dumps(asdict(response)))
    shown.pop("text")
    shown.pop("tokens")
    references = references_of(Turn(), response, dialect(name, layout))
    shown["references"] = [
        f"{each.expression} {each.where} {each.index} {each.status}" for each in references
    ]
    shown["quirks"] = [f"{quirk.name} {quirk.tag} {quirk.start}-{quirk.end}" for quirk in found.quirks]
    shown["faults"] = [
        f"{judged.where} {judged.index}: {fault.kind} {fault.path} wants {fault.expected}, got {fault.got}"
        for judged in found.judged
        for fault in judged.faults
    ]
    return shown
