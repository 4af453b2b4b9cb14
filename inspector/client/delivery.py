"""Bringing parcels to the server over one kept-alive connection, and what became of each."""

import gzip
import http.client
import json
import ssl
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal
from urllib.parse import quote, urlsplit

Fate = Literal["kept", "refused", "later"]
BATCH_PATH = "/turns/batch"
TURN_PATH = "/turns"
AGENT = "prompt-inspector-client"
SMALL = 1_000
"""Bodies below this many bytes are sent as they are: gzip would not pay."""


@dataclass(frozen=True, slots=True)
class Parcel:
    """One body and the path it belongs to, below ``/api/v1``."""

    path: str
    body: bytes


@dataclass(frozen=True, slots=True)
class Answer:
    """What became of the parcels, in order, and what to wait before those that are to come again."""

    fates: tuple[Fate, ...]
    reason: str = ""
    """Why some were refused or must come again; for the log."""
    pause: float = 0.0
    """Seconds the server asked us to wait (``Retry-After``)."""


def part_path(turn: str, part: str) -> str:
    """The path of a later part of a turn."""
    return f"/turns/{quote(turn, safe='')}/{part}"


class Delivery:
    """A connection that is opened when needed and closed when broken. Used by one thread at a time."""

    def __init__(self, url: str, key: str, timeout: float) -> None:
        parts = urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise ValueError(f"{url!r} is not an http:// or https:// address")
        self.secure = parts.scheme == "https"
        self.host, self.port = parts.hostname, parts.port
        self.prefix = parts.path.rstrip("/").removesuffix("/api/v1") + "/api/v1"
        self.key = key
        self.timeout = timeout
        self.connection: http.client.HTTPConnection | None = None

    def send(self, parcels: Sequence[Parcel]) -> Answer:
        """Send parcels: turns together as one batch, anything else alone. Never raises."""
        if len(parcels) == 1:
            return self._send_one(parcels[0])
        lines = b"".join(parcel.body + b"\n" for parcel in parcels)
        status, body, pause = self._request(BATCH_PATH, lines, "application/x-ndjson")
        if status == 200:
            return _batch_answer(body, len(parcels))
        if status in (400, 413, 422):
            # One of them spoils the whole: alone, each meets its own fate.
            answers = [self._send_one(parcel) for parcel in parcels]
            return Answer(
                tuple(answer.fates[0] for answer in answers),
                next((answer.reason for answer in answers if answer.reason), ""),
                max(answer.pause for answer in answers),
            )
        return _all_later(len(parcels), _reason(status, body), pause)

    def _send_one(self, parcel: Parcel) -> Answer:
        status, body, pause = self._request(parcel.path, parcel.body, "application/json")
        return Answer((_fate(status),), "" if status in (200, 201) else _reason(status, body), pause)

    def _request(self, path: str, body: bytes, content_type: str) -> tuple[int, bytes, float]:
        """Status (0: the server was not reached), body and the pause asked for."""
        headers = {"Authorization": f"Bearer {self.key}", "Content-Type": content_type, "User-Agent": AGENT}
        if len(body) >= SMALL:
            body = gzip.compress(body, compresslevel=3, mtime=0)
            headers["Content-Encoding"] = "gzip"
        for fresh in (False, True):
            was_open = self.connection is not None
            try:
                connection = self.connection or self._connect()
                connection.request("POST", self.prefix + path, body, headers)
                response = connection.getresponse()
                content = response.read(10_000_000)
                if response.will_close:
                    self.close()
                return response.status, content, _seconds(response.getheader("Retry-After"))
            except (OSError, http.client.HTTPException) as error:
                self.close()
                # A kept connection may have been closed by the server meanwhile: that is worth one more try.
                if fresh or not was_open or isinstance(error, TimeoutError):
                    return 0, str(error).encode("utf-8", "replace"), 0.0
        return 0, b"", 0.0

    def _connect(self) -> http.client.HTTPConnection:
        if self.secure:
            context = ssl.create_default_context()
            self.connection = http.client.HTTPSConnection(
                self.host, self.port, timeout=self.timeout, context=context
            )
        else:
            self.connection = http.client.HTTPConnection(self.host, self.port, timeout=self.timeout)
        return self.connection

    def close(self) -> None:
        """Close the connection; the next request opens another."""
        if self.connection is not None:
            self.connection.close()
            self.connection = None

    def forget(self) -> None:
        """Drop the connection without a word to the server: after a fork it is the parent's."""
        self.connection = None


def _all_later(count: int, reason: str, pause: float = 0.0) -> Answer:
    fates: list[Fate] = ["later"] * count
    return Answer(tuple(fates), reason, pause)


def _fate(status: int) -> Fate:
    if status in (200, 201):
        return "kept"
    # A turn that the server will never take must not block the ones behind it.
    return "refused" if status in (400, 409, 413, 415, 422) else "later"


def _batch_answer(body: bytes, count: int) -> Answer:
    try:
        results = json.loads(body)["results"]
        statuses = [int(result["status"]) for result in results]
    except (ValueError, KeyError, TypeError, RecursionError):
        return _all_later(count, "the server's answer could not be read")
    if len(statuses) != count:
        return _all_later(count, f"{len(statuses)} answers to {count} turns")
    bad = next((result for result in results if result["status"] not in (200, 201)), None)
    return Answer(tuple(map(_fate, statuses)), str(bad.get("error")) if bad else "")


def _reason(status: int, body: bytes) -> str:
    text = body[:300].decode("utf-8", "replace")
    return f"{status}: {text}" if status else f"not reached: {text}"


def _seconds(header: str | None) -> float:
    try:
        return min(max(float(header or 0), 0.0), 60.0)
    except ValueError:
        return 0.0
