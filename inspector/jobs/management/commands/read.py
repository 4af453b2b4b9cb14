"""``manage.py read FILE``: the reading of each turn in a file, one JSON object a line. Needs no database."""

import json
import os
import sys
from argparse import ArgumentParser
from collections.abc import Iterable
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import Any, BinaryIO

from django.core.management.base import BaseCommand, CommandError

from inspector.turns.transcript import answers


def _opened(name: str) -> AbstractContextManager[BinaryIO]:
    if name == "-":
        return nullcontext(sys.stdin.buffer)
    try:
        return Path(name).open("rb")
    except OSError as error:
        raise CommandError(f"{name}: {error.strerror}", returncode=2) from None


class Command(BaseCommand):
    """Prints what ``GET /turns/{id}`` would answer, or an error in the place of a line that is no turn."""

    help = "Read the turns of a JSON or JSONL file and print one reading a line, without a database."
    requires_system_checks: list[str] = []
    requires_migrations_checks = False

    def add_arguments(self, parser: ArgumentParser) -> None:
        """The file, or - for standard input."""
        parser.add_argument(
            "file", help="a .jsonl file (one turn a line), a .json file (one turn or a list), or -"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Exit code 1 when a line was no turn, 2 when there is no such file."""
        with _opened(options["file"]) as file:
            try:
                failures = self._print(file)
            except BrokenPipeError:
                # Whoever reads the answers has seen enough; Python must not fail again while flushing.
                os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
                return
        if failures:
            raise CommandError(f"{failures} of the lines could not be read.", returncode=1)

    def _print(self, lines: Iterable[bytes]) -> int:
        failures = 0
        for answer in answers(lines):
            failures += "id" not in answer
            self.stdout.write(json.dumps(answer, allow_nan=False, separators=(",", ":")))
        return failures
