"""What a query matches, by each database's own means."""

from django.db import connection
from django.db.models import QuerySet
from django.db.models.expressions import RawSQL

from inspector.store.models import Words
from inspector.store.terms.query import Query

_SESSIONS = """
SELECT turn.session_id FROM inspector_words words JOIN inspector_turn turn ON turn.id = words.turn_id
WHERE words.{match}
"""
_SQLITE = "id IN (SELECT rowid FROM inspector_terms WHERE terms MATCH %s)"
_LATEST = """inspector_words.id IN (
    SELECT rowid FROM inspector_terms WHERE terms MATCH %s AND rowid < %s ORDER BY rowid DESC LIMIT %s
)"""
_POSTGRES = "id IN (SELECT inspector_matching(%s::tsquery))"
NO_END = 2**63 - 1
COMMON = 20
"""Matches among the last rows from which words are common: going back row by row soon has enough."""
NEAR = 500
"""How many of the last rows Postgres looks through before it asks the index, which brings all matches."""
_NEAR = """
SELECT id FROM (SELECT id, terms FROM inspector_words WHERE id < %s ORDER BY id DESC LIMIT %s) near
WHERE terms @@ %s::tsquery ORDER BY id DESC LIMIT %s
"""
_FAR = """
SELECT id FROM inspector_matching(%s::tsquery) found(id) WHERE id < %s ORDER BY id DESC LIMIT %s
"""


def matching(rows: QuerySet[Words], project_id: int, query: Query) -> QuerySet[Words]:
    """Those of the rows that have every term of the query, for rows that are narrowed and of which few are
    taken, latest first."""
    match, value = _match(project_id, query)
    if connection.vendor == "postgresql" and len(_near(value, NO_END, COMMON)) == COMMON:
        match = "terms @@ %s::tsquery"
    return rows.extra(where=[f"inspector_words.{match}"], params=[value])  # noqa: S610


def latest_matching(
    rows: QuerySet[Words], project_id: int, query: Query, below: int, count: int
) -> QuerySet[Words]:
    """The last ``count`` rows of the project under an id, for rows that nothing else narrows.

    Common words would else bring every row together first. SQLite's index walks backwards and stops there;
    Postgres' cannot, so the last rows are looked through, which is enough for such words.
    """
    if connection.vendor == "sqlite":
        return rows.extra(where=[_LATEST], params=[query.for_sqlite(project_id), below, count])  # noqa: S610
    asked = query.for_postgres(project_id)
    found = _near(asked, below, count)
    if len(found) < count:
        with connection.cursor() as cursor:
            cursor.execute(_FAR, [asked, below, count])
            found = [pk for (pk,) in cursor.fetchall()]
    return rows.filter(pk__in=found)


def _near(asked: str, below: int, count: int) -> list[int]:
    """Of the last rows under an id those that match, at most ``count``: as many if the words are common."""
    with connection.cursor() as cursor:
        cursor.execute(_NEAR, [below, NEAR, asked, count])
        return [pk for (pk,) in cursor.fetchall()]


def sessions_matching(project_id: int, query: Query) -> RawSQL:
    """Ids of the sessions of which a row has every term, as a subquery."""
    match, value = _match(project_id, query)
    return RawSQL(_SESSIONS.format(match=match), [value])  # noqa: S611


def _match(project_id: int, query: Query) -> tuple[str, str]:
    if connection.vendor == "postgresql":
        return _POSTGRES, query.for_postgres(project_id)
    return _SQLITE, query.for_sqlite(project_id)
