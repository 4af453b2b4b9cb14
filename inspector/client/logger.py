"""Hands an agent's turns to a background thread and never gets in its way."""

import atexit
import contextlib
import hashlib
import logging
import os
import random
import secrets
import threading
import time
import weakref
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from inspector.client.delivery import TURN_PATH, Delivery, Parcel, part_path
from inspector.client.encoding import encode
from inspector.client.spool import Spool
from inspector.client.waiting import Waiting

log = logging.getLogger("inspector.client")

FIRST_PAUSE, LONGEST_PAUSE = 0.5, 30.0
"""Seconds between attempts while the server is away: doubled each time, plus up to half at random."""


class Logger:
    """See the package's first page. Safe to share between threads, and to use after a fork."""

    def __init__(
        self,
        url: str | None = None,
        key: str | None = None,
        *,
        agent: str | None = None,
        spool: str | Path | None = None,
        spool_bytes: int = 1_000_000_000,
        capacity: int = 2_000,
        capacity_bytes: int = 64_000_000,
        batch: int = 100,
        batch_bytes: int = 4_000_000,
        timeout: float = 10.0,
        exit_timeout: float = 5.0,
    ) -> None:
        url, key = url or os.environ.get("INSPECTOR_URL", ""), key or os.environ.get("INSPECTOR_KEY", "")
        self.agent = agent
        self.batch, self.batch_bytes = batch, batch_bytes
        self.exit_timeout = exit_timeout
        self.spool = Spool(spool_folder(spool, url, key), spool_bytes)
        self.capacity, self.capacity_bytes = capacity, capacity_bytes
        self.waiting = Waiting(capacity, capacity_bytes)
        self.thread: threading.Thread | None = None
        self.starting = threading.Lock()
        self.left_behind = False
        """Something of ours waits on disk."""
        self.delivery: Delivery | None = None
        try:
            self.delivery = Delivery(url, key, timeout)
        except ValueError as error:
            log.warning("turns are not sent: %s", error)
            return
        atexit.register(self.close)
        _survive_forks(self)

    def turn(self, **fields: Any) -> str:
        """Hand over one turn (the fields of ``POST /turns``) and get its id, at once. Never raises."""
        identity = str(fields.get("id") or secrets.token_hex(16))
        named = {"agent": self.agent} if self.agent else {}
        self._hand_over(TURN_PATH, {**named, **fields, "id": identity})
        return identity

    def response(self, turn: str, response: Any, **fields: Any) -> None:
        """Hand over a turn's response, and ``usage``, ``finish_reason``, ``error``, ``ended_at`` if known."""
        self._hand_over(part_path(turn, "response"), {**fields, "response": response})

    def results(self, turn: str, results: Sequence[Mapping[str, Any]]) -> None:
        """Hand over what came of a turn's calls: ``[{"call": 0, "value": …}]``."""
        self._hand_over(part_path(turn, "results"), {"results": list(results)})

    def flush(self, timeout: float = 5.0) -> bool:
        """Whether all that was handed over since the last flush is safe on the server.

        Waits for it, at most ``timeout`` seconds.
        """
        if self.delivery is None:
            return self.waiting.handed_over == 0
        try:
            if self.waiting.settled < self.waiting.handed_over:
                self._start()
            return self.waiting.all_settled(timeout)
        except Exception:
            log.exception("flush failed")
            return False

    def close(self, timeout: float | None = None) -> bool:
        """Flush, end the thread and write what is left to disk. Called at exit; bounded like ``flush``."""
        deadline = time.monotonic() + (self.exit_timeout if timeout is None else timeout)
        atexit.unregister(self.close)
        sent = self.flush(max(deadline - time.monotonic(), 0))
        self.waiting.close()
        if self.thread is not None and self.thread is not threading.current_thread():
            self.thread.join(max(deadline - time.monotonic(), 0))
        self._set_aside(self.waiting.rest())
        return sent

    # ------------------------------------------------------------ the agent's side

    def _hand_over(self, path: str, fields: Mapping[str, Any]) -> None:
        try:
            parcel = Parcel(path, encode(fields))
            if self.delivery is None:
                return
            self.waiting.put(parcel)
            self._set_aside(self.waiting.overflow())
            self._start()
        except Exception:
            log.exception("a turn could not be handed over")

    def _start(self) -> None:
        if self.thread is not None and self.thread.is_alive():
            return
        with (
            self.starting,
            contextlib.suppress(RuntimeError),
        ):  # RuntimeError: the interpreter is on its way out
            if self.thread is None or not self.thread.is_alive():
                self.thread = threading.Thread(target=self._work, name="inspector-client", daemon=True)
                self.thread.start()

    def _set_aside(self, parcels: Sequence[Parcel]) -> None:
        """To disk, so that the next start sends them; what the disk refuses is lost, and said so."""
        if not parcels:
            return
        try:
            kept = self.spool.put(parcels)
        except OSError as error:
            log.warning("the spool can't be written: %s", error)
            kept = 0
        if kept < len(parcels):
            log.warning(
                "%d turns were dropped: neither the server nor the spool took them", len(parcels) - kept
            )
        self.left_behind = self.left_behind or kept > 0
        self.waiting.set_aside(len(parcels))

    def after_fork(self) -> None:
        """In the child: what waits is the parent's to send, as are its thread and its connection."""
        self.waiting = Waiting(self.capacity, self.capacity_bytes)
        self.starting = threading.Lock()
        self.thread = None
        if self.delivery is not None:
            self.delivery.forget()

    # ------------------------------------------------------------ the thread's side

    def _work(self) -> None:
        """Send until closed. A failure that nobody foresaw ends the thread; the next turn starts another."""
        try:
            self._send_spooled()
            pause = FIRST_PAUSE
            while parcels := self.waiting.take(self.batch, self.batch_bytes):
                if self._deliver(parcels):
                    if self.left_behind and not self.waiting.line:
                        self._send_spooled()
                    pause = FIRST_PAUSE
                    continue
                if self.waiting.closed:
                    return
                self.waiting.pause(pause + random.uniform(0, pause / 2))  # noqa: S311
                pause = min(pause * 2, LONGEST_PAUSE)
        except Exception:
            log.exception("the sending thread stopped")
        finally:
            if self.delivery is not None:
                self.delivery.close()

    def _deliver(self, parcels: tuple[Parcel, ...]) -> bool:
        """Send, settle, and say whether the server took its part (even if by refusing)."""
        assert self.delivery is not None
        answer = self.delivery.send(parcels)
        again = [parcel for parcel, fate in zip(parcels, answer.fates, strict=True) if fate == "later"]
        refused = answer.fates.count("refused")
        self.waiting.settle(again, refused)
        if refused:
            log.warning("%d turns were refused (%s)", refused, answer.reason)
        if again:
            log.warning("%d turns will be sent again (%s)", len(again), answer.reason)
        if answer.pause:
            self.waiting.pause(answer.pause, asked=True)
        return not again

    def _send_spooled(self) -> None:
        """Send what was left on disk, by earlier starts too, until the server stops taking it."""
        assert self.delivery is not None
        self.left_behind = False
        for claim in self.spool.claims():
            sent = all(
                "later" not in self.delivery.send(handful).fates
                for handful in self._handfuls(claim.parcels())
            )
            claim.close(sent=sent)
            if not sent:
                self.left_behind = True
                return

    def _handfuls(self, parcels: Sequence[Parcel]) -> Iterator[Sequence[Parcel]]:
        """Turns in batches, anything else alone."""
        batch: list[Parcel] = []
        for parcel in parcels:
            if batch and (parcel.path != TURN_PATH or len(batch) == self.batch):
                yield batch
                batch = []
            if parcel.path == TURN_PATH:
                batch.append(parcel)
            else:
                yield [parcel]
        if batch:
            yield batch


def spool_folder(given: str | Path | None, url: str, key: str) -> Path:
    """One folder per server and key: what waits for one project must not reach another."""
    top = given or os.environ.get("INSPECTOR_SPOOL") or Path.home() / ".cache" / "prompt-inspector" / "spool"
    return Path(top) / hashlib.sha256(f"{url}\0{key}".encode()).hexdigest()[:16]


def _survive_forks(logger: Logger) -> None:
    if not hasattr(os, "register_at_fork"):
        return
    reference = weakref.ref(logger)

    def in_child() -> None:
        if (living := reference()) is not None:
            living.after_fork()

    os.register_at_fork(after_in_child=in_child)
