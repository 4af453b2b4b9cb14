"""Answers between ``[CONTENT]`` marks."""

import pytest

from inspector.turns.responses.content import looks_like, read
from inspector.turns.turn import Contract, Offer

SCHEMA = {"type": "object", "properties": {"a": {"type": "integer"}}}
CONTRACT = Contract((), (Offer("content", None, SCHEMA, "tools", None),))


def test_what_stands_between_the_marks_is_the_output() -> None:
    text = '[CONTENT]\n{"a": 1}\n[/CONTENT]\nDone.'
    draft = read(text, CONTRACT)
    assert [(output.name, output.data, output.raw) for output in draft.outputs] == [
        ("content", {"a": 1}, '{"a": 1}')
    ]
    assert draft.outputs[0].raw_start is not None
    assert text[draft.outputs[0].raw_start :].startswith('{"a": 1}')
    assert [span.text for span in draft.stray] == ["\nDone."]


def test_content_without_an_end_is_incomplete() -> None:
    draft = read('```\n[CONTENT]\n{"a": 1', CONTRACT)
    assert not draft.complete
    assert draft.outputs[0].data == {"a": 1}


@pytest.mark.parametrize("text", ["see [CONTENT]", "", "{}"])
def test_other_text_is_none(text: str) -> None:
    assert not looks_like(text)
