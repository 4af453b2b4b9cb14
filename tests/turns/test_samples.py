"""Samples: a posted turn and what its prompt must be cut into, as files. Adding a case needs no Python.

``pytest tests/turns/test_samples.py --update-samples`` rewrites the expected side; read the difference
before you commit it. Whatever is expected, the sections must first add up to the text.
"""

import json
from pathlib import Path
from typing import Any

import pytest

from inspector.turns.dialects import DIALECTS, choose
from inspector.turns.payload import parse
from inspector.turns.sections import Sections, sections_of
from inspector.turns.turn import Section
from inspector.turns.wires import read_payload
from tests.turns.whole import assert_whole

SAMPLES = Path(__file__).parent.parent / "samples"
CASES = sorted(path for path in SAMPLES.glob("*/*.json") if not path.name.endswith(".expected.json"))


@pytest.mark.parametrize("path", CASES, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_sample_is_cut_as_expected(path: Path, update_samples: bool) -> None:
    turn = read_payload(parse(path.read_bytes()))
    dialect = choose(turn)
    assert dialect.name == path.parent.name, "a sample lies in its dialect's folder"
    cut = sections_of(turn, dialect)
    assert_whole(turn, cut.sections)
    found = {"dialect": dialect.name, "layout": cut.layout, **_shown(cut)}
    expected = path.with_suffix(".expected.json")
    if update_samples:
        expected.write_text(json.dumps(found, indent=1) + "\n")
    assert expected.exists(), f"new sample: run pytest {__name__.replace('.', '/')}.py --update-samples"
    assert found == json.loads(expected.read_text())


def test_there_are_samples_of_each_dialect() -> None:
    assert {path.parent.name for path in CASES} >= {dialect.name for dialect in DIALECTS}


def test_no_expectation_without_its_sample() -> None:
    expected = {path.name.removesuffix(".expected.json") for path in SAMPLES.glob("*/*.expected.json")}
    assert expected == {path.stem for path in CASES}


def _shown(cut: Sections) -> dict[str, Any]:
    notes = [f"{note.rule} {note.message}:{note.start}-{note.end} {note.text}" for note in cut.notes]
    return {"sections": [_line(section) for section in cut.sections], "notes": notes}


def _line(section: Section) -> str:
    """A section in one line, for people to read."""
    place = f"{section.message}:{section.start}-{section.end} body {section.body_start}-{section.body_end}"
    lines = f"L{section.line}-{section.end_line}"
    indent = "  " * section.depth
    return f"{indent}{section.path} | {section.kind} | {section.title} | {section.syntax} | {place} | {lines}"
