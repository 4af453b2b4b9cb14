"""Inserts in one statement each: a third of ``save()``'s time, and no race between look and leap."""

from collections.abc import Iterable, Sequence
from functools import cache
from typing import Any

from django.db import connection, models


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


def insert_many(rows: Iterable[models.Model]) -> None:
    """Insert rows of one table whose keys nobody asks for."""
    listed = list(rows)
    if not listed:
        return
    model = type(listed[0])
    fields = [field for field in model._meta.concrete_fields if not isinstance(field, models.AutoField)]
    quote = connection.ops.quote_name
    columns = ", ".join(quote(str(field.column)) for field in fields)
    marks = ", ".join(["%s"] * len(fields))
    statement = f"INSERT INTO {quote(model._meta.db_table)} ({columns}) VALUES ({marks})"  # noqa: S608
    values = [
        [field.get_db_prep_save(getattr(row, field.attname), connection) for field in fields]
        for row in listed
    ]
    with connection.cursor() as cursor:
        cursor.executemany(statement, values)
