"""The index after tables were emptied."""

from django.db import connection

from inspector.store.models import Words


def clear_if_empty() -> None:
    """Emptying tables does not reach SQLite's index, and ids begin again: without rows, no terms."""
    if connection.vendor != "sqlite" or "inspector_terms" not in connection.introspection.table_names():
        return
    if not Words.objects.exists():
        with connection.cursor() as cursor:
            cursor.execute("INSERT INTO inspector_terms(inspector_terms) VALUES ('delete-all')")
