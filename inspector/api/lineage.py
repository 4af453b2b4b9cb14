"""Asking where text comes from: who brought each line, what a section was over time, where a text was."""

from dataclasses import asdict
from typing import Any

from django.http import HttpResponse
from ninja import Router

from inspector.api import schemas
from inspector.api.keys import ApiRequest
from inspector.api.reading import read_turn_or_refuse
from inspector.api.replies import json_reply
from inspector.store import queries, readings
from inspector.store.models import Session, Turn
from inspector.store.texts import Texts
from inspector.turns.lineage import MOST_TURNS, blame, history, presence
from inspector.turns.turn import ReadTurn
from inspector.turns.turn import Turn as Content

router = Router(tags=["Lineage"])


@router.get("/turns/{turn_id}/blame", **schemas.GET_BLAME)
def get_blame(request: ApiRequest, turn_id: str) -> HttpResponse:
    """For each line of the turn's prompt, the turn of the session that introduced it."""
    row = queries.turn_in(request.auth.project, turn_id)
    read_turn_or_refuse(row)
    rows = _read_rows(row.session).filter(seq__lte=row.seq)
    found = blame(Texts(list(rows.order_by("-seq")[:MOST_TURNS])[::-1]))
    return json_reply([asdict(lines) for lines in found])


@router.get("/sessions/{session_id}/history", **schemas.GET_HISTORY)
def get_history(request: ApiRequest, session_id: str, section: str) -> HttpResponse:
    """The versions of the section at a path, over the session."""
    session = queries.session_in(request.auth.project, session_id)
    turns = [ReadTurn(row.key, row.seq, Content(), reading) for row, reading in readings.outlines_of(session)]
    return json_reply([asdict(version) for version in history(turns, section)])


@router.get("/sessions/{session_id}/presence", **schemas.GET_PRESENCE)
def get_presence(request: ApiRequest, session_id: str, q: str) -> HttpResponse:
    """Turn by turn, whether the prompt held a text, letter for letter; when it entered and when it left.

    Of a long session the last 500 turns are looked at; `turns` says which.
    """
    session = queries.session_in(request.auth.project, session_id)
    rows = list(_read_rows(session).order_by("-seq")[:MOST_TURNS])[::-1]
    found = presence(Texts(rows), q) if rows else None
    empty: dict[str, Any] = {"turns": [], "entered": None, "left": None, "verdict": "never"}
    return json_reply(asdict(found) if found else empty)


def _read_rows(session: Session) -> Any:
    return queries.turns_of(session).filter(state=Turn.State.READ)
