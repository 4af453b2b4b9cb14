"""Responses cut at any character, and with something hostile put in: nothing raises, nothing is lost."""

import json
import random
from typing import Any

import pytest

from inspector.turns.turn import Call, Output
from tests.turns.responses.reading import assert_nothing_lost, heard
from tests.turns.responses.test_samples import CASES

PUT_IN = ["<", ">", '"', "'", "{", "}", "[", "]", "&", "\\", "\0", "\ud800", "\n", "```", "<!--", "]]>", "{{"]
PUT_IN += [
    "</response>",
    "<reasoning>",
    "</reasoning>",
    '<action_call name="note">',
    "</output>",
    "\u202e",
    "😀",
]


def sample(path: Any) -> tuple[str, str, str]:
    payload = json.loads(path.read_text())
    return payload["response"], payload["prefill"], path.stem.split("-")[0]


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_cut_anywhere_keeps_what_was_complete_before(path: Any) -> None:
    text, prefill, name = sample(path)
    whole = heard(text, prefill, name).response
    for end in range(len(text) + 1):
        cut = heard(text[:end], prefill, name).response
        assert cut.text == prefill + text[:end]
        if cut.syntax == "tagged":
            assert_nothing_lost(cut)
        made = [(call.name, call.raw, call.start) for call in cut.calls]
        for call in whole.calls:
            if call.end is not None and call.end <= len(cut.text):
                assert (call.name, call.raw, call.start) in made, end


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_anything_put_in_anywhere_is_read(path: Any) -> None:
    text, prefill, name = sample(path)
    chance = random.Random(path.stem)
    for piece in PUT_IN:
        for _ in range(12):
            at = chance.randrange(len(text) + 1)
            response = heard(text[:at] + piece + text[at:], prefill, name).response
            assert response.text == prefill + text[:at] + piece + text[at:]
            said: list[Call | Output] = [*response.calls, *response.outputs]
            for item in said:
                if item.raw_start is not None:
                    assert response.text.startswith(item.raw, item.raw_start)
            for span in (*response.reasoning, *response.stray):
                if span.start is not None:
                    assert response.text[span.start : span.end] == span.text
