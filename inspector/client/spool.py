"""A folder where parcels wait on disk until the server is back."""

import os
import secrets
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import IO

from inspector.client.delivery import Parcel

try:
    import fcntl
except ImportError:  # Windows: two processes may send the same file; the server keeps each turn once.
    fcntl = None  # type: ignore[assignment]

ENDING = ".parcels"


class Spool:
    """One file per handful of parcels, a parcel a line: path, tab, JSON (which holds no raw line end)."""

    def __init__(self, folder: Path, limit: int) -> None:
        self.folder = folder
        self.limit = limit
        """Bytes kept at most over all files; beyond it nothing more is written."""

    def put(self, parcels: Iterable[Parcel]) -> int:
        """Write parcels down; how many were. Raises OSError when the disk refuses."""
        lines = [parcel.path.encode() + b"\t" + parcel.body + b"\n" for parcel in parcels]
        if not lines:
            return 0
        self.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        room = self.limit - sum(path.stat().st_size for path in self._files())
        kept: list[bytes] = []
        for line in lines:
            room -= len(line)
            if room < 0:
                break
            kept.append(line)
        if not kept:
            return 0
        name = f"{os.getpid()}-{secrets.token_hex(6)}"
        half = self.folder / f"{name}.half"
        with os.fdopen(os.open(half, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
            file.writelines(kept)
            file.flush()
            os.fsync(file.fileno())
        half.rename(self.folder / f"{name}{ENDING}")
        return len(kept)

    def claims(self) -> Iterator["Claim"]:
        """Files that no other process is sending, oldest first, each locked until it is closed."""
        for path in self._files():
            try:
                file = path.open("rb")
            except OSError:
                continue
            if not _lock(file) or not path.exists():
                file.close()
                continue
            yield Claim(path, file)

    def _files(self) -> list[Path]:
        try:
            return sorted(self.folder.glob(f"*{ENDING}"), key=lambda path: path.stat().st_mtime_ns)
        except OSError:
            return []


class Claim:
    """A spooled file that is ours to send."""

    def __init__(self, path: Path, file: IO[bytes]) -> None:
        self.path = path
        self.file = file

    def parcels(self) -> list[Parcel]:
        """What the file holds; damaged lines are left out."""
        found = []
        for line in self.file.read().split(b"\n"):
            path, tab, body = line.partition(b"\t")
            if tab and path.startswith(b"/"):
                found.append(Parcel(path.decode("utf-8", "replace"), body))
        return found

    def close(self, *, sent: bool) -> None:
        """Let go of the file, and remove it when all of it was sent."""
        if sent:
            self.path.unlink(missing_ok=True)
        self.file.close()


def _lock(file: IO[bytes]) -> bool:
    if fcntl is None:
        return True
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True
