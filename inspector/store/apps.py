"""The app that owns every table."""

from django.apps import AppConfig


class StoreConfig(AppConfig):
    """Registered as ``inspector``, so tables are named ``inspector_turn`` and so on."""

    name = "inspector.store"
    label = "inspector"
    default_auto_field = "django.db.models.BigAutoField"
