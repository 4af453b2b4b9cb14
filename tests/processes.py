"""The product as it really runs: ``manage.py up`` and its children, as processes that a test may kill."""

import contextlib
import http.client
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import psutil

from tests.services import free_port

ROOT = Path(__file__).resolve().parent.parent
KEY = "pi_a-key-for-tests-that-only-tests-know"


@dataclass(frozen=True, slots=True)
class Answer:
    """What came back over HTTP."""

    status: int
    body: bytes
    headers: Mapping[str, str]

    def json(self) -> Any:
        """The body, parsed."""
        return json.loads(self.body)


def ask(
    port: int,
    method: str,
    path: str,
    body: bytes | None = None,
    headers: Mapping[str, str] | None = None,
    connection: http.client.HTTPConnection | None = None,
    timeout: float = 20,
) -> Answer:
    """One request with our key, over a connection of its own unless one is given."""
    own = connection or http.client.HTTPConnection("127.0.0.1", port, timeout=timeout)
    try:
        more = {"Authorization": f"Bearer {KEY}"} | ({"Content-Type": "application/json"} if body else {})
        own.request(method, path, body, more | dict(headers or {}))
        response = own.getresponse()
        return Answer(
            response.status, response.read(), {name.lower(): value for name, value in response.getheaders()}
        )
    finally:
        if connection is None:
            own.close()


@dataclass(slots=True)
class Running:
    """One installation: a home, a port, and the processes that serve it."""

    home: Path
    port: int
    more: Mapping[str, str] = field(default_factory=dict)
    """Settings beside home, port and key."""
    process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        """Address of the server, without a slash at the end."""
        return f"http://127.0.0.1:{self.port}"

    @property
    def log(self) -> Path:
        """All that the processes said."""
        return self.home / "log"

    def env(self) -> dict[str, str]:
        """The environment of every process of this installation."""
        env = {name: value for name, value in os.environ.items() if not name.startswith("INSPECTOR_")}
        env |= {
            "INSPECTOR_HOME": str(self.home),
            "INSPECTOR_PORT": str(self.port),
            "INSPECTOR_FIRST_KEY": KEY,
        }
        return (
            env | {"DJANGO_SETTINGS_MODULE": "inspector.settings", "PYTHONUNBUFFERED": "1"} | dict(self.more)
        )

    def start(self) -> None:
        """Starts it and returns once it answers and has said so."""
        with self.log.open("ab") as log:
            said = log.tell()
            command = [sys.executable, "manage.py", "up"]
            self.process = subprocess.Popen(command, cwd=ROOT, env=self.env(), stdout=log, stderr=log)
        self.wait()
        deadline = time.monotonic() + 5
        while b"  Data: " not in self.log.read_bytes()[said:]:
            assert time.monotonic() < deadline, self.said()
            time.sleep(0.02)

    def wait(self, seconds: float = 120) -> None:
        """Returns once the server answers."""
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            with contextlib.suppress(OSError, http.client.HTTPException):
                if ask(self.port, "GET", "/health/live", timeout=2).status == 200:
                    return
            if self.process is not None and self.process.poll() is not None:
                break
            time.sleep(0.05)
        raise AssertionError(f"no answer at {self.url}:\n{self.said()}")

    def said(self) -> str:
        """The end of the log."""
        return self.log.read_text(encoding="utf-8", errors="replace")[-4000:] if self.log.exists() else ""

    def children(self, *words: str) -> list[psutil.Process]:
        """Processes under the supervisor whose command has one of the words; all of them without words."""
        if self.process is None:
            return []
        with contextlib.suppress(psutil.NoSuchProcess):
            found = psutil.Process(self.process.pid).children(recursive=True)
            return [child for child in found if not words or any(word in _command(child) for word in words)]
        return []

    def kill(self, *words: str) -> int:
        """``kill -9`` of those children; says how many there were."""
        found = self.children(*words)
        for child in found:
            with contextlib.suppress(psutil.NoSuchProcess):
                child.send_signal(signal.SIGKILL)
        return len(found)

    def kill_all(self) -> None:
        """``kill -9`` of the supervisor and everything under it."""
        if self.process is None:
            return
        family = self.children()
        self.process.kill()
        self.process.wait()
        for child in family:
            with contextlib.suppress(psutil.NoSuchProcess):
                child.kill()
        psutil.wait_procs(family, timeout=10)
        self.process = None

    def stop(self, number: int = signal.SIGTERM) -> int:
        """Asks the supervisor to stop; its exit status."""
        if self.process is None:
            return 0
        self.process.send_signal(number)
        try:
            return self.process.wait(30)
        finally:
            self.kill_all()

    def sign_in_link(self) -> str:
        """The newest link that ``up`` has printed."""
        return str(re.findall(r"https?://\S+/sign-in/\S+", self.said())[-1])

    def manage(self, *args: str) -> str:
        """Standard output of an operators' command."""
        command = [sys.executable, "manage.py", *args]
        done = subprocess.run(command, cwd=ROOT, env=self.env(), capture_output=True, text=True, timeout=300)
        assert done.returncode == 0, done.stderr
        return done.stdout

    def ask(self, method: str, path: str, body: bytes | None = None, **more: Any) -> Answer:
        """One request with our key."""
        return ask(self.port, method, path, body, **more)

    def post(self, turn: Mapping[str, Any]) -> dict[str, Any]:
        """Posts a turn that must be accepted; the answer."""
        answer = self.ask("POST", "/api/v1/turns", json.dumps(turn).encode())
        assert answer.status == 201, answer
        return dict(answer.json())

    def wait_until_read(self, *turns: str, seconds: float = 60) -> None:
        """Returns once every one of the turns has been read."""
        deadline = time.monotonic() + seconds
        for turn in turns:
            while (state := self.ask("GET", f"/api/v1/turns/{turn}").json().get("state")) != "read":
                assert time.monotonic() < deadline, f"turn {turn} is {state}:\n{self.said()}"
                time.sleep(0.05)

    def wait_until_nothing_is_due(self, seconds: float = 120) -> None:
        """Returns once no turn waits for its reading."""
        deadline = time.monotonic() + seconds
        while (facts := self.ask("GET", "/health/ready").json())["oldest_pending_seconds"] is not None:
            assert time.monotonic() < deadline, f"{facts}:\n{self.said()}"
            time.sleep(0.1)


def _command(process: psutil.Process) -> str:
    try:
        return " ".join(process.cmdline())
    except psutil.Error:
        return ""


@contextmanager
def installation(**more: str) -> Iterator[Running]:
    """A new installation with a home of its own, not started yet; all gone afterwards."""
    home = Path(tempfile.mkdtemp(prefix="inspector-home-"))
    running = Running(home, free_port(), more)
    try:
        yield running
    finally:
        running.kill_all()
        shutil.rmtree(home, ignore_errors=True)


@contextmanager
def serving(**more: str) -> Iterator[Running]:
    """A new installation that answers."""
    with installation(**more) as running:
        running.start()
        yield running
        running.stop()
