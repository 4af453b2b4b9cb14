"""The app that owns every table."""

import sys
from importlib import import_module
from typing import Any

from django.apps import AppConfig
from django.db.models.signals import post_migrate


class StoreConfig(AppConfig):
    """Registered as ``inspector``, so tables are named ``inspector_turn`` and so on."""

    name = "inspector.store"
    label = "inspector"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """What a process and the index remember of rows is void once tables were made or emptied."""
        import_module("inspector.store.checks")
        # Models can't be imported before every app is there.
        emptied = import_module("inspector.store.terms.emptied")

        def forget(**_: Any) -> None:
            # What was never loaded has nothing to forget, and preparing a start should not load it.
            if records := sys.modules.get("inspector.store.records"):
                records.forget()
            emptied.clear_if_empty()

        post_migrate.connect(forget, sender=self, weak=False)
