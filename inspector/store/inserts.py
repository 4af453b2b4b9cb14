"""Inserts in one statement each: a third of ``save()``'s time, and no race between look and leap."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import chain
from typing import Any

from django.db import connection, models

MOST_ROWS = 100
"""In one statement."""


@dataclass(frozen=True, slots=True)
class Insert:
    """Many rows in one statement that give only some columns; the others are their fields' defaults.

    Values are given as the database takes them. ``tail`` comes after the rows: what to do when one is
    there already, and what to answer.
    """

    model: type[models.Model]
    given: tuple[str, ...]
    """Columns, in the order of a row's values."""
    tail: str = ""

    def __call__(self, rows: Sequence[Sequence[Any]]) -> list[tuple[Any, ...]]:
        """Insert the rows; what ``RETURNING`` answers, in no certain order."""
        answers: list[tuple[Any, ...]] = []
        for start in range(0, len(rows), MOST_ROWS):
            step = rows[start : start + MOST_ROWS]
            statement = _many(self, len(step), connection.vendor)
            with connection.cursor() as cursor:
                cursor.execute(statement, list(chain.from_iterable(step)))
                if "RETURNING" in self.tail:
                    answers.extend(cursor.fetchall())
        return answers


@cache
def _many(insert: Insert, count: int, vendor: str) -> str:
    key = insert.model._meta.pk
    fields = {str(field.column): field for field in insert.model._meta.concrete_fields}
    rest = [
        field
        for column, field in fields.items()
        if column not in insert.given and not (field is key and isinstance(field, models.AutoField))
    ]
    defaults = [_literal(field.get_db_prep_save(field.get_default(), connection)) for field in rest]
    quote = connection.ops.quote_name
    columns = ", ".join(quote(column) for column in (*insert.given, *(str(field.column) for field in rest)))
    row = f"({', '.join([*['%s'] * len(insert.given), *defaults])})"
    table = quote(insert.model._meta.db_table)
    return f"INSERT INTO {table} ({columns}) VALUES {', '.join([row] * count)} {insert.tail}"  # noqa: S608


def _literal(value: Any) -> str:
    """A default as SQL: the models' own, so nothing in it comes from outside."""
    if value is None or isinstance(value, bool):
        return {None: "NULL", True: "TRUE", False: "FALSE"}[value]
    return str(value) if isinstance(value, int) else f"'{value}'"


def insert(row: models.Model, conflict: Sequence[str] = ()) -> bool:
    """Insert one row and set its primary key.

    With ``conflict`` (the columns of a unique constraint) a row that is there already wins:
    the answer is False.
    """
    statement, fields, returning = _statement(type(row), tuple(conflict), connection.vendor)
    values = [field.get_db_prep_save(getattr(row, field.attname), connection) for field in fields]
    with connection.cursor() as cursor:
        cursor.execute(statement, values)
        if not returning:
            return True
        answer = cursor.fetchone()
    if answer is None:
        return False
    row.pk = answer[0]
    row._state.adding = False
    return True


@cache
def _statement(
    model: type[models.Model], conflict: tuple[str, ...], vendor: str
) -> tuple[str, list[Any], bool]:
    key = model._meta.pk
    automatic = isinstance(key, models.AutoField)
    fields = [field for field in model._meta.concrete_fields if not (automatic and field is key)]
    quote = connection.ops.quote_name
    columns = ", ".join(quote(str(field.column)) for field in fields)
    marks = ", ".join(["%s"] * len(fields))
    statement = f"INSERT INTO {quote(model._meta.db_table)} ({columns}) VALUES ({marks})"  # noqa: S608
    if conflict:
        statement += f" ON CONFLICT ({', '.join(map(quote, conflict))}) DO NOTHING"
    if automatic or conflict:
        statement += f" RETURNING {quote(str(key.column))}"
    return statement, fields, automatic or bool(conflict)


def next_ids(model: type[models.Model], count: int) -> Iterator[int]:
    """Keys for rows to come, so that they may refer to each other; only in a transaction that writes."""
    table = model._meta.db_table
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            statement = "SELECT nextval(pg_get_serial_sequence(%s, 'id')) FROM generate_series(1, %s)"
            cursor.execute(statement, [table, count])
            return iter([row[0] for row in cursor.fetchall()])
        cursor.execute("SELECT seq FROM sqlite_sequence WHERE name = %s", [table])
        row = cursor.fetchone()
    last = row[0] if row is not None else 0
    return iter(range(last + 1, last + 1 + count))
