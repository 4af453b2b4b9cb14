"""``manage.py prepare``: what is done once before a version serves, where ``up`` is not used."""

from typing import Any

from django.core.management.base import BaseCommand

from inspector.jobs.preparation import prepare, welcome


class Command(BaseCommand):
    """Migrates, collects static files and makes the first owner, project and key."""

    help = "Bring tables and static files up to date; on first start make owner, project and key"
    requires_system_checks = ()

    def handle(self, *args: Any, **options: Any) -> None:
        """Says how to begin on first start, and nothing later."""
        if made := prepare():
            self.stdout.write(welcome(made))
