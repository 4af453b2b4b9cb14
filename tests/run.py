"""Runs the whole suite with servers of its own: ``python -m tests.run [-- command …]``.

Without a command: every test with SQLite, then every test that knows a database again with PostgreSQL.
With a command: that command, with the same throw-away home and servers.
"""

import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from types import FrameType

from tests import services

DATABASE_ROOMS = ["tests/store", "tests/sharing", "tests/jobs", "tests/ingest", "tests/api", "tests/web"]
"""What runs once more on PostgreSQL: all but pure reading, the client and what starts both."""


def _stop(number: int, frame: FrameType | None) -> None:
    sys.exit(128 + number)


@contextmanager
def surroundings(*, servers: bool) -> Iterator[dict[str, str]]:
    """An environment without anybody's settings: a throw-away home and, if asked, servers."""
    env = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith("INSPECTOR_") or "_TEST_" in name
    }
    with ExitStack() as stack:
        home = tempfile.mkdtemp(prefix="inspector-run-")
        stack.callback(shutil.rmtree, home, ignore_errors=True)
        env["INSPECTOR_HOME"] = home
        if servers:
            env["INSPECTOR_TEST_POSTGRES"] = stack.enter_context(services.postgres())
            env["INSPECTOR_TEST_REDIS"] = stack.enter_context(services.redis())
            env["INSPECTOR_TEST_ALL"] = "yes"
        yield env


def call(command: list[str], env: dict[str, str]) -> int:
    """Exit status of a command; its group is ended with us."""
    process = subprocess.Popen(command, env=env)
    try:
        return process.wait()
    finally:
        if process.poll() is None:
            process.terminate()
            process.wait()


def whole_suite(env: dict[str, str]) -> int:
    """Everything on SQLite, then the rooms that know a database on PostgreSQL."""
    pytest = [sys.executable, "-m", "pytest", "-n", "2", "--dist", "loadgroup"]
    print("== SQLite", flush=True)
    first = call([*pytest, "tests"], env)
    print("== PostgreSQL", flush=True)
    rooms = [room for room in DATABASE_ROOMS if os.path.isdir(room)]
    second = call([*pytest, *rooms], env | {"INSPECTOR_DATABASE_URL": env["INSPECTOR_TEST_POSTGRES"]})
    if first:
        print("The tests on SQLite failed: see above.", file=sys.stderr)
    return first or second


def main(args: list[str]) -> int:
    """Exit status."""
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, _stop)
    command = args[1:] if args[:1] == ["--"] else args
    servers = not command or "manage.py" not in command
    try:
        with surroundings(servers=servers) as env:
            return call(command, env) if command else whole_suite(env)
    except services.Missing as missing:
        print(f"{missing}. `make test` installs what is missing, if it may.", file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
