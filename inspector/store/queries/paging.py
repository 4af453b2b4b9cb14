"""Pages of lists by cursor: a page costs the same however far down it is."""

from datetime import UTC, datetime

from django.db.models import Q, QuerySet

from inspector.store.errors import BadQuery
from inspector.store.models import Project, SectionVersion, Session, Share, Turn
from inspector.store.queries.cursors import Page, pack, unpack
from inspector.store.queries.filters import Filters, sessions_matching
from inspector.store.queries.turns import turns_of, versions_of

MAX_LIMIT = 500


def sessions_page(
    project: Project, filters: Filters, cursor: str | None = None, limit: int = 50
) -> Page[Session]:
    """A page of sessions, latest turn first. Raises BadQuery."""
    return _latest(sessions_matching(project, filters).newest(), cursor, limit)


def versions_page(
    project: Project, kind: str | None = None, cursor: str | None = None, limit: int = 100
) -> Page[SectionVersion]:
    """A page of the distinct instructions, actions and format texts, last seen first. Raises BadQuery."""
    return _latest(versions_of(project, kind), cursor, limit)


def shares_page(
    project: Project, session: Session | None = None, cursor: str | None = None, limit: int = 100
) -> Page[Share]:
    """A page of the links of a project, or of one of its sessions, last made first. Raises BadQuery."""
    limit = max(1, min(limit, MAX_LIMIT))
    shares = Share.objects.filter(project=project).select_related("session", "turn", "old_turn", "created_by")
    if session is not None:
        shares = shares.filter(session=session)
    if cursor:
        (pk,) = unpack(cursor, int)
        shares = shares.filter(pk__lt=pk)
    rows = list(shares.order_by("-pk")[: limit + 1])
    return Page(tuple(rows[:limit]), pack(rows[limit - 1].pk) if len(rows) > limit else None)


def _latest[T: (Session, SectionVersion)](rows: QuerySet[T], cursor: str | None, limit: int) -> Page[T]:
    """Of rows in the order of their ``last_at``, the latest first."""
    limit = max(1, min(limit, MAX_LIMIT))
    if cursor:
        stamp, pk = unpack(cursor, str, int)
        at = _moment(stamp)
        rows = rows.filter(Q(last_at__lt=at) | Q(last_at=at, pk__lt=pk))
    found = list(rows[: limit + 1])
    last = found[limit - 1] if len(found) > limit else None
    return Page(tuple(found[:limit]), pack(last.last_at.isoformat(), last.pk) if last else None)


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
