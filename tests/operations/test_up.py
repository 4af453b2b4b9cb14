"""``manage.py up`` as a person meets it: start, stop, port taken, a child that dies."""

import json
import re
import signal
import socket
import subprocess
import sys
import time

import pytest

from tests.processes import KEY, ROOT, Running, installation, serving

pytestmark = pytest.mark.xdist_group("processes")


def alive(running: Running, *words: str) -> set[int]:
    """Process ids under the supervisor."""
    return {child.pid for child in running.children(*words)}


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_stops_server_and_worker_with_status_zero(number: int) -> None:
    with installation() as running:
        running.start()
        family = running.children()
        assert len(family) >= 2
        begun = time.monotonic()
        assert running.stop(number) == 0
        assert time.monotonic() - begun < 10
        assert not [child for child in family if child.is_running()]


def test_first_start_shows_the_key_once_and_a_link_each_time() -> None:
    with installation(INSPECTOR_FIRST_KEY="") as running:
        running.start()
        first = running.said()
        running.stop()
        running.start()
        again = running.said()[len(first) :]
        running.stop()
    keys = re.findall(r"\bpi_[\w-]{40,}", first)
    assert len(set(keys)) == 1
    assert f"Authorization: Bearer {keys[0]}" in first
    assert keys[0] not in again
    links = re.findall(r"/sign-in/\S+", first + again)
    assert len(set(links)) == 2


def test_a_given_first_key_works_and_is_not_repeated_in_the_output() -> None:
    with serving() as running:
        assert running.ask("POST", "/api/v1/turns", b"{}").status == 400
        assert (
            running.ask("POST", "/api/v1/turns", b"{}", headers={"Authorization": "Bearer pi_no"}).status
            == 401
        )
        assert KEY not in running.said()


def test_a_taken_port_is_explained_and_nothing_is_started() -> None:
    with installation() as running, socket.socket() as taken:
        taken.bind(("127.0.0.1", running.port))
        taken.listen()
        done = subprocess.run(
            [sys.executable, "manage.py", "up"],
            cwd=ROOT,
            env=running.env(),
            capture_output=True,
            text=True,
            timeout=60,
        )
        assert done.returncode != 0
        assert f"INSPECTOR_PORT={running.port + 1}" in done.stderr
        assert "Traceback" not in done.stderr


@pytest.mark.parametrize("word", ["granian", "manage.py worker"])
def test_a_child_that_dies_is_started_again(word: str) -> None:
    with serving() as running:
        before = alive(running, word)
        running.kill(word)
        deadline = time.monotonic() + 20
        while not (alive(running, word) - before):
            assert time.monotonic() < deadline, running.said()
            time.sleep(0.05)
        running.wait()
        key = running.post({"prompt": "# Role\nYou count.\n", "response": "one"})["id"]
        running.wait_until_read(key)


def test_killing_the_supervisor_ends_its_children() -> None:
    with serving() as running:
        family = running.children()
        assert running.process is not None
        running.process.kill()
        running.process.wait()
        deadline = time.monotonic() + 15
        while any(child.is_running() and child.status() != "zombie" for child in family):
            assert time.monotonic() < deadline
            time.sleep(0.05)


def test_data_and_secrets_are_for_their_owner_alone() -> None:
    with serving() as running:
        kept = [running.home / "secret-key", *running.home.glob("inspector.sqlite3*")]
        assert len(kept) >= 2
        assert not [path for path in kept if path.stat().st_mode & 0o077]


def test_nothing_that_was_posted_is_in_the_log() -> None:
    mark = "S3CRET-0451"
    hostile = [
        json.dumps(
            {"id": "a", "prompt": f"# Role\n{mark}", "response": f"<output {mark}", "tags": {mark: mark}}
        ),
        json.dumps({"id": "b", "messages": [{"role": mark, "content": [{"type": mark}, mark, {"text": 7}]}]}),
        json.dumps(
            {"id": "c", "prompt": f"\x00\ud800 {mark}", "session": mark, "agent": mark, "usage": mark}
        ),
        json.dumps({"id": mark + "/?", "prompt": mark}),
        f'{{"prompt": "{mark}',
        f'{{"prompt": NaN, "x": "{mark}"}}',
        f'["{mark}"]',
    ]
    with serving() as running:
        statuses = [running.ask("POST", "/api/v1/turns", body.encode()).status for body in hostile]
        assert set(statuses) <= {201, 400}
        assert 201 in statuses
        running.ask("POST", "/api/v1/turns", b"{}", headers={"Authorization": f"Bearer pi_{mark}"})
        running.wait_until_nothing_is_due()
        assert mark not in running.log.read_text(encoding="utf-8")
