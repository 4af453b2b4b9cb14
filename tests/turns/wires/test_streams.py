"""Streams in any form of posting."""

import json
from typing import Any

import pytest

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
