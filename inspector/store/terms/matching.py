"""What a query matches, by each database's own means."""

from django.db import connection
from django.db.models import QuerySet
from django.db.models.expressions import RawSQL

from inspector.store.models import Words
from inspector.store.terms.query import Query

_SESSIONS = """
SELECT turn.session_id FROM inspector_words words JOIN inspector_turn turn ON turn.id = words.turn_id
WHERE {match}
"""
_SQLITE = "{table}.id IN (SELECT rowid FROM inspector_terms WHERE terms MATCH %s)"
_LATEST = """inspector_words.id IN (
    SELECT rowid FROM inspector_terms WHERE terms MATCH %s AND rowid < %s ORDER BY rowid DESC LIMIT %s
)"""
_POSTGRES = "{table}.terms @@ %s::tsquery"


def matching(rows: QuerySet[Words], project_id: int, query: Query) -> QuerySet[Words]:
    """Those of the rows that have every term of the query."""
    match, value = _match("inspector_words", project_id, query)
    return rows.extra(where=[match], params=[value])  # noqa: S610


def latest_matching(
    rows: QuerySet[Words], project_id: int, query: Query, below: int, count: int
) -> QuerySet[Words]:
    """The last ``count`` rows of the project under an id, for rows that nothing else narrows.

    SQLite's index walks backwards and stops there; common words would else bring every row together first.
    """
    if connection.vendor != "sqlite":
        return matching(rows, project_id, query)
    return rows.extra(where=[_LATEST], params=[query.for_sqlite(project_id), below, count])  # noqa: S610


def sessions_matching(project_id: int, query: Query) -> RawSQL:
    """Ids of the sessions of which a row has every term, as a subquery."""
    match, value = _match("words", project_id, query)
    return RawSQL(_SESSIONS.format(match=match), [value])  # noqa: S611


def _match(table: str, project_id: int, query: Query) -> tuple[str, str]:
    if connection.vendor == "postgresql":
        return _POSTGRES.format(table=table), query.for_postgres(project_id)
    return _SQLITE.format(table=table), query.for_sqlite(project_id)
