"""An app without tables, so that Django finds the operators' commands."""

from importlib import import_module

from django.apps import AppConfig


class JobsConfig(AppConfig):
    """Holds ``management/commands``."""

    name = "inspector.jobs"
    label = "jobs"

    def ready(self) -> None:
        """Registers the checks."""
        import_module("inspector.jobs.checks")
