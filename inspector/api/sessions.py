"""Asking for sessions: the list, one of them, its turns, and what became of a section or a text in it."""

from datetime import UTC, datetime
from typing import Any

from django.http import HttpRequest, HttpResponse
from ninja import Query, Router, Schema

from inspector.api import answers, schemas
from inspector.api.keys import ApiRequest
from inspector.api.replies import json_reply
from inspector.store import queries
from inspector.store.errors import BadQuery
from inspector.store.models import Session, Turn
from inspector.store.queries import Filters

router = Router(tags=["Sessions"])


class Narrowing(Schema):
    """What a list of sessions, or a search, may be narrowed by."""

    agent: str = ""
    rule: str = ""
    """A finding's rule."""
    action: str = ""
    """Name of a called action."""
    model: str = ""
    since: datetime | None = None
    until: datetime | None = None

    def filters(self, q: str = "", session: str = "") -> Filters:
        """The same as the store asks it. A time without a zone is UTC."""
        return Filters(
            q=q,
            agent=self.agent,
            rule=self.rule,
            action=self.action,
            model=self.model,
            since=_aware(self.since),
            until=_aware(self.until),
            session=session,
        )


class Sessions(Narrowing):
    """The list's own parameters."""

    q: str = ""
    cursor: str | None = None
    limit: int = 50


@router.get("/sessions", **schemas.GET_SESSIONS)
def get_sessions(request: ApiRequest, query: Query[Sessions]) -> HttpResponse:
    """Sessions, newest first. `q` finds a part of a session's key; `next` is the cursor of the next page."""
    project = request.auth.project
    page = queries.sessions_page(project, query.filters(query.q), query.cursor, query.limit)
    rows = [answers.session_summary(request, project, session) for session in page.items]
    return json_reply({"sessions": rows, "next": page.next})


@router.get("/sessions/{session_id}", **schemas.GET_SESSION)
def get_session(request: ApiRequest, session_id: str) -> HttpResponse:
    """One session."""
    project = request.auth.project
    session = queries.session_in(project, session_id)
    return json_reply(answers.session_summary(request, project, session))


@router.get("/sessions/{session_id}/turns", **schemas.GET_SESSION_TURNS)
def get_session_turns(
    request: ApiRequest, session_id: str, cursor: str | None = None, limit: int = 100
) -> HttpResponse:
    """A session's turns as summaries, in order."""
    project = request.auth.project
    session = queries.session_in(project, session_id)
    page = queries.turns_page(session, cursor, limit)
    return json_reply({"turns": [_summary(request, session, turn) for turn in page.items], "next": page.next})


def _summary(request: HttpRequest, session: Session, turn: Turn) -> dict[str, Any]:
    turn.session = session
    return answers.turn_summary(request, session.project, turn)


def _aware(time: datetime | None) -> datetime | None:
    if time is None or time.tzinfo is None:
        return time and time.replace(tzinfo=UTC)
    try:
        return time.astimezone(UTC)
    except OverflowError:
        raise BadQuery("This time lies outside the calendar.") from None
