"""Every wire on samples of its own, on any JSON at all, and on the shared corpus where there is one."""

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from inspector.turns import wires
from inspector.turns.errors import NotATurn, TurnError, Unreadable
from inspector.turns.payload import Payload, parse
from inspector.turns.turn import Turn
from inspector.turns.wires import WIRES, native, read_payload
from tests.turns.readings import JSON
from tests.turns.wires.as_read import as_read

SAMPLES = Path(__file__).parents[2] / "samples" / "wires"
CASES = sorted(path for path in SAMPLES.glob("*/*.json") if not path.name.endswith(".expected.json"))
CORPUS = Path(__file__).parents[4] / "shared" / "corpus"
NAMES = {"cohere": "cohere_chat"}


@pytest.mark.parametrize("path", CASES, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_sample(path: Path, update_samples: bool) -> None:
    turn = read_payload(parse(path.read_bytes()))
    assert turn.wire == NAMES.get(path.parent.name, path.parent.name)
    parts_add_up(turn)
    expected = path.with_suffix(".expected.json")
    if update_samples:
        expected.write_text(json.dumps(as_read(turn), indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    assert as_read(turn) == json.loads(expected.read_text(encoding="utf-8"))


def parts_add_up(turn: Turn) -> None:
    """Parts tile the message's text in order."""
    for message in turn.messages:
        at = 0
        for part in message.parts:
            assert part.start == at
            at = part.end
        assert at == len(message.text) or not message.parts


def test_every_wire_has_samples() -> None:
    assert {path.parent.name for path in CASES} == {
        str(vars(wire)["__name__"]).rpartition(".")[2] for wire in WIRES
    }


def test_native_is_asked_last() -> None:
    assert WIRES[-1] is native


# ---------------------------------------------------------------- whatever is posted

KEYS = st.sampled_from(
    [
        *(
            "role",
            "content",
            "type",
            "text",
            "parts",
            "message",
            "messages",
            "input",
            "output",
            "choices",
            "delta",
        ),
        *(
            "tool_calls",
            "function",
            "name",
            "arguments",
            "candidates",
            "usage",
            "system",
            "tools",
            "index",
            "id",
        ),
        *("error", "response", "contents", "steps", "done", "created_at", "contentBlockDelta"),
    ]
)
TYPES = st.sampled_from(
    [
        *(
            "text",
            "tool_use",
            "tool_result",
            "function_call",
            "message",
            "response.completed",
            "message_start",
        ),
        *("content_block_delta", "reasoning", "assistant", "user", "content-delta", "function_call_output"),
    ]
)
SHAPED = st.recursive(
    st.none() | st.booleans() | st.integers(-1, 3) | TYPES,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=5),
    max_leaves=20,
)


@given(
    request=st.none() | st.dictionaries(KEYS, SHAPED, max_size=6),
    response=st.none() | SHAPED,
    messages=st.none() | st.lists(st.dictionaries(KEYS, SHAPED, max_size=5), max_size=3),
    tools=st.none() | SHAPED | JSON,
)
@settings(max_examples=600, deadline=None)
def test_no_shape_makes_a_wire_stumble(request: Any, response: Any, messages: Any, tools: Any) -> None:
    payload = {"request": request, "response": response, "messages": messages, "tools": tools}
    try:
        turn = read_payload(payload)
    except (NotATurn, Unreadable):
        return
    parts_add_up(turn)
    assert not [note for note in turn.notes if "failed while asked" in note or "could not read it" in note]


@pytest.mark.parametrize("stage", ["likelihood", "read"])
def test_a_wire_that_raises_is_passed_over_with_a_note(monkeypatch: pytest.MonkeyPatch, stage: Any) -> None:
    class Broken:
        NAME = "broken"

        @staticmethod
        def likelihood(payload: Any) -> float:
            if stage == "likelihood":
                raise KeyError
            return 1.0

        @staticmethod
        def read(payload: Any) -> Turn:
            raise KeyError

    monkeypatch.setattr(wires, "WIRES", (Broken, *WIRES))
    turn = read_payload({"prompt": "p"})
    assert turn.messages[0].text == "p"
    assert "broken" in turn.notes[0]


def test_call_whose_function_is_its_name_is_read() -> None:
    call = {"id": "c1", "function": "look", "arguments": {"berth": 7}}
    turn = read_payload(Payload({"messages": [{"role": "assistant", "content": "", "tool_calls": [call]}]}))
    (found,) = turn.messages[0].calls
    assert (found.id, found.name, found.arguments) == ("c1", "look", '{"berth":7}')


def test_nothing_readable_is_unreadable_with_the_reason() -> None:
    with pytest.raises(Unreadable, match="Neither a prompt nor a response"):
        read_payload({"request": {"odd": 1}})


def test_rules_of_the_api_are_kept() -> None:
    with pytest.raises(NotATurn):
        read_payload({"id": "no content"})


def test_notes_of_the_payload_are_on_the_turn() -> None:
    payload = Payload({"prompt": "p", "response": [{"choices": []}]})
    payload.notes = ("A key is given twice.",)
    assert read_payload(payload).notes[0] == "A key is given twice."


def test_large_streams_take_linear_time() -> None:
    """Anything quadratic would not end; text of a stream is joined once."""
    chunk = {"choices": [{"index": 0, "delta": {"content": "ab"}}]}
    turn = read_payload({"prompt": "p", "response": [chunk] * 100_000})
    assert turn.response is not None
    assert len(turn.response.text) == 200_000


@pytest.mark.skipif(not CORPUS.is_dir(), reason="the shared corpus is not here")
def test_every_row_of_the_corpus_is_read() -> None:
    refused: Counter[str] = Counter()
    for path in sorted(CORPUS.glob("[ads]*/*.jsonl")):
        if path.parent.name == "daydreams_truth":
            continue
        for line in path.read_bytes().splitlines():
            try:
                turn = read_payload(parse(line))
            except TurnError:
                refused[path.name] += 1
                continue
            parts_add_up(turn)
            assert not [note for note in turn.notes if "could not read it" in note]
    assert dict(refused) == {"vercel_ai_fixtures.jsonl": 209}, "rows with neither prompt nor response"
