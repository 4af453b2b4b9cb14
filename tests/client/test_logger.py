"""The logger against a server that is there, gone, slow, broken or wrong."""

import datetime
import json
import logging
import math
import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from inspector.client import Logger
from inspector.client.delivery import Parcel
from inspector.client.spool import Spool
from tests.client.server import Server, serving


@contextmanager
def logging_to(url: str, spool: Path, **options: Any) -> Iterator[Logger]:
    logger = Logger(url, "pi_test", spool=spool, **options)
    try:
        yield logger
    finally:
        logger.close(2)


def free_port() -> int:
    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))
        return int(held.getsockname()[1])


@pytest.fixture
def server() -> Iterator[Server]:
    with serving() as running:
        yield running


def spooled(folder: Path) -> list[Path]:
    return list(folder.rglob("*.parcels"))


def test_a_turn_arrives_with_its_key_and_id(server: Server, tmp_path: Path) -> None:
    with logging_to(server.url, tmp_path, agent="tester") as log:
        identity = log.turn(prompt="Hi", session="s")
        assert log.flush(5)
    assert server.turns[0] | {"path": ""} == {
        "agent": "tester", "prompt": "Hi", "session": "s", "id": identity, "path": "",
    }  # fmt: skip
    path, headers, _ = server.requests[0]
    assert (path, headers["Authorization"]) == ("/api/v1/turns", "Bearer pi_test")


def test_response_and_results_go_to_the_turns_own_paths(server: Server, tmp_path: Path) -> None:
    with logging_to(server.url, tmp_path) as log:
        log.turn(id="a:1", prompt="Hi")
        log.response("a:1", "Hello", finish_reason="stop")
        log.results("a:1", [{"call": 0, "value": 1}])
        assert log.flush(5)
    assert [path for path, _, _ in server.requests] == [
        "/api/v1/turns", "/api/v1/turns/a%3A1/response", "/api/v1/turns/a%3A1/results",
    ]  # fmt: skip


def test_many_turns_travel_gzipped_in_few_requests_over_one_connection(
    server: Server, tmp_path: Path
) -> None:
    with logging_to(server.url, tmp_path) as log:
        for number in range(300):
            log.turn(id=str(number), prompt="many words " * 100)
        assert log.flush(10)
    assert [turn["id"] for turn in server.turns] == [str(number) for number in range(300)]
    assert len(server.requests) < 100
    assert server.connections == 1
    assert any(headers.get("Content-Encoding") == "gzip" for _, headers, _ in server.requests)


def test_turns_with_responses_between_them_still_travel_together(server: Server, tmp_path: Path) -> None:
    server.delay = 0.2
    with logging_to(server.url, tmp_path) as log:
        for number in range(20):
            log.turn(id=str(number), prompt="Hi")
            log.response(str(number), "Ho")
            server.delay = 0
        assert log.flush(10)
    assert {turn["id"] for turn in server.turns if "prompt" in turn} == {str(number) for number in range(20)}
    assert sum("response" in turn for turn in server.turns) == 20
    assert len(server.requests) <= 24


def test_a_batch_stays_within_its_bytes(server: Server, tmp_path: Path) -> None:
    with logging_to(server.url, tmp_path, batch_bytes=5_000) as log:
        for number in range(20):
            log.turn(id=str(number), prompt="x" * 2_000)
        log.turn(id="huge", prompt="x" * 20_000)
        assert log.flush(10)
    sizes = [len(body) for path, _, body in server.requests if path.endswith("batch")]
    assert max(sizes, default=0) <= 5_100
    assert len(server.turns) == 21


def test_one_bad_turn_of_a_batch_is_refused_and_its_neighbours_kept(
    server: Server, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    server.delay = 0.2
    with logging_to(server.url, tmp_path) as log:
        for prompt in ("first", "good", "bad", "good too"):
            log.turn(prompt=prompt)
        assert not log.flush(5)
    assert [turn["prompt"] for turn in server.turns] == ["first", "good", "good too"]
    assert "1 turns were refused" in caplog.text
    assert not spooled(tmp_path)


@pytest.mark.parametrize("status", [500, 502, 503, 429, 401, 403])
def test_a_failing_server_is_tried_again(server: Server, tmp_path: Path, status: int) -> None:
    server.statuses = [status, status]
    with logging_to(server.url, tmp_path) as log:
        log.turn(prompt="Hi")
        assert log.flush(10)
    assert [turn["prompt"] for turn in server.turns] == ["Hi"]
    assert len(server.requests) == 3


def test_retry_after_is_honoured(server: Server, tmp_path: Path) -> None:
    server.statuses, server.headers = [503], {"Retry-After": "1"}
    with logging_to(server.url, tmp_path) as log:
        log.turn(prompt="Hi")
        assert not log.flush(0.0)
        time.sleep(0.8)
        assert not server.turns
        assert log.flush(5)


def test_a_server_that_is_down_gets_the_turns_at_the_next_start(tmp_path: Path) -> None:
    port = free_port()
    url = f"http://127.0.0.1:{port}"
    log = Logger(url, "pi_test", spool=tmp_path)
    for number in range(3):
        log.turn(id=f"t{number}", prompt="Hi")
    started = time.monotonic()
    assert not log.flush(0.5)
    assert not log.close(0.5)
    assert time.monotonic() - started < 5
    assert spooled(tmp_path)
    with serving(port) as server, logging_to(url, tmp_path) as log:
        log.turn(id="t3", prompt="Hi")
        assert log.flush(5)
        assert sorted(turn["id"] for turn in server.turns) == ["t0", "t1", "t2", "t3"]
    assert not spooled(tmp_path)


def test_a_slow_server_never_holds_up_the_agent_nor_its_exit(server: Server, tmp_path: Path) -> None:
    server.delay = 5
    started = time.monotonic()
    log = Logger(server.url, "pi_test", spool=tmp_path)
    log.turn(id="slow", prompt="Hi")
    assert time.monotonic() - started < 1
    assert not log.flush(0.2)
    assert not log.close(0.2)
    assert time.monotonic() - started < 4
    assert b'"slow"' in spooled(tmp_path)[0].read_bytes()
    server.delay = 0


def test_when_memory_is_full_the_older_half_goes_to_disk_and_is_sent_later(
    server: Server, tmp_path: Path
) -> None:
    server.delay = 0.5
    with logging_to(server.url, tmp_path, capacity=10) as log:
        for number in range(30):
            log.turn(id=f"t{number}", prompt="Hi")
        assert len(log.waiting.line) <= 10
        assert spooled(tmp_path)
        server.delay = 0
        log.flush(5)
        deadline = time.monotonic() + 10
        while len({turn["id"] for turn in server.turns}) < 30 and time.monotonic() < deadline:
            time.sleep(0.05)
    assert {turn["id"] for turn in server.turns} == {f"t{number}" for number in range(30)}


SCRIPT = """
import sys
from inspector.client import Logger
log = Logger(sys.argv[1], "pi_test", spool=sys.argv[2], exit_timeout=float(sys.argv[3]))
log.turn(id="last words", prompt="Hi")
"""


def test_a_process_that_ends_right_after_the_call_has_sent_its_turn(server: Server, tmp_path: Path) -> None:
    subprocess.run([sys.executable, "-c", SCRIPT, server.url, str(tmp_path), "5"], check=True, timeout=30)
    assert [turn["id"] for turn in server.turns] == ["last words"]


def test_a_process_that_ends_without_a_server_leaves_its_turn_on_disk(tmp_path: Path) -> None:
    url = f"http://127.0.0.1:{free_port()}"
    started = time.monotonic()
    subprocess.run([sys.executable, "-c", SCRIPT, url, str(tmp_path), "0.3"], check=True, timeout=30)
    assert time.monotonic() - started < 10
    assert b"last words" in spooled(tmp_path)[0].read_bytes()


FORKING = """
import os, sys
from inspector.client import Logger
log = Logger(sys.argv[1], "pi_test", spool=sys.argv[2])
log.turn(id="parent", prompt="Hi")
child = os.fork()
if child == 0:
    log.turn(id="child", prompt="Hi")
    sys.exit(0 if log.flush(30) else 1)
sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) or (0 if log.flush(30) else 2))
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
def test_parent_and_child_of_a_fork_both_send_what_is_theirs(server: Server, tmp_path: Path) -> None:
    command = [sys.executable, "-W", "ignore::DeprecationWarning", "-c", FORKING, server.url, str(tmp_path)]
    subprocess.run(command, check=True, timeout=30)
    assert sorted(turn["id"] for turn in server.turns) == ["child", "parent"]


def test_a_thread_that_died_is_replaced_and_its_turn_not_lost(server: Server, tmp_path: Path) -> None:
    with logging_to(server.url, tmp_path) as log:
        assert log.delivery is not None
        send, log.delivery.send = log.delivery.send, None  # type: ignore[assignment]
        log.turn(id="first", prompt="Hi")
        assert log.thread is not None
        log.thread.join(5)
        log.delivery.send = send  # type: ignore[method-assign]
        log.turn(id="second", prompt="Hi")
        assert log.flush(5)
    assert [turn["id"] for turn in server.turns] == ["first", "second"]


class Awkward:
    def __repr__(self) -> str:
        return "<awkward>"


def test_values_that_json_does_not_know_are_written_plainly(server: Server, tmp_path: Path) -> None:
    moment = datetime.datetime(2026, 3, 1, tzinfo=datetime.UTC)
    with logging_to(server.url, tmp_path) as log:
        log.turn(prompt="Hi\ud83d", metadata={"at": moment, "odd": Awkward(), 7: math.nan, "b": b"\xff"})
        assert log.flush(5)
    assert server.turns[0]["metadata"] == {
        "at": moment.isoformat(),
        "odd": "<awkward>",
        "7": "nan",
        "b": "/w==",
    }
    assert server.turns[0]["prompt"] == "Hi\ud83d"


def test_nothing_that_an_agent_hands_over_raises(
    server: Server, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    circle: dict[str, Any] = {}
    circle["self"] = circle
    deep: list[Any] = []
    for _ in range(100_000):
        deep = [deep]
    with logging_to(server.url, tmp_path) as log:
        for value in (circle, deep):
            log.turn(prompt="Hi", metadata=value)
        assert log.flush(5)
    assert caplog.text.count("could not be handed over") == 2
    # Python takes a nested list apart level by level, so a test does the same before it is forgotten.
    while deep:
        deep = deep.pop()


@pytest.mark.parametrize("url", ["", "ftp://example", "http://", "http://[bad"])
def test_a_wrong_address_is_said_once_and_the_agent_goes_on(
    url: str, tmp_path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("INSPECTOR_URL", raising=False)
    with caplog.at_level(logging.WARNING):
        log = Logger(url, "pi_test", spool=tmp_path)
    assert log.turn(prompt="Hi")
    assert log.flush(1)
    assert "turns are not sent" in caplog.text


def test_two_projects_do_not_share_a_spool(tmp_path: Path) -> None:
    folders = {Logger("http://127.0.0.1:9", key, spool=tmp_path).spool.folder for key in ("pi_a", "pi_b")}
    assert len(folders) == 2


def test_a_spooled_file_is_sent_by_one_process_only(tmp_path: Path) -> None:
    spool = Spool(tmp_path, 1_000_000)
    spool.put([Parcel("/turns", b"{}")])
    first = next(spool.claims())
    assert list(spool.claims()) == []
    first.close(sent=False)
    again = next(spool.claims())
    assert again.parcels() == [Parcel("/turns", b"{}")]
    again.close(sent=True)
    assert not spooled(tmp_path)


def test_the_spool_keeps_no_more_than_its_limit(tmp_path: Path) -> None:
    spool = Spool(tmp_path, 250)
    assert spool.put([Parcel("/turns", b"x" * 100)] * 5) == 2
    assert spool.put([Parcel("/turns", b"x" * 100)]) == 0


def test_a_path_before_the_api_is_kept(server: Server, tmp_path: Path) -> None:
    with logging_to(f"{server.url}/inspector/", tmp_path) as log:
        log.turn(prompt="Hi")
        log.flush(5)
    assert server.requests[0][0] == "/inspector/api/v1/turns"


def test_the_client_loads_neither_django_nor_anything_beyond_the_standard_library() -> None:
    code = (
        "import sys, inspector.client; "
        "print([name for name in sys.modules if name.split('.')[0] in ('django', 'celery', 'ninja')])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, text=True)
    assert json.loads(done.stdout.replace("'", '"')) == []
