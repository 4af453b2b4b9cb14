"""``manage.py sign_in``: a link that signs somebody in, for whoever has lost theirs."""

from typing import Any

from django.contrib.auth.models import User
from django.core.management.base import BaseCommand, CommandError, CommandParser

from inspector.jobs.first_start import owner_of_installation, sign_in_link


class Command(BaseCommand):
    """Prints a one-time link."""

    help = "Print a link that signs a person in, once, within an hour"

    def add_arguments(self, parser: CommandParser) -> None:
        """Whom to sign in."""
        parser.add_argument(
            "name", nargs="?", help="name of the person; left out: the owner of the installation"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Writes the link to standard output."""
        name = options["name"]
        user = User.objects.filter(username=name, is_active=True).first() if name else owner_of_installation()
        if user is None:
            raise CommandError(
                f"There is nobody named {name!r}." if name else "There is no owner yet: run `up` first."
            )
        self.stdout.write(sign_in_link(user))
