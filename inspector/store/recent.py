"""Decoded records that this process saw lately, so that the next one of a session needs no read."""

import threading
from collections import OrderedDict
from dataclasses import dataclass

LIMIT = 48 * 1024 * 1024
"""Bytes of records kept by one process."""
TOO_LARGE = 8 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class Latest:
    """The latest committed record of a session: what the next one may be compressed against."""

    session_id: int
    short_id: str
    revised: int
    turn_id: int
    chain: int
    chain_bytes: int
    data: bytes


@dataclass(frozen=True, slots=True)
class Decoded:
    """A record with its SHA-256."""

    digest: bytes
    data: bytes


class Recent[K, V]:
    """Bounded by bytes, least recently used out first; safe to use from threads."""

    def __init__(self, limit: int, largest: int) -> None:
        self.limit, self.largest = limit, largest
        self.used = 0
        self.lock = threading.Lock()
        self.entries: OrderedDict[K, tuple[V, int]] = OrderedDict()

    def get(self, key: K) -> V | None:
        """The entry, or None."""
        with self.lock:
            entry = self.entries.get(key)
            if entry is None:
                return None
            self.entries.move_to_end(key)
            return entry[0]

    def put(self, key: K, value: V, size: int) -> None:
        """Keep an entry of ``size`` bytes; one that is too large is not kept."""
        with self.lock:
            self._drop(key)
            if size > self.largest:
                return
            self.entries[key] = (value, size)
            self.used += size
            while self.used > self.limit:
                self._drop(next(iter(self.entries)))

    def drop(self, key: K) -> None:
        """Forget one entry."""
        with self.lock:
            self._drop(key)

    def clear(self) -> None:
        """Forget everything."""
        with self.lock:
            self.entries.clear()
            self.used = 0

    def _drop(self, key: K) -> None:
        entry = self.entries.pop(key, None)
        if entry is not None:
            self.used -= entry[1]


latest_records: Recent[tuple[int, str], Latest] = Recent(LIMIT, TOO_LARGE)
"""By project and session key."""
decoded_records: Recent[int, Decoded] = Recent(LIMIT, TOO_LARGE)
"""By turn. Whoever uses one compares its SHA-256, so an entry of a row that is gone does no harm."""
