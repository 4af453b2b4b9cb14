"""Asking for sessions: the list, one of them, its turns, and what became of a section or a text in it."""

from dataclasses import asdict
from typing import Any

from django.http import HttpRequest, HttpResponse
from ninja import Query, Router, Schema

from inspector.api import answers, schemas
from inspector.api.keys import ApiRequest, person_of, via
from inspector.api.replies import json_reply
from inspector.store import queries
from inspector.store.deleting import delete_session
from inspector.store.models import Session, Turn
from inspector.store.queries import Filters
from inspector.store.queries.language import NAMES, asked

router = Router(tags=["Sessions"])


class Narrowing(Schema):
    """What a list of sessions, or a search, may be narrowed by: the terms of a query, each on its own."""

    agent: str = ""
    rule: str = ""
    """A finding's rule."""
    action: str = ""
    """Name of a called action."""
    model: str = ""
    session: str = ""
    """Id or key of the only session to look in."""
    has: str = ""
    """finding, error, warning, info, broken-prefix or failure."""
    tag: str = ""
    """name=value, or one of the two."""
    since: str = ""
    """A time, or a span before now such as 2h or 7d; a time without a zone is UTC."""
    until: str = ""

    def filters(self, line: str) -> Filters:
        """With the terms of a line, as the store asks it. Raises BadQuery."""
        return asked(line, [(name, str(getattr(self, name))) for name in NAMES])


class Sessions(Narrowing):
    """The list's own parameters."""

    q: str = ""
    cursor: str | None = None
    limit: int = 50


@router.get("/sessions", **schemas.GET_SESSIONS)
def get_sessions(request: ApiRequest, query: Query[Sessions]) -> HttpResponse:
    """Sessions, newest first; `next` is the cursor of the next page.

    `q` is the line that the page's own field takes: terms such as `agent:weather has:error since:2h`
    and free text, which finds words in turns or a part of a session's key. A term that can't be
    understood is explained with 400; text that looks like one can be put in double quotes.
    """
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


@router.delete("/sessions/{session_id}", **schemas.DELETE_SESSION)
def delete_one_session(request: ApiRequest, session_id: str) -> HttpResponse:
    """Delete a session with all its turns and links to them: for keys of owners. It can't be undone."""
    caller = request.auth
    session = queries.session_in(caller.project, session_id)
    return json_reply(asdict(delete_session(session, person_of(caller, "owner"), via(caller))))


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
