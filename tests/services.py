"""PostgreSQL and Redis servers of the tests' own: free ports, throw-away data, gone on exit."""

import os
import pwd
import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import psutil

POSTGRES_FOLDERS = ("/usr/lib/postgresql/*/bin", "/opt/homebrew/opt/postgresql*/bin", "/usr/pgsql-*/bin")


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


class Postgres:
    """A PostgreSQL server with data of its own, which can be killed and started again."""

    def __init__(self, folder: Path, account: dict[str, object]) -> None:
        self.folder, self.account, self.port = folder, account, free_port()
        self.url = f"postgresql://inspector@127.0.0.1:{self.port}/postgres"
        self.process: subprocess.Popen[bytes] | None = None

    def make_data(self) -> None:
        """An empty cluster, which whoever reaches the port may use."""
        words = ["-U", "inspector", "-A", "trust", "-E", "UTF8", "--locale=C.UTF-8", "--no-sync"]
        args = [program("initdb", *POSTGRES_FOLDERS), "-D", f"{self.folder}/data", *words]
        if _run_as(self.account, args, stdout=subprocess.DEVNULL).wait() != 0:
            raise RuntimeError("initdb failed")

    def start(self) -> None:
        """Starts it and returns once it can be reached."""
        options = {
            "port": self.port,
            "listen_addresses": "127.0.0.1",
            "unix_socket_directories": self.folder,
            "max_connections": 200,
            # This matters only when the machine itself loses power; commits stay synchronous.
            "fsync": "off",
            "full_page_writes": "off",
        }
        settings = [f"--{name}={value}" for name, value in options.items()]
        args = [program("postgres", *POSTGRES_FOLDERS), "-D", f"{self.folder}/data", *settings]
        with (self.folder / "log").open("ab") as log:
            self.process = _run_as(self.account, args, stdout=log, stderr=log, start_new_session=True)
        wait_for_port(self.port, self.process)

    def kill(self) -> None:
        """``kill -9`` of the server and all its backends."""
        if self.process is not None:
            family = psutil.Process(self.process.pid).children(recursive=True)
            self.process.kill()
            self.process.wait()
            for child in family:
                with suppress(psutil.NoSuchProcess):
                    child.kill()
            psutil.wait_procs(family, timeout=10)

    def stop(self) -> None:
        """Ends it, however it is."""
        if self.process is not None:
            _stop(self.process)


@contextmanager
def postgres_server() -> Iterator[Postgres]:
    """A running PostgreSQL with an empty database."""
    account = _account()
    with _folder("inspector-postgres-", account) as folder:
        server = Postgres(folder, account)
        server.make_data()
        try:
            server.start()
            yield server
        finally:
            server.stop()


@contextmanager
def postgres() -> Iterator[str]:
    """URL of a running PostgreSQL with an empty database."""
    with postgres_server() as server:
        yield server.url


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
