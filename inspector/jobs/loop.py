"""The reading worker without a broker: one process that asks the database what is due."""

import logging
import threading
import time
from collections.abc import Callable

from django.db import DatabaseError, InterfaceError, connection

from inspector.jobs import reading, retention, times
from inspector.sharing import links

log = logging.getLogger(__name__)

EAGER_PAUSE, IDLE_PAUSE = 0.02, 0.1
"""Seconds between two questions: just after there was work, and else."""
EAGER_FOR = 5.0
TROUBLE_PAUSE = 1.0


def run(stopped: threading.Event) -> None:
    """Read what is due until told to stop; what was begun is finished first."""
    busy_until = 0.0
    duties = [Duty(retention.drop_old), Duty(links.note_expired)]
    while not stopped.is_set():
        try:
            if reading.read_due():
                busy_until = time.monotonic() + EAGER_FOR
                continue
            for duty in duties:
                duty.do_if_due()
        except (DatabaseError, InterfaceError) as error:
            log.warning("The database is not to be had (%s); trying again.", type(error).__name__)
            connection.close()
            stopped.wait(TROUBLE_PAUSE)
        except Exception:
            log.exception("The reading worker stumbled; it goes on.")
            stopped.wait(TROUBLE_PAUSE)
        stopped.wait(EAGER_PAUSE if time.monotonic() < busy_until else IDLE_PAUSE)
    connection.close()


class Duty:
    """Something to do now and then; its own trouble must not keep turns from being read."""

    def __init__(self, work: Callable[[], object], every: float = times.HOURLY) -> None:
        self.work, self.every = work, every
        self.due = time.monotonic() + 10

    def do_if_due(self) -> None:
        """Do it when its time has come."""
        if time.monotonic() >= self.due:
            self.due = time.monotonic() + self.every
            self.work()
