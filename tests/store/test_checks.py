"""System checks speak when data would be at risk."""

from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from django.core.checks import run_checks
from django.db import connection

from inspector.store.checks import check_database

pytestmark = pytest.mark.django_db(transaction=True)


@contextmanager
def setting(change: str, back: str) -> Iterator[None]:
    with connection.cursor() as cursor:
        cursor.execute(change)
    try:
        yield
    finally:
        with connection.cursor() as cursor:
            cursor.execute(back)


def ids() -> set[str | None]:
    return {message.id for message in check_database(databases=["default"])}


def test_the_settings_as_they_come_are_safe() -> None:
    assert ids() <= {"inspector.W002"}


def test_all_checks_pass() -> None:
    assert not [message for message in run_checks() if message.is_serious()]


def test_a_database_that_forgets_is_an_error() -> None:
    if connection.vendor == "sqlite":
        change, back, expected = "PRAGMA synchronous=OFF", "PRAGMA synchronous=NORMAL", "inspector.E004"
    else:
        change, back, expected = "SET synchronous_commit=off", "SET synchronous_commit=on", "inspector.E005"
    with setting(change, back):
        assert expected in ids()


def test_an_impatient_sqlite_is_a_warning() -> None:
    if connection.vendor != "sqlite":
        pytest.skip("only SQLite has a busy timeout")
    with setting("PRAGMA busy_timeout=10", "PRAGMA busy_timeout=20000"):
        assert "inspector.W001" in ids()


def test_no_database_is_asked_unless_named() -> None:
    assert check_database(databases=None) == []
