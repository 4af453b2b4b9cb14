"""Pages of lists by cursor: a page costs the same however far down it is."""

from datetime import UTC, datetime

from django.db.models import Q

from inspector.store.errors import BadQuery
from inspector.store.models import Project, Session, Turn
from inspector.store.queries.cursors import Page, pack, unpack
from inspector.store.queries.filters import Filters, sessions_matching
from inspector.store.queries.turns import turns_of

MAX_LIMIT = 500


def sessions_page(
    project: Project, filters: Filters, cursor: str | None = None, limit: int = 50
) -> Page[Session]:
    """A page of sessions, latest turn first. Raises BadQuery."""
    limit = max(1, min(limit, MAX_LIMIT))
    sessions = sessions_matching(project, filters).newest()
    if cursor:
        stamp, pk = unpack(cursor, str, int)
        at = _moment(stamp)
        sessions = sessions.filter(Q(last_at__lt=at) | Q(last_at=at, pk__lt=pk))
    rows = list(sessions[: limit + 1])
    last = rows[limit - 1] if len(rows) > limit else None
    return Page(tuple(rows[:limit]), pack(last.last_at.isoformat(), last.pk) if last else None)


def turns_page(session: Session, cursor: str | None = None, limit: int = 100) -> Page[Turn]:
    """A page of a session's turns in order. Raises BadQuery."""
    limit = max(1, min(limit, MAX_LIMIT))
    turns = turns_of(session)
    if cursor:
        (seq,) = unpack(cursor, int)
        turns = turns.filter(seq__gt=seq)
    rows = list(turns[: limit + 1])
    return Page(tuple(rows[:limit]), pack(rows[limit - 1].seq) if len(rows) > limit else None)


def _moment(stamp: str) -> datetime:
    try:
        at = datetime.fromisoformat(stamp)
        if at.tzinfo is None:
            raise ValueError(stamp)
        # Beyond the first and the last day of the calendar there is no such time in UTC.
        return at.astimezone(UTC)
    except (ValueError, OverflowError):
        raise BadQuery("This cursor is not one of ours. Start again without it.") from None
