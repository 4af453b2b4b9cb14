"""``manage.py worker``: reads what is due over the database alone, until SIGTERM or Ctrl-C."""

import os
import signal
import threading
from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from inspector.jobs import loop, reading


class Command(BaseCommand):
    """The reading worker of embedded mode; several may run."""

    help = "Read posted turns until SIGTERM or Ctrl-C"
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        """``--alone`` is how ``up`` starts it."""
        parser.add_argument("--alone", action="store_true", help="no other worker is at this database")

    def handle(self, *args: Any, **options: Any) -> None:
        """Ends with status 0 after finishing what was begun."""
        stopped = threading.Event()
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, lambda *_: stopped.set())
        if options["alone"]:
            reading.take_over()
            # On the machine that also answers posts and pages, these come first.
            os.nice(5)
        loop.run(stopped)
