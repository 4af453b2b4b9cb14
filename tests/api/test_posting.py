"""Posting through the door: the same turn twice, later parts in any order, batches, compression."""

import gzip
import json
import sys
from typing import Any

import pytest
from django.db import OperationalError

from inspector.store.models import Turn
from inspector.store.zstd import compress
from tests.api.conftest import Place, read_all

pytestmark = pytest.mark.django_db

CALL = {
    "role": "assistant",
    "content": "",
    "tool_calls": [
        {"id": "c1", "type": "function", "function": {"name": "look", "arguments": '{"at": "sea"}'}}
    ],
}


def test_a_posted_turn_says_where_it_is(ours: Place) -> None:
    answer = ours.poster.post("/turns", {"id": "t1", "session": "voyage", "prompt": "Hi"})
    assert answer.status_code == 201
    place = answer.json()
    assert place == {
        "id": "t1",
        "session": "voyage",
        "session_id": place["session_id"],
        "seq": 1,
        "url": "http://testserver/p/ours/t/t1/",
        "state": "pending",
    }


def test_the_same_turn_again_is_200_with_the_same_answer_even_when_it_was_read(ours: Place) -> None:
    first = ours.poster.post("/turns", {"id": "t1", "prompt": "Hi"})
    read_all()
    again = ours.poster.post("/turns", {"id": "t1", "prompt": "Hi"})
    assert (first.status_code, again.status_code) == (201, 200)
    assert first.content == again.content
    assert Turn.objects.count() == 1


def test_the_same_id_with_another_body_is_409_and_changes_nothing(ours: Place) -> None:
    ours.poster.post("/turns", {"id": "t1", "prompt": "Hi"})
    answer = ours.poster.post("/turns", {"id": "t1", "prompt": "Ho"})
    assert (answer.status_code, answer.json()["error"]["code"]) == (409, "id_conflict")
    assert json.loads(ours.reader.get("/turns/t1/record").content) == {"id": "t1", "prompt": "Hi"}


def test_without_an_id_every_post_is_a_new_turn(ours: Place) -> None:
    ids = {ours.poster.post("/turns", {"prompt": "Hi"}).json()["id"] for _ in range(3)}
    assert len(ids) == 3


def test_public_address_is_used_where_there_is_one(ours: Place, settings: Any) -> None:
    settings.PUBLIC_URL = "https://inspector.example"
    answer = ours.poster.post("/turns", {"id": "a:b~c", "prompt": "Hi"})
    assert answer.json()["url"] == "https://inspector.example/p/ours/t/a:b~c/"


@pytest.mark.parametrize(
    "content_type", ["application/json", "text/plain", "application/x-www-form-urlencoded", ""]
)
def test_the_body_counts_not_what_it_calls_itself(ours: Place, content_type: str) -> None:
    assert ours.poster.post("/turns", {"prompt": "Hi"}, content_type=content_type).status_code == 201


@pytest.mark.parametrize(
    ("encoding", "press"), [("gzip", gzip.compress), ("zstd", compress), ("GZIP", gzip.compress)]
)
def test_compressed_bodies_are_kept_unpacked(ours: Place, encoding: str, press: Any) -> None:
    body = json.dumps({"id": "t1", "prompt": "Hi " * 1000}).encode()
    assert ours.poster.post("/turns", press(body), **{"Content-Encoding": encoding}).status_code == 201
    assert ours.reader.get("/turns/t1/record").content == body


def test_a_batch_answers_in_order_and_each_turn_for_itself(ours: Place) -> None:
    ours.poster.post("/turns", {"id": "there", "prompt": "Hi"})
    lines = [
        b'{"id": "a", "prompt": "1"}',
        b'{"id": "there", "prompt": "other"}',
        b"not json",
        b"",
        b'{"id": "b"}',
        b'{"id": "there", "prompt": "Hi"}',
        b'{"id": "a", "prompt": "1"}',
        b'{"id": "a", "prompt": "2"}',
        b'{"id": "c", "prompt": "3"}\r',
    ]
    answer = ours.poster.post("/turns/batch", b"\n".join(lines), content_type="application/x-ndjson")
    results = answer.json()["results"]
    assert [result["status"] for result in results] == [201, 409, 400, 400, 200, 200, 409, 201]
    assert [result.get("error", {}).get("code") for result in results if "error" in result] == [
        "id_conflict", "invalid_turn", "invalid_turn", "id_conflict",
    ]  # fmt: skip
    assert ours.reader.get("/turns/a/record").content == lines[0]


def test_a_batch_may_be_an_array(ours: Place) -> None:
    answer = ours.poster.post("/turns/batch", [{"id": "a", "prompt": "1"}, 7, {"id": "b", "prompt": "2"}])
    assert [result["status"] for result in answer.json()["results"]] == [201, 400, 201]


@pytest.mark.parametrize("body", [b"", b"[]", b"\n\n"])
def test_an_empty_batch_has_no_results(ours: Place, body: bytes) -> None:
    answer = ours.poster.post("/turns/batch", body)
    assert (answer.status_code, answer.json()) == (200, {"results": []})


def test_a_broken_array_is_refused_as_a_whole(ours: Place) -> None:
    answer = ours.poster.post("/turns/batch", b'[{"prompt": "1"}, {"prompt": ')
    assert (answer.status_code, answer.json()["error"]["code"]) == (400, "invalid_turn")
    assert not Turn.objects.exists()


def test_more_turns_than_a_batch_holds_are_refused_one_by_one(ours: Place, monkeypatch: Any) -> None:
    monkeypatch.setattr(sys.modules["inspector.ingest.decoders.batch"], "MAX_ITEMS", 2)
    answer = ours.poster.post("/turns/batch", [{"prompt": str(number)} for number in range(4)])
    statuses = [result["status"] for result in answer.json()["results"]]
    assert statuses[:2] == [201, 201]
    assert set(statuses[2:]) == {413}


@pytest.mark.parametrize("order", ["turn first", "parts first"])
def test_parts_may_come_in_any_order(ours: Place, order: str) -> None:
    def turn() -> Any:
        return ours.poster.post("/turns", {"id": "t1", "prompt": "Hi"})

    def parts() -> Any:
        assert ours.poster.post("/turns/t1/response", {"response": CALL}).status_code == 201
        return ours.poster.post("/turns/t1/results", {"results": [{"call": "c1", "value": {"waves": 3}}]})

    answers = [turn(), parts()] if order == "turn first" else [parts(), turn()]
    assert [answer.status_code for answer in answers] == [201, 201]
    read_all()
    call = ours.reader.get("/turns/t1").json()["response"]["calls"][0]
    assert (call["name"], call["arguments"], call["result"]["value"]) == ("look", {"at": "sea"}, {"waves": 3})
    assert json.loads(ours.reader.get("/turns/t1/record").content) == {"id": "t1", "prompt": "Hi"}


def test_a_response_again_is_200_and_another_one_409(ours: Place) -> None:
    ours.poster.post("/turns", {"id": "t1", "prompt": "Hi"})
    statuses = [
        ours.poster.post("/turns/t1/response", {"response": text}).status_code
        for text in ("Aye.", "Aye.", "No.")
    ]
    assert statuses == [201, 200, 409]
    ours.poster.post("/turns", {"id": "t2", "prompt": "Hi", "response": "Aye."})
    answer = ours.poster.post("/turns/t2/response", {"response": "No."})
    assert (answer.status_code, answer.json()["error"]["code"]) == (409, "response_conflict")


def test_reading_without_keeping_keeps_nothing(ours: Place) -> None:
    previous = {"prompt": "# Role\nYou steer a boat.\n# Now\nIt is noon."}
    turn = {"prompt": "# Role\nYou steer a boat.\n# Now\nIt is one.", "response": "Aye."}
    answer = ours.poster.post("/read", turn | {"previous": previous}).json()
    assert [section["title"] for section in answer["sections"]] == ["Role", "Now"]
    assert answer["since_previous"]["sections"]["changed"] == 1
    assert answer["url"] is None
    assert not Turn.objects.exists()


def test_a_reading_that_is_not_kept_is_the_one_that_would_be(ours: Place) -> None:
    ours.project.kinds = {"Sailing rules": "instructions", "Now": "none"}
    ours.project.save()
    turn = {
        "id": "t1",
        "session": "s",
        "prompt": "<sailing-rules>Keep right.</sailing-rules>\n# Now\nIt is noon.",
        "tools": [{"type": "function", "function": {"name": "sail", "parameters": {"type": "object"}}}],
        "response": {
            "content": "",
            "tool_calls": [{"id": "c1", "type": "function", "function": {"name": "sail", "arguments": "{}"}}],
        },
        "results": [{"call": "c1", "value": {"knots": 7}}],
    }
    answer = ours.poster.post("/read", turn).json()
    (call,) = answer["response"]["calls"]
    assert call["result"]["value"] == {"knots": 7}
    assert "Now" not in [section["title"] for section in answer["sections"]]
    ours.poster.post("/turns", turn)
    read_all()
    kept = ours.reader.get("/turns/t1").json()
    place = {"session_id", "seq", "state", "received_at", "url", "problem"}
    assert {name: value for name, value in kept.items() if name not in place} == {
        name: value for name, value in answer.items() if name not in place
    }


def test_results_of_the_turn_before_resolve_references_of_the_one_that_is_read(ours: Place) -> None:
    prompt = (
        '<available-actions>\n<action name="sail"><schema>{"type": "object"}</schema></action>\n'
        "</available-actions>\n<task>Go.</task>"
    )
    before = {
        "prompt": prompt,
        "response": '<response><action_call name="sail">{}</action_call></response>',
        "results": [{"call": 0, "value": {"knots": 7}}],
    }
    answer = ours.poster.post("/read", before | {"previous": before})
    assert answer.status_code == 200
    assert answer.json()["response"]["calls"][0]["result"]["value"] == {"knots": 7}
    assert not Turn.objects.exists()


@pytest.mark.parametrize("previous", ["Hi", 1, [], {"session": "s"}, {"prompt": 1}])
def test_a_previous_turn_must_be_one(ours: Place, previous: Any) -> None:
    answer = ours.poster.post("/read", {"prompt": "Hi", "previous": previous})
    assert (answer.status_code, answer.json()["error"]["code"]) == (400, "invalid_turn")


def test_a_database_that_cannot_take_it_is_said(ours: Place, monkeypatch: Any) -> None:
    def full(*args: Any) -> Any:
        raise OperationalError("database or disk is full")

    monkeypatch.setattr("inspector.ingest.writing._attempt", full)
    answer = ours.poster.post("/turns", {"prompt": "S3CRET"})
    assert (answer.status_code, answer.json()["error"]["code"]) == (503, "busy")
    assert answer.headers["Retry-After"]


def test_a_fault_of_ours_is_500_in_the_same_shape_and_the_log_holds_no_content(
    ours: Place, monkeypatch: Any, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(*args: Any) -> Any:
        raise ValueError("S3CRET")

    monkeypatch.setattr("inspector.ingest.intake.record", broken)
    answer = ours.poster.post("/turns", {"prompt": "S3CRET"})
    assert (answer.status_code, answer.json()["error"]["code"]) == (500, "internal")
    assert "ValueError" in caplog.text
    assert "S3CRET" not in caplog.text + answer.content.decode()
