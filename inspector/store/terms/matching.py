"""What a query matches, by each database's own means."""

from typing import Any

from django.db import connection
from django.db.models import Max, QuerySet
from django.db.models.expressions import RawSQL

from inspector.store.models import Words
from inspector.store.terms.query import Query

NEAR = 2_000
"""How many of the last rows are looked for at first; FURTHER times as many at each further step."""
FURTHER = 8
_SESSIONS = {
    "sqlite": """
SELECT turn.session_id FROM inspector_words words JOIN inspector_turn turn ON turn.id = words.turn_id
WHERE words.id IN (SELECT rowid FROM inspector_terms WHERE terms MATCH %s)
""",
    "postgresql": "SELECT inspector_sessions_matching(%s::tsquery, %s::text[])",
}
_MATCH = {
    "sqlite": "id IN (SELECT rowid FROM inspector_terms WHERE terms MATCH %s AND rowid >= %s AND rowid < %s)",
    "postgresql": "id IN (SELECT inspector_matching(%s::tsquery, %s::text[], %s, %s))",
}


def latest_matching(
    rows: QuerySet[Words], project_id: int, query: Query, below: int, count: int
) -> list[Words]:
    """The last ``count`` of the rows under an id that have every term of the query, latest first.

    Common words match most rows, and no index is walked backwards through a filter: so the last rows are
    asked first, and more of them only while there are too few.
    """
    found: list[Words] = []
    high = min(below, (Words.objects.aggregate(last=Max("pk"))["last"] or 0) + 1)
    step = NEAR
    while len(found) < count and high > 0:
        low = max(0, high - step)
        match = f"inspector_words.{_MATCH[connection.vendor]}"
        matched = rows.extra(where=[match], params=[*_asked(project_id, query), low, high])  # noqa: S610
        found.extend(matched[: count - len(found)])
        high, step = low, step * FURTHER
    return found


def sessions_matching(project_id: int, query: Query) -> RawSQL:
    """Ids of the sessions of which a row has every term, as a subquery."""
    return RawSQL(_SESSIONS[connection.vendor], _asked(project_id, query))  # noqa: S611


def _asked(project_id: int, query: Query) -> list[Any]:
    """The query as the database takes it."""
    if connection.vendor == "postgresql":
        return [query.for_postgres(project_id), query.phrases()]
    return [query.for_sqlite(project_id)]
