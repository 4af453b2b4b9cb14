"""``manage.py compare OLD.json NEW.json``: what differs between two turns. Needs no database."""

import json
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from inspector.turns.errors import TurnError
from inspector.turns.transcript import changes_between


class Command(BaseCommand):
    """Prints what ``GET /turns/{old}/changes/{new}`` would answer."""

    help = "Compare two turns, each in a JSON file of its own, and print the changes, without a database."
    requires_system_checks: list[str] = []
    requires_migrations_checks = False

    def add_arguments(self, parser: ArgumentParser) -> None:
        """The two files."""
        parser.add_argument("old", help="the older turn, as it was posted")
        parser.add_argument("new", help="the newer turn, as it was posted")

    def handle(self, *args: Any, **options: Any) -> None:
        """Exit code 1 when a file holds no turn, 2 when it can't be opened."""
        try:
            old, new = (Path(options[name]).read_bytes() for name in ("old", "new"))
            answer = changes_between(old, new)
        except OSError as error:
            raise CommandError(f"{error.filename}: {error.strerror}", returncode=2) from None
        except TurnError as error:
            raise CommandError(str(error), returncode=1) from None
        self.stdout.write(json.dumps(answer, allow_nan=False, separators=(",", ":")))
