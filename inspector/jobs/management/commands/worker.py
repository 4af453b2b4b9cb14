"""``manage.py worker``: reads what is due over the database alone, until SIGTERM or Ctrl-C."""

import signal
import threading
from typing import Any

from django.core.management.base import BaseCommand

from inspector.jobs import loop


class Command(BaseCommand):
    """The reading worker of embedded mode; several may run."""

    help = "Read posted turns until SIGTERM or Ctrl-C"
    requires_system_checks = ()

    def handle(self, *args: Any, **options: Any) -> None:
        """Ends with status 0 after finishing what was begun."""
        stopped = threading.Event()
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, lambda *_: stopped.set())
        loop.run(stopped)
