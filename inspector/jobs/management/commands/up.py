"""``manage.py up``: everything that one person needs, from nothing to a served page."""

import os
import sys
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from inspector.jobs.preparation import prepare, welcome
from inspector.jobs.supervisor import port_problem


class Command(BaseCommand):
    """Prepares, then becomes the supervisor of server and reading worker."""

    help = "Prepare what is missing, then serve and read turns until Ctrl-C"
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        """``--no-welcome`` for scripts that keep the output."""
        parser.add_argument("--no-welcome", action="store_true", help="make no sign-in link and say nothing")

    def handle(self, *args: Any, **options: Any) -> None:
        """Never returns: the process becomes the supervisor."""
        if problem := port_problem(settings.HOST, settings.PORT):
            raise CommandError(problem)
        # Prompts are nobody else's business, even where the home folder was made beforehand.
        os.umask(0o077)
        made = prepare()
        # Hints to a broker would pile up: here, the worker asks the database.
        os.environ.pop("INSPECTOR_BROKER_URL", None)
        command = [sys.executable, "-m", "inspector.jobs.supervisor", "--host", settings.HOST]
        command += ["--port", str(settings.PORT)]
        if not options["no_welcome"]:
            command += ["--banner", str(readable(welcome(made)))]
        sys.stdout.flush()
        os.chdir(settings.BASE_DIR)
        os.execv(sys.executable, command)


def readable(text: str) -> int:
    """A descriptor that the next program reads the text from: others can see its arguments."""
    reader, writer = os.pipe()
    with os.fdopen(writer, "w", encoding="utf-8") as file:
        file.write(text)
    os.set_inheritable(reader, True)
    return reader
