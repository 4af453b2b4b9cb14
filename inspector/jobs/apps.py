"""An app without tables, so that Django finds the operators' commands."""

from django.apps import AppConfig


class JobsConfig(AppConfig):
    """Holds ``management/commands``."""

    name = "inspector.jobs"
    label = "jobs"
