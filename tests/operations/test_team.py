"""The commands of docker/compose.yml as plain processes, against a real Postgres and a real Redis."""

import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest

from tests import services
from tests.operations.compose import command_of
from tests.operations.databases import database
from tests.processes import ROOT, Running

TURN = {
    "session": "team",
    "prompt": "# Role\nYou weigh letters.\n",
    "response": "<output type='text'>20 g</output>",
}

pytestmark = pytest.mark.xdist_group("processes")


def command(name: str, port: int, home: Path) -> list[str]:
    """A service's command, with our programs, a port of our own and a folder that exists."""
    program, *words = command_of(name)
    words = [word.replace("--port=8000", f"--port={port}").replace("/tmp/", f"{home}/") for word in words]
    return [str(Path(sys.executable).parent / program), *words]


class Team(Running):
    """An installation whose processes are started one by one."""

    started: dict[str, subprocess.Popen[bytes]]

    def begin(self, name: str) -> None:
        """Starts one service's command."""
        with self.log.open("ab") as log:
            self.started[name] = subprocess.Popen(
                command(name, self.port, self.home),
                cwd=ROOT,
                env=self.env(),
                stdout=log,
                stderr=log,
                start_new_session=True,
            )

    def end(self, name: str) -> int:
        """Asks a service to stop as its container would be asked; its exit status."""
        process = self.started.pop(name)
        process.send_signal(signal.SIGTERM)
        try:
            return process.wait(40)
        finally:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()


@contextmanager
def team(database_url: str, broker_url: str) -> Iterator[Team]:
    """Prepared, with nothing started yet."""
    home = Path(tempfile.mkdtemp(prefix="inspector-team-"))
    more = {"INSPECTOR_DATABASE_URL": database_url, "INSPECTOR_BROKER_URL": broker_url}
    running = Team(home, services.free_port(), more)
    running.started = {}
    try:
        done = subprocess.run(
            command("setup", running.port, home),
            cwd=ROOT,
            env=running.env(),
            capture_output=True,
            text=True,
            timeout=120,
        )
        assert done.returncode == 0, done.stderr
        yield running
        for name in list(running.started):
            assert running.end(name) == 0, (name, running.said())
    finally:
        for process in running.started.values():
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        shutil.rmtree(home, ignore_errors=True)


def test_a_turn_goes_through_web_broker_and_worker(postgres_url: str, redis_url: str) -> None:
    with database(postgres_url) as url, team(url, redis_url) as running:
        for name in ("web", "worker"):
            running.begin(name)
        running.wait()
        key = running.post(TURN)["id"]
        running.wait_until_read(key)
        assert running.ask("GET", "/health/ready").status == 200


def test_without_a_broker_turns_are_accepted_and_read_once_it_is_back(postgres_url: str) -> None:
    port = services.free_port()
    with ExitStack() as stack:
        url = stack.enter_context(database(postgres_url))
        running = stack.enter_context(team(url, f"redis://127.0.0.1:{port}/0"))
        running.begin("web")
        running.wait()
        keys = [running.post(TURN)["id"] for _ in range(3)]
        assert {running.ask("GET", f"/api/v1/turns/{key}").json()["state"] for key in keys} == {"pending"}
        stack.enter_context(services.redis(port))
        running.begin("worker")
        running.begin("beat")
        running.wait_until_read(*keys, seconds=90)
