"""``manage.py prepare``: what is done once before a version serves, where ``up`` is not used."""

from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from inspector.jobs.preparation import collect_static_files, prepare, welcome


class Command(BaseCommand):
    """Migrates, collects static files and makes the first owner, project and key."""

    help = "Bring tables and static files up to date; on first start make owner, project and key"
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        """``--static-only`` for building an image, where there is no database."""
        parser.add_argument(
            "--static-only", action="store_true", help="collect static files, touch no database"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Says how to begin on first start, and nothing later."""
        if options["static_only"]:
            collect_static_files()
        elif made := prepare():
            self.stdout.write(welcome(made))
