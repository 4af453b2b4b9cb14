"""An app without tables, so that Django finds the commands that take turns in."""

from django.apps import AppConfig


class IngestConfig(AppConfig):
    """Holds ``management/commands``; those of ``jobs`` can't use intake, which lies above them."""

    name = "inspector.ingest"
    label = "ingest"
