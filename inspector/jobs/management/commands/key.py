"""``manage.py key``: a new key of a project."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from inspector.jobs.first_start import add_key, new_token
from inspector.store.models import Project


class Command(BaseCommand):
    """Prints a new key, which is shown only this once."""

    help = "Make a key that lets a program post turns, and print it"

    def add_arguments(self, parser: CommandParser) -> None:
        """Which project, and what the key may do."""
        parser.add_argument("--project", help="the project's short name in addresses; left out: the only one")
        parser.add_argument("--name", default="Key from the command line", help="what to call it in lists")
        parser.add_argument("--read", action="store_true", help="it may also read turns")

    def handle(self, *args: Any, **options: Any) -> None:
        """Writes the key to standard output."""
        projects = Project.objects.all()
        if options["project"]:
            projects = projects.filter(slug=options["project"])
        found = list(projects[:2])
        if len(found) != 1:
            raise CommandError(
                "Name one project: --project " + "|".join(Project.objects.values_list("slug", flat=True))
            )
        token = new_token()
        add_key(found[0], options["name"], token, may_read=options["read"], by=None)
        self.stdout.write(token)
