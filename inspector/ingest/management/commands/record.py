"""``manage.py record FILE.jsonl``: takes in turns from files, through the same intake as the API."""

import sys
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, BinaryIO

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from inspector.ingest.errors import Busy
from inspector.ingest.files import Progress, record_lines, size_of
from inspector.store.models import Project

REPORT_EVERY = 2.0
"""Seconds between two lines of progress."""
MAX_REFUSALS = 50
"""Reported one by one; further ones are counted."""


class Command(BaseCommand):
    """One turn a line; a line that is refused is reported with its number and spoils no other."""

    help = "Record turns from JSON lines files (- for standard input)"

    def add_arguments(self, parser: CommandParser) -> None:
        """Files, and the project they go to."""
        parser.add_argument("files", nargs="+", metavar="FILE", help="one turn a line, as JSON; - for stdin")
        parser.add_argument("--project", metavar="SLUG", help="needed only where there are several")

    def handle(self, *args: Any, **options: Any) -> None:
        """Ends with status 1 if a line was refused."""
        project = project_named(options["project"])
        counts: Counter[int] = Counter()
        for name in options["files"]:
            counts += self._record(project, name)
        self.stdout.write(
            f"{counts[201]:,} turns recorded, {counts[200]:,} were there already, {counts[409]:,} conflict "
            f"with what is there, {counts[400]:,} refused."
        )
        if counts[409] or counts[400]:
            raise CommandError("Not every line was recorded.", returncode=1)

    def _record(self, project: Project, name: str) -> Counter[int]:
        total, reported, refused = size_of(name), time.monotonic(), 0
        progress = Progress()
        try:
            with opened(name) as lines:
                for progress in record_lines(project, lines, settings.MAX_BODY):
                    refused = self._report_refused(name, progress, refused)
                    if time.monotonic() - reported > REPORT_EVERY:
                        reported = time.monotonic()
                        self._report(name, progress, total)
        except Busy as error:
            raise CommandError(
                f"{name}: stopped after line {progress.lines:,}: {error}", returncode=2
            ) from error
        return progress.counts

    def _report_refused(self, name: str, progress: Progress, before: int) -> int:
        for place, one in enumerate(progress.refused, before):
            if place < MAX_REFUSALS:
                self.stderr.write(f"{name}:{one.line}: {one.message}")
            elif place == MAX_REFUSALS:
                self.stderr.write(f"{name}: further refused lines are only counted")
        return before + len(progress.refused)

    def _report(self, name: str, progress: Progress, total: int) -> None:
        share = f" ({100 * progress.bytes // total} %)" if total else ""
        self.stderr.write(f"{name}: {progress.lines:,} lines{share}")


def project_named(slug: str | None) -> Project:
    """The project of this name, or the only one there is."""
    if slug:
        project = Project.objects.filter(slug=slug).first()
        if project is None:
            raise CommandError(f"There is no project {slug!r}.", returncode=2)
        return project
    projects = list(Project.objects.order_by("pk")[:2])
    if not projects:
        raise CommandError("There is no project yet: run `manage.py prepare` first.", returncode=2)
    if len(projects) > 1:
        raise CommandError("There are several projects: name one with --project SLUG.", returncode=2)
    return projects[0]


@contextmanager
def opened(name: str) -> Iterator[BinaryIO]:
    """A file to read bytes from."""
    if name == "-":
        yield sys.stdin.buffer
        return
    with ExitStack() as stack:
        try:
            file = stack.enter_context(Path(name).open("rb"))
        except OSError as error:
            raise CommandError(f"{name}: {error.strerror}", returncode=2) from None
        yield file
