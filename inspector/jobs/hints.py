"""Hints that work is due. The tables are the truth; a hint that is lost costs a moment, never a turn.

Hints are collected and published by a thread of their own: a post never waits for the broker, and a broker
that is down costs nothing but a log line now and then.
"""

import importlib
import logging
import queue
import threading
import time
from collections.abc import Sequence

from django.conf import settings
from django.db import transaction

log = logging.getLogger(__name__)

MAX_WAITING = 10_000
MAX_PUBLISHED = 500
"""Turn ids in one hint."""
COLLECTED = 0.01
"""Seconds in which further hints join the first."""
PAUSE = 5.0
"""Seconds without trying after the broker could not be reached."""


class Publisher:
    """Collects turn ids and publishes them from a daemon thread, which starts with the first hint."""

    def __init__(self) -> None:
        self.waiting: queue.Queue[int] = queue.Queue(MAX_WAITING)
        self.lock = threading.Lock()
        self.thread: threading.Thread | None = None

    def add(self, turn_ids: Sequence[int]) -> None:
        """Never waits, never raises; what does not fit is left to the sweeper."""
        try:
            for turn_id in turn_ids:
                self.waiting.put_nowait(turn_id)
        except queue.Full:
            pass
        with self.lock:
            if self.thread is None or not self.thread.is_alive():
                self.thread = threading.Thread(target=self.run, name="hints", daemon=True)
                self.thread.start()

    def run(self) -> None:
        """Publishes until the process ends."""
        while True:
            ids = [self.waiting.get()]
            time.sleep(COLLECTED)
            while len(ids) < MAX_PUBLISHED:
                try:
                    ids.append(self.waiting.get_nowait())
                except queue.Empty:
                    break
            self.publish(ids)

    def publish(self, turn_ids: list[int]) -> None:
        """One hint. A broker that can't be reached is left alone for a while, and what waited is dropped."""
        try:
            # By name: Celery is loaded only where there is a broker, and not before the first hint.
            importlib.import_module("inspector.jobs.worker").publish(turn_ids)
        except Exception as error:
            log.warning(
                "The broker takes no hints (%s); the sweeper will find the turns.", type(error).__name__
            )
            time.sleep(PAUSE)
            while not self.waiting.empty():
                self.waiting.get_nowait()


_publisher = Publisher()


def reading_due(turn_ids: Sequence[int]) -> None:
    """Once the transaction is safe, tell a worker that these turns are to be read."""
    if settings.BROKER_URL:
        ids = list(turn_ids)
        transaction.on_commit(lambda: _publisher.add(ids))
