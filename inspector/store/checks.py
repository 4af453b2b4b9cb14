"""What an operator should know before data is at risk: checks with an id and a hint."""

from collections.abc import Sequence
from typing import Any

from django.core.checks import CheckMessage, Error, Tags, Warning, register
from django.db import connections
from django.db.utils import DatabaseError

SAFE_SYNCHRONOUS = {1: "NORMAL", 2: "FULL", 3: "EXTRA"}
LEAST_BUSY_TIMEOUT = 5_000


@register(Tags.database)
def check_database(databases: Sequence[str] | None = None, **_: Any) -> list[CheckMessage]:
    """Whether the database keeps what it acknowledges. Runs with ``check --database default``."""
    found: list[CheckMessage] = []
    for alias in databases or ():
        connection = connections[alias]
        check = {"sqlite": _sqlite, "postgresql": _postgres}.get(connection.vendor)
        if check is None:
            hint = "Set INSPECTOR_DATABASE_URL to sqlite:///path or postgresql://user:password@host/name."
            found.append(Error(f"{connection.vendor} is not supported.", hint=hint, id="inspector.E001"))
            continue
        try:
            found.extend(check(connection))
        except DatabaseError as error:
            hint = "See INSPECTOR_DATABASE_URL, and whether the server runs."
            found.append(Error(f"The database does not answer ({error}).", hint=hint, id="inspector.E002"))
    return found


def _sqlite(connection: Any) -> list[CheckMessage]:
    found: list[CheckMessage] = []
    mode = str(_value(connection, "PRAGMA journal_mode"))
    if mode != "wal" and not connection.is_in_memory_db():
        hint = "Put the database on a local disk: WAL does not work over a network."
        found.append(Error(f"SQLite's journal_mode is {mode}, not wal.", hint=hint, id="inspector.E003"))
    if (level := _value(connection, "PRAGMA synchronous")) not in SAFE_SYNCHRONOUS:
        hint = "Set INSPECTOR_SQLITE_SYNCHRONOUS to NORMAL, or to FULL to survive a power cut."
        found.append(
            Error(f"SQLite's synchronous is {level}: turns may be lost.", hint=hint, id="inspector.E004")
        )
    if int(str(_value(connection, "PRAGMA busy_timeout"))) < LEAST_BUSY_TIMEOUT:
        hint = "Leave the busy timeout as it comes with the settings."
        found.append(Warning("SQLite's busy_timeout is under 5 s.", hint=hint, id="inspector.W001"))
    return found


def _postgres(connection: Any) -> list[CheckMessage]:
    found: list[CheckMessage] = []
    if _value(connection, "SHOW synchronous_commit") == "off":
        hint = "Set synchronous_commit to on for this database: a crash loses acknowledged turns."
        found.append(Error("synchronous_commit is off.", hint=hint, id="inspector.E005"))
    if _value(connection, "SHOW fsync") == "off":
        hint = "Set fsync to on: a crash can destroy the database."
        found.append(Warning("fsync is off.", hint=hint, id="inspector.W002"))
    if _value(connection, "SHOW server_encoding") != "UTF8":
        hint = "Create the database with ENCODING 'UTF8'."
        found.append(Error("The database's encoding is not UTF8.", hint=hint, id="inspector.E006"))
    return found


def _value(connection: Any, statement: str) -> object:
    with connection.cursor() as cursor:
        cursor.execute(statement)
        row = cursor.fetchone()
    return row[0] if row else None
