"""Streams in any form of posting."""

import json
from base64 import b64encode
from typing import Any

import pytest

from inspector.turns.payload import Payload
from inspector.turns.wires import read_payload
from inspector.turns.wires.streams import Streamed, events_in, streamed, unstreamed

EVENTS = [{"type": "a", "text": "x\u2028\x85y"}, {"type": "b"}]
SSE = "".join(f"event: {event['type']}\ndata: {json.dumps(event)}\n\n" for event in EVENTS)


@pytest.mark.parametrize(
    "posted",
    [
        EVENTS,
        SSE,
        SSE.replace("\n", "\r\n"),
        SSE + "data: [DONE]\n\n",
        ": comment\n\n" + SSE,
        "id: 1\n" + SSE,
        "\n".join(map(json.dumps, EVENTS)),
        [json.dumps(event) for event in EVENTS],
        [{"event": "e", "data": event} for event in EVENTS],
        [{"event": "e", "data": json.dumps(event)} for event in EVENTS],
        SSE.splitlines(),
        [*EVENTS, None, 3],
    ],
)
def test_events(posted: Any) -> None:
    found = streamed(posted)
    assert list(events_in(found)) == EVENTS
    assert unstreamed(found) is posted


@pytest.mark.parametrize(
    "posted",
    [
        None,
        "",
        "plain text",
        "data: nothing here",
        '{"broken',
        '{"a": 1}\nprose',
        [],
        [1],
        {"a": 1},
        "[1, 2]",
    ],
)
def test_no_stream(posted: Any) -> None:
    assert not isinstance(streamed(posted), Streamed)
    assert events_in(posted) == ()


def test_raw_line_separators_inside_an_event_do_not_cut_it() -> None:
    event = json.dumps(EVENTS[0], ensure_ascii=False)
    assert list(events_in(streamed(f"data: {event}\n\n"))) == EVENTS[:1]


def frame(kind: str, payload: dict[str, Any]) -> bytes:
    """One frame of AWS' event stream, its checksums left to chance."""
    headers = b"".join(
        bytes([len(name)]) + name + b"\x07" + len(value).to_bytes(2, "big") + value
        for name, value in (
            (b":event-type", kind.encode()),
            (b":content-type", b"application/json"),
            (b":message-type", b"event"),
        )
    )
    body = json.dumps(payload).encode()
    return b"\x00\x00\x01\xe9\x00\x00\x00W\xd1" + headers + body + b"\x8a\xff\x00\xfe"


def test_frames_that_were_taken_for_text_are_read() -> None:
    call = {"toolUse": {"toolUseId": "t", "name": "look"}}
    frames = [
        frame("messageStart", {"role": "assistant"}),
        frame("contentBlockDelta", {"contentBlockIndex": 0, "delta": {"text": "It { rains"}}),
        frame("contentBlockStart", {"contentBlockIndex": 1, "start": call}),
        frame("contentBlockDelta", {"contentBlockIndex": 1, "delta": {"toolUse": {"input": '{"a":1}'}}}),
        frame("messageStop", {"stopReason": "tool_use"}),
    ]
    text = b"".join(frames).decode(errors="replace")
    turn = read_payload(Payload({"prompt": "Go", "response": text}))
    assert turn.response is not None
    assert (turn.wire, turn.response.text, turn.finish_reason) == (
        "bedrock_converse",
        "It { rains",
        "tool_use",
    )
    assert [(each.name, each.arguments) for each in turn.response.calls] == [("look", '{"a":1}')]


def test_events_in_base64_are_the_model_s_own() -> None:
    events = [
        {"type": "message_start", "message": {"model": "m"}},
        {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": "Hi"}},
    ]
    frames = [frame("chunk", {"bytes": b64encode(json.dumps(each).encode()).decode()}) for each in events]
    turn = read_payload(Payload({"prompt": "Go", "response": b"".join(frames).decode(errors="replace")}))
    assert turn.response is not None
    assert (turn.wire, turn.response.text) == ("anthropic_messages", "Hi")


@pytest.mark.parametrize("text", ["about :message-type and :event-type", ":message-type\x07\0\x05event{", ""])
def test_words_about_frames_stay_words(text: str) -> None:
    turn = read_payload(Payload({"prompt": "Go", "response": text}))
    assert turn.response is not None
    assert turn.response.text == text
