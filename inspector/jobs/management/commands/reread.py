"""``manage.py reread``: makes readings again, after the reading code has become better."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from inspector.jobs import reading
from inspector.store.models import Turn
from inspector.store.queries.rereading import Which, ask_again


class Command(BaseCommand):
    """Marks turns as due; the worker reads them, or this command itself with ``--now``."""

    help = "Read turns again: by default those read with an older version, and the unreadable ones"

    def add_arguments(self, parser: CommandParser) -> None:
        """Which turns, and whether to wait."""
        which = parser.add_mutually_exclusive_group()
        which.add_argument("--all", action="store_true", help="every turn")
        which.add_argument("--turn", metavar="ID", action="append", help="this turn; may be repeated")
        which.add_argument("--session", metavar="SESSION_ID", help="the turns of this session")
        parser.add_argument("--project", metavar="SLUG", help="only in this project")
        parser.add_argument("--now", action="store_true", help="read here, and return when all is done")

    def handle(self, *args: Any, **options: Any) -> None:
        """Says how many turns are due, and with --now how many could not be read."""
        count = ask_again(
            Which(
                everything=options["all"],
                keys=tuple(options["turn"] or ()),
                session=options["session"] or "",
                project=options["project"] or "",
            )
        )
        self.stdout.write(f"{count:,} turns are to be read again.")
        if options["now"]:
            self._read()

    def _read(self) -> None:
        done = 0
        while count := reading.read_due():
            done += count
            self.stderr.write(f"{done:,} read")
        unreadable = Turn.objects.filter(state=Turn.State.UNREADABLE).count()
        if unreadable:
            raise CommandError(f"{unreadable:,} turns are unreadable; their pages say why.", returncode=1)
