# ruff: noqa: E501 - posted bytes are shown as they are
"""Every bad input has a documented status and the API's error shape, or is kept whole. Never a 500."""

import gzip
import json
import zlib
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import pytest
from django.conf import settings

from inspector.store.models import Turn
from inspector.store.queries.cursors import pack
from inspector.store.zstd import compress
from tests.api.conftest import Caller, Place

pytestmark = pytest.mark.django_db


@dataclass(frozen=True)
class Bad:
    """One bad body for POST /turns and what it is answered with."""

    name: str
    body: bytes | Callable[[], bytes]
    status: int
    code: str
    headers: dict[str, str] = field(default_factory=dict)
    detail: dict[str, Any] = field(default_factory=dict)

    def bytes(self) -> bytes:
        return self.body if isinstance(self.body, bytes) else self.body()


def turn(**fields: Any) -> bytes:
    return json.dumps({"prompt": "Hi"} | fields).encode()


def nested(depth: int) -> bytes:
    return b'{"prompt": "Hi", "metadata": ' + b"[" * depth + b"]" * depth + b"}"


def wrong(name: str, field: str, body: bytes) -> Bad:
    return Bad(name, body, 400, "invalid_turn", detail={"field": field})


MB = 1024 * 1024
REFUSED = (
    Bad("empty", b"", 400, "invalid_turn"),
    Bad("not JSON", b"prompt=Hi", 400, "invalid_turn"),
    Bad("half a turn", b'{"prompt": "Hi"', 400, "invalid_turn"),
    Bad("two turns", b'{"prompt": "Hi"}{"prompt": "Hi"}', 400, "invalid_turn"),
    Bad("a list", b'[{"prompt": "Hi"}]', 400, "invalid_turn"),
    Bad("a string", b'"Hi"', 400, "invalid_turn"),
    Bad("null", b"null", 400, "invalid_turn"),
    Bad("no content", b'{"session": "s"}', 400, "invalid_turn"),
    Bad("only nulls", b'{"prompt": null, "response": null}', 400, "invalid_turn"),
    Bad("invalid UTF-8", b'{"prompt": "\xff\xfe"}', 400, "invalid_turn"),
    Bad("overlong UTF-8", b'{"prompt": "\xc0\xaf"}', 400, "invalid_turn"),
    Bad("surrogates as bytes", b'{"prompt": "\xed\xa0\xbd"}', 400, "invalid_turn"),
    Bad("UTF-16", '{"prompt": "Hi"}'.encode("utf-16"), 400, "invalid_turn"),
    Bad("raw NUL", b'{"prompt": "\x00"}', 400, "invalid_turn"),
    Bad("NaN", b'{"prompt": "Hi", "metadata": NaN}', 400, "invalid_turn"),
    Bad("Infinity", b'{"prompt": "Hi", "metadata": -Infinity}', 400, "invalid_turn"),
    Bad("5,000 deep", nested(5_000), 400, "invalid_turn"),
    Bad("5,000,000 deep", lambda: nested(5_000_000), 400, "invalid_turn"),
    wrong("field given twice", "prompt", b'{"prompt": "Hi", "prompt": "Ho"}'),
    wrong("id given twice", "id", b'{"prompt": "Hi", "id": "a", "id": "b"}'),
    wrong("prompt is a number", "prompt", turn(prompt=1)),
    wrong("prompt is a list", "prompt", turn(prompt=["Hi"])),
    wrong("messages is text", "messages", turn(messages="Hi")),
    wrong("a message is a number", "messages[0]", turn(messages=[1])),
    wrong("a role is a number", "messages[0].role", turn(messages=[{"role": 1, "content": "Hi"}])),
    wrong("a content is a number", "messages[0].content", turn(messages=[{"role": "user", "content": 1}])),
    wrong("request is text", "request", turn(request="Hi")),
    wrong("response is a number", "response", turn(response=1)),
    wrong("session is a number", "session", turn(session=7)),
    wrong("session is empty", "session", turn(session="")),
    wrong("session too long", "session", turn(session="s" * 257)),
    wrong("id with a slash", "id", turn(id="a/b")),
    wrong("id with a space", "id", turn(id="a b")),
    wrong("id with NUL", "id", turn(id="a\x00")),
    wrong("id empty", "id", turn(id="")),
    wrong("id too long", "id", turn(id="a" * 129)),
    wrong("id that is no name in an address", "id", turn(id="..")),
    wrong("id is a number", "id", turn(id=1)),
    wrong("id not ASCII", "id", turn(id="é")),
    wrong("parent with a slash", "parent", turn(parent="a/b")),
    wrong("tags is a list", "tags", turn(tags=["a"])),
    wrong("a tag is a number", "tags.a", turn(tags={"a": 1})),
    wrong("results is an object", "results", turn(results={"call": 0})),
    wrong("a result without value", "results", turn(results=[{"call": 0}])),
    wrong("usage is text", "usage", turn(usage="1")),
    wrong("started_at is an object", "started_at", turn(started_at={})),
    Bad(
        "33 MB",
        lambda: turn(prompt="x" * (33 * MB)),
        413,
        "too_large",
        detail={"limit": 32 * MB, "actual": 33 * MB + 14},
    ),
    Bad(
        "gzip bomb",
        lambda: gzip.compress(b" " * (300 * MB), 9),
        413,
        "too_large",
        {"Content-Encoding": "gzip"},
    ),
    Bad("zstd bomb", lambda: compress(b" " * (300 * MB)), 413, "too_large", {"Content-Encoding": "zstd"}),
    Bad(
        "gzip in gzip bomb",
        lambda: gzip.compress(gzip.compress(b" " * (100 * MB), 9), 9),
        413,
        "too_large",
        {"Content-Encoding": "gzip, gzip"},
    ),
    Bad("brotli", turn(), 415, "unknown_encoding", {"Content-Encoding": "br"}),
    Bad("unheard-of encoding", turn(), 415, "unknown_encoding", {"Content-Encoding": "rot13"}),
    Bad("not gzip at all", turn(), 400, "bad_encoding", {"Content-Encoding": "gzip"}),
    Bad("gzip cut off", gzip.compress(turn())[:-9], 400, "bad_encoding", {"Content-Encoding": "gzip"}),
    Bad(
        "gzip and rubbish",
        gzip.compress(turn()) + b"rubbish",
        400,
        "bad_encoding",
        {"Content-Encoding": "gzip"},
    ),
    Bad("deflate", zlib.compress(turn()), 415, "unknown_encoding", {"Content-Encoding": "deflate"}),
    Bad("zstd cut off", compress(turn())[:-3], 400, "bad_encoding", {"Content-Encoding": "zstd"}),
)


def names(bad: Bad) -> str:
    return bad.name


@pytest.mark.parametrize("bad", REFUSED, ids=names)
def test_a_refused_turn_says_why_and_leaves_nothing(ours: Place, bad: Bad) -> None:
    answer = ours.poster.post("/turns", bad.bytes(), **bad.headers)
    error = answer.json()["error"]
    assert (answer.status_code, error["code"]) == (bad.status, bad.code), error
    assert answer.headers["Content-Type"].startswith("application/json")
    assert error["message"]
    assert bad.detail.items() <= error["detail"].items()
    assert not Turn.objects.exists()


KEPT = (
    (
        "NUL",
        b'{"prompt": "a\\u0000b", "session": "s\\u0000", "tags": {"k\\u0000": "v\\u0000"}, "agent": "\\u0000"}',
    ),
    (
        "lone surrogates",
        b'{"prompt": "\\ud83d", "session": "\\udc00", "agent": "\\ud83d", "model": "\\ud800"}',
    ),
    (
        "2^64",
        b'{"prompt": "Hi", "metadata": 18446744073709551616, "usage": {"input_tokens": 18446744073709551616}}',
    ),
    ("5,000 digits", b'{"prompt": "Hi", "metadata": ' + b"7" * 5_000 + b"}"),
    ("1e400", b'{"prompt": "Hi", "metadata": [1e400, -1e400, 1.0, 1, -0.0]}'),
    ("duplicate keys inside", b'{"prompt": "Hi", "metadata": {"a": 1, "a": 2}}'),
    (
        "unknown fields",
        b'{"prompt": "Hi", "__proto__": {"x": 1}, "project_id": 7, "public": true, "share": "yes"}',
    ),
    ("400 deep", nested(400)),
    ("byte order mark", b'\xef\xbb\xbf{"prompt": "Hi"}'),
    ("white space around", b'\r\n  {"prompt" : "Hi"}\t\n'),
    (
        "year 9999",
        b'{"prompt": "Hi", "started_at": "9999-12-31T23:59:59Z", "ended_at": "0001-01-01T00:00:00Z"}',
    ),
    ("times in words", b'{"prompt": "Hi", "started_at": "yesterday", "ended_at": 1e300}'),
    ("bidi, ANSI, CRLF", '{"prompt": "\u202e\\u001b[31m\\r\\n\u2028", "model": "\\u001b]8;;x"}'.encode()),
    ("empty prompt", b'{"prompt": ""}'),
    ("messages of nothing", b'{"messages": [{}], "response": {}}'),
    ("an odd request", b'{"request": {"messages": {"not": "a list"}}, "response": [1, null, "x"]}'),
)


@pytest.mark.parametrize(("name", "body"), KEPT, ids=[name for name, _ in KEPT])
def test_what_is_odd_but_allowed_comes_back_byte_for_byte(ours: Place, name: str, body: bytes) -> None:
    answer = ours.poster.post("/turns", body)
    assert answer.status_code == 201, answer.content
    key = answer.json()["id"]
    assert ours.reader.get(f"/turns/{key}/record").content == body
    for path in (f"/turns/{key}", "/sessions", f"/sessions/{answer.json()['session_id']}/turns"):
        shown = ours.reader.get(path)
        assert shown.status_code == 200
        json.loads(shown.content, parse_constant=pytest.fail)


@pytest.mark.parametrize("bad", [bad for bad in REFUSED if bad.status == 400 and not bad.headers], ids=names)
def test_a_bad_turn_in_a_batch_never_loses_a_neighbour(ours: Place, bad: Bad) -> None:
    lines = [
        b'{"id": "before", "prompt": "Hi"}',
        bad.bytes().replace(b"\n", b" "),
        b'{"id": "after", "prompt": "Hi"}',
    ]
    answer = ours.poster.post("/turns/batch", b"\n".join(lines), content_type="application/x-ndjson")
    assert answer.status_code == 200, answer.content
    results = answer.json()["results"]
    assert [result["status"] for result in results if result.get("id") in ("before", "after")] == [201, 201]
    assert all(
        result["status"] == 400 and result["error"]["code"] == "invalid_turn" for result in results[1:-1]
    )
    assert set(Turn.objects.values_list("key", flat=True)) == {"before", "after"}


@pytest.mark.parametrize("bad", [bad for bad in REFUSED if not bad.headers and bad.status == 400], ids=names)
def test_reading_without_keeping_refuses_the_same(ours: Place, bad: Bad) -> None:
    answer = ours.poster.post("/read", bad.bytes())
    assert (answer.status_code, answer.json()["error"]["code"]) == (bad.status, bad.code)


@pytest.mark.parametrize("body", [body for _, body in KEPT], ids=[name for name, _ in KEPT])
def test_what_is_odd_is_read_without_keeping(ours: Place, body: bytes) -> None:
    answer = ours.poster.post("/read", body)
    assert answer.status_code in (200, 400), answer.content
    json.loads(answer.content, parse_constant=pytest.fail)


PARTS = (
    ("response", b"", 400),
    ("response", b"{}", 400),
    ("response", b'{"response": 1}', 400),
    ("response", b'{"response": "a", "response": "b"}', 400),
    ("response", b'{"response": "\xff"}', 400),
    ("response", nested(5_000), 400),
    ("results", b"{}", 400),
    ("results", b'{"results": {}}', 400),
    ("results", b'{"results": [{"call": -1, "value": 1}]}', 400),
    ("results", b'{"results": [{"call": 18446744073709551616, "value": "\\u0000"}]}', 201),
    ("response", b'{"response": "\\ud83d\\u0000"}', 201),
    ("response", b'{"error": "timeout"}', 201),
)


@pytest.mark.parametrize(("part", "body", "status"), PARTS)
def test_later_parts_are_as_strict(ours: Place, part: str, body: bytes, status: int) -> None:
    assert ours.poster.post("/turns", {"id": "t", "prompt": "Hi"}).status_code == 201
    answer = ours.poster.post(f"/turns/t/{part}", body)
    assert answer.status_code == status, answer.content
    assert ("error" in answer.json()) is (status == 400)
    assert ours.reader.get("/turns/t").status_code == 200


@pytest.mark.parametrize("key", ["a b", "é", "a%00b", "a\\b", "x" * 129])
def test_later_parts_of_an_impossible_id_are_refused(ours: Place, key: str) -> None:
    answer = ours.poster.post(f"/turns/{key}/response", {"response": "Hi"})
    assert answer.status_code in (400, 404)
    assert answer.json()["error"]["code"] in ("invalid_turn", "not_found")


IDS = [
    "nothing",
    "a b",
    "%00",
    "%ff",
    "é",
    "..%2f",
    "a" * 5000,
    "-1",
    "0",
    "18446744073709551616",
    "'; DROP TABLE",
    "*",
]


@pytest.mark.parametrize("key", IDS)
def test_ids_that_do_not_exist_are_all_404(reader: Caller, key: str) -> None:
    for path in (f"/turns/{key}", f"/turns/{key}/record", f"/turns/{key}/text", f"/turns/{key}/changes/{key}",
                 f"/sessions/{key}", f"/sessions/{key}/turns", f"/turns/{key}/blame",
                 f"/sessions/{key}/history?section=a", f"/sessions/{key}/presence?q=a"):  # fmt: skip
        answer = reader.get(path)
        assert (answer.status_code, answer.json()["error"]["code"]) == (404, "not_found"), path
    assert reader.delete(f"/shares/{key}").status_code == 404


QUERIES: tuple[tuple[str, dict[str, str], int], ...] = (
    ("/sessions", {"cursor": "rubbish"}, 400),
    ("/sessions", {"cursor": "W10"}, 400),
    ("/sessions", {"since": "yesterday"}, 400),
    ("/sessions", {"limit": "many"}, 400),
    ("/sessions", {"limit": "-1"}, 200),
    ("/sessions", {"limit": "99999999999999999999"}, 200),
    (
        "/sessions",
        {"q": "%_\\\x00'\"", "agent": "\x00", "tag": "\x00", "action": "\x00", "model": "\x00"},
        200,
    ),
    ("/sessions", {"rule": "\x00"}, 400),
    ("/sessions", {"has": "\x00"}, 400),
    ("/sessions", {"q": "x" * 10_000}, 400),
    ("/sessions", {"since": "0001-01-01T00:00:00", "until": "9999-12-31T23:59:59Z"}, 200),
    ("/sessions", {"since": "0001-01-01T00:00:00+14:00"}, 400),
    ("/sessions", {"until": "9999-12-31T23:59:59-14:00"}, 400),
    ("/sessions", {"cursor": pack("0001-01-01T00:00:00+14:00", 1)}, 400),
    ("/search", {}, 400),
    ("/search", {"q": "a", "since": "9999-12-31T23:59:59-14:00"}, 400),
    ("/search", {"q": "(a+)+$ \x00 %_\\"}, 200),
    ("/search", {"q": "a", "cursor": "rubbish"}, 400),
    ("/search", {"q": "a", "session": "\x00"}, 200),
    ("/search", {"q": "\x00", "mode": "exact"}, 200),
    ("/search", {"q": "a", "mode": "regex"}, 400),
    ("/versions", {"kind": "rubbish"}, 400),
    ("/versions", {}, 200),
)


@pytest.mark.parametrize(("path", "query", "status"), QUERIES)
def test_parameters_are_checked_and_never_a_fault_of_ours(
    reader: Caller, path: str, query: dict[str, str], status: int
) -> None:
    answer = reader.get(path, **query)
    assert answer.status_code == status, answer.content
    assert status == 200 or answer.json()["error"]["code"] in ("invalid_parameter", "bad_query")


def test_a_body_beyond_the_frameworks_own_limit_is_still_ours_to_judge(ours: Place, monkeypatch: Any) -> None:
    monkeypatch.setattr(settings, "DATA_UPLOAD_MAX_MEMORY_SIZE", 1000)
    assert ours.poster.post("/turns", turn(prompt="x" * 3_000_000)).status_code == 201


def test_the_limit_is_exact(ours: Place, monkeypatch: Any) -> None:
    limit = 5000
    monkeypatch.setattr(settings, "MAX_BODY", limit)
    for size, status in ((limit - 1, 201), (limit, 201), (limit + 1, 413)):
        body = turn(prompt="x" * (size - 14))
        assert len(body) == size
        for headers, data in (
            ({}, body),
            ({"Content-Encoding": "gzip"}, gzip.compress(body)),
            ({"Content-Encoding": "zstd"}, compress(body)),
        ):
            assert ours.poster.post("/turns", data, **headers).status_code == status
