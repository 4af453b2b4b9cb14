"""PostgreSQL and Redis servers of the tests' own: free ports, throw-away data, gone on exit."""

import os
import pwd
import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path


class Missing(RuntimeError):
    """A program that the tests need is not on this machine."""


def free_port() -> int:
    """A TCP port on loopback that nothing listens on."""
    with socket.socket() as sock:
        sock.bind(("127.0.0.1", 0))
        return int(sock.getsockname()[1])


def wait_for_port(port: int, process: subprocess.Popen[bytes], seconds: float = 20) -> None:
    """Returns once something accepts on the port; raises when the process ended or time is up."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if process.poll() is not None:
            raise RuntimeError(f"{process.args!r} ended with {process.returncode}")
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
            return
        except OSError:
            time.sleep(0.05)
    raise RuntimeError(f"nothing listens on port {port}")


def program(name: str, *folders: str) -> str:
    """Path of a program, looked for on PATH and then in folders (globs; newest first)."""
    if found := shutil.which(name):
        return found
    for folder in folders:
        for path in sorted(Path("/").glob(f"{folder.lstrip('/')}/{name}"), reverse=True):
            return str(path)
    raise Missing(f"{name} is not installed")


def _account() -> dict[str, object]:
    """How to start PostgreSQL, which refuses to run as root: as the account its package made."""
    if os.geteuid() != 0:
        return {}
    try:
        entry = pwd.getpwnam("postgres")
    except KeyError:
        raise Missing("PostgreSQL refuses to run as root, and there is no account named postgres") from None
    return {"user": entry.pw_uid, "group": entry.pw_gid, "extra_groups": []}


def _run_as(account: dict[str, object], args: list[str], **more: object) -> subprocess.Popen[bytes]:
    return subprocess.Popen(args, cwd="/", stdin=subprocess.DEVNULL, **account, **more)  # type: ignore[call-overload,no-any-return]


@contextmanager
def _folder(prefix: str, account: dict[str, object]) -> Iterator[Path]:
    path = Path(tempfile.mkdtemp(prefix=prefix))
    try:
        if account:
            shutil.chown(path, account["user"], account["group"])  # type: ignore[call-overload]
        yield path
    finally:
        shutil.rmtree(path, ignore_errors=True)


def _stop(process: subprocess.Popen[bytes]) -> None:
    process.send_signal(2)
    try:
        process.wait(10)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


@contextmanager
def _until(process: subprocess.Popen[bytes], ready: Callable[[], None]) -> Iterator[None]:
    try:
        ready()
        yield
    finally:
        _stop(process)


@contextmanager
def postgres() -> Iterator[str]:
    """URL of a running PostgreSQL with an empty database."""
    binaries = "/usr/lib/postgresql/*/bin", "/opt/homebrew/opt/postgresql*/bin", "/usr/pgsql-*/bin"
    initdb, server = program("initdb", *binaries), program("postgres", *binaries)
    account = _account()
    with _folder("inspector-postgres-", account) as data:
        made = _run_as(
            account,
            [
                initdb,
                "-D",
                f"{data}/data",
                "-U",
                "inspector",
                "-A",
                "trust",
                "-E",
                "UTF8",
                "--locale=C.UTF-8",
                "--no-sync",
            ],
            stdout=subprocess.DEVNULL,
        )
        if made.wait() != 0:
            raise RuntimeError("initdb failed")
        port = free_port()
        # fsync only matters when the machine itself loses power; commits stay synchronous.
        options = {
            "port": port,
            "listen_addresses": "127.0.0.1",
            "unix_socket_directories": data,
            "max_connections": 200,
            "fsync": "off",
            "full_page_writes": "off",
        }
        args = [server, "-D", f"{data}/data", *(f"--{name}={value}" for name, value in options.items())]
        with (data / "log").open("wb") as log:
            process = _run_as(account, args, stdout=log, stderr=log)
        with _until(process, lambda: wait_for_port(port, process)):
            yield f"postgresql://inspector@127.0.0.1:{port}/postgres"


@contextmanager
def redis(port: int = 0) -> Iterator[str]:
    """URL of a running Redis that keeps nothing and evicts nothing."""
    server = program("redis-server")
    with _folder("inspector-redis-", {}) as data:
        port = port or free_port()
        options = {"port": str(port), "bind": "127.0.0.1", "dir": str(data), "save": "", "appendonly": "no"}
        args = [part for name, value in options.items() for part in (f"--{name}", value)]
        process = _run_as({}, [server, *args, "--maxmemory-policy", "noeviction"], stdout=subprocess.DEVNULL)
        with _until(process, lambda: wait_for_port(port, process)):
            yield f"redis://127.0.0.1:{port}/0"
