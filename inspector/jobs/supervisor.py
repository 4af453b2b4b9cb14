"""Runs the server and the reading worker as one: what ``manage.py up`` becomes once everything is prepared.

    python -m inspector.jobs.supervisor --host 127.0.0.1 --port 8000 [--banner FD]

Plain Python on purpose: this process lives as long as the product runs, and Django would cost it 60 MB.
"""

import argparse
import contextlib
import ctypes
import http.client
import os
import select
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
STOP_SECONDS = 8.0
"""How long children may take to finish what they are at before they are killed."""
START_SECONDS = 90.0
"""How long the server may take until its first answer."""
STEADY_SECONDS = 5.0
"""A child that ran for this long did not fail to start."""
LARGE = "1000000"
"""Bytes from which glibc gives memory back at once: else children keep what one prompt of 20 MB took."""
MOST_FAILURES = 5
"""How often in a row a child may fail to start before we give up."""


def server(host: str, port: int) -> list[str]:
    """The command that serves pages and API. Most of its threads wait for bodies: see ``inspector.wsgi``."""
    return [
        *(sys.executable, "-m", "granian", "--interface", "wsgi", "--host", host, "--port", str(port)),
        *("--workers", "1", "--blocking-threads", "64", "--http", "1", "--no-ws"),
        *("--log-level", "error", "--workers-kill-timeout", "5", "inspector.wsgi:application"),
    ]


def reading_worker() -> list[str]:
    """The command that reads turns, over the database alone."""
    return [sys.executable, "manage.py", "worker", "--alone"]


def loopback_of(host: str) -> str:
    """The address at which this machine itself reaches a server bound to ``host``."""
    return {"0.0.0.0": "127.0.0.1", "::": "::1", "": "127.0.0.1"}.get(host, host)  # noqa: S104


def port_problem(host: str, port: int) -> str | None:
    """Why we could not listen there, in plain words; None if we could."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family) as sock:
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            sock.bind((host, port))
        except OSError as error:
            return (
                f"Cannot listen at {host}:{port}: {error.strerror}. "
                f"If another program (or another Prompt Inspector) has the port, stop it, "
                f"or choose another port: INSPECTOR_PORT={port + 1} make up"
            )
    return None


def _child_setup() -> None:
    """Runs in a child before its program: when the supervisor is killed, children end too (Linux)."""
    if sys.platform == "linux":
        pr_set_pdeathsig = 1
        ctypes.CDLL(None).prctl(pr_set_pdeathsig, signal.SIGTERM)


@dataclass(slots=True)
class Child:
    """A program that is started again whenever it ends by itself."""

    name: str
    command: Sequence[str]
    process: subprocess.Popen[bytes] | None = None
    started: float = 0.0
    failures: int = 0
    """How often in a row it ended too soon."""
    due: float = 0.0
    """When to start it (monotonic seconds)."""

    def start(self) -> None:
        """Starts it in a group of its own, so that Ctrl-C reaches only the supervisor."""
        self.started = time.monotonic()
        self.process = subprocess.Popen(
            self.command,
            cwd=ROOT,
            env={"MALLOC_MMAP_THRESHOLD_": LARGE, **os.environ},
            stdin=subprocess.DEVNULL,
            start_new_session=True,
            preexec_fn=_child_setup,
        )

    def has_ended(self) -> bool:
        """Whether it ran and ended."""
        return self.process is not None and self.process.poll() is not None

    def signal_group(self, number: int) -> None:
        """Sends a signal to it and all that it started, also after it has ended itself."""
        if self.process is not None:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(self.process.pid, number)

    def clear(self) -> None:
        """Notes its end, removes what it left running and says when to start it again."""
        self.signal_group(signal.SIGKILL)
        self.process = None
        lived = time.monotonic() - self.started
        self.failures = 0 if lived > STEADY_SECONDS else self.failures + 1
        self.due = time.monotonic() + min(5.0, 0.1 * 2**self.failures)


@dataclass(slots=True)
class Supervisor:
    """Two children, one fate."""

    host: str
    port: int
    banner: str = ""
    """Said once the server answers."""
    children: list[Child] = field(default_factory=list)
    answered: bool = False
    stop_signals: int = 0

    def run(self) -> int:
        """Exit status: 0 when asked to stop, 1 when the server cannot be started."""
        woken, wake = os.pipe()
        os.set_blocking(wake, False)
        signal.set_wakeup_fd(wake, warn_on_full_buffer=False)
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, self._asked_to_stop)
        signal.signal(signal.SIGCHLD, lambda number, frame: None)
        try:
            return self._keep(woken)
        finally:
            self._stop()

    def _asked_to_stop(self, number: int, frame: object) -> None:
        self.stop_signals += 1

    def _keep(self, woken: int) -> int:
        begun = time.monotonic()
        while not self.stop_signals:
            for child in self.children:
                if not self._keep_one(child):
                    return 1
            if not self.answered and self._has_answered():
                self.answered = True
                print(self.banner, flush=True)
            if not self.answered and time.monotonic() - begun > START_SECONDS:
                print(f"The server did not answer within {START_SECONDS:.0f} seconds.", file=sys.stderr)
                return 1
            ready, _, _ = select.select([woken], [], [], 1.0 if self.answered else 0.05)
            if ready:
                os.read(woken, 512)
        return 0

    def _keep_one(self, child: Child) -> bool:
        """Starts a child that should run and does not; False when it fails again and again."""
        if child.has_ended():
            status = child.process.returncode if child.process else 0
            child.clear()
            print(f"The {child.name} ended ({_in_words(status)}).", file=sys.stderr, flush=True)
            if child.failures >= MOST_FAILURES:
                print(f"The {child.name} cannot be started: its messages above say why.", file=sys.stderr)
                return False
        if child.process is None and time.monotonic() >= child.due:
            child.start()
        return True

    def _has_answered(self) -> bool:
        connection = http.client.HTTPConnection(loopback_of(self.host), self.port, timeout=1)
        try:
            connection.request("GET", "/health/live", headers={"Host": f"localhost:{self.port}"})
            connection.getresponse().read()
        except (OSError, http.client.HTTPException):
            return False
        finally:
            connection.close()
        return True

    def _stop(self) -> None:
        """Asks every child to finish, and kills what has not after a while or at a second Ctrl-C."""
        running = [child for child in self.children if child.process is not None]
        for child in running:
            if child.process is not None and child.process.poll() is None:
                child.process.terminate()
        deadline = time.monotonic() + STOP_SECONDS
        while time.monotonic() < deadline and self.stop_signals < 2:
            if all(child.has_ended() for child in running):
                break
            time.sleep(0.02)
        for child in running:
            child.signal_group(signal.SIGKILL)
            if child.process is not None:
                child.process.wait()


def _in_words(status: int) -> str:
    if status >= 0:
        return f"exit status {status}"
    try:
        return signal.Signals(-status).name
    except ValueError:
        return f"signal {-status}"


def main(args: Sequence[str]) -> int:
    """Exit status."""
    parser = argparse.ArgumentParser(prog="inspector.jobs.supervisor")
    parser.add_argument("--host", required=True)
    parser.add_argument("--port", type=int, required=True)
    parser.add_argument("--banner", type=int, help="file descriptor to read the first message from")
    options = parser.parse_args(args)
    banner = ""
    if options.banner is not None:
        with os.fdopen(options.banner, encoding="utf-8") as file:
            banner = file.read()
    if problem := port_problem(options.host, options.port):
        print(problem, file=sys.stderr)
        return 1
    children = [
        Child("server", server(options.host, options.port)),
        Child("reading worker", reading_worker()),
    ]
    return Supervisor(options.host, options.port, banner, children).run()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
