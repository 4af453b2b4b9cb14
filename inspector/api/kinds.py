"""The project's own section names, and reading earlier turns again with them."""

from dataclasses import replace
from typing import Any

from django.http import HttpResponse
from ninja import Router

from inspector.api import schemas
from inspector.api.bodies import body_of
from inspector.api.faults import Refusal
from inspector.api.keys import ApiRequest, Caller, person_of, via
from inspector.api.replies import json_reply
from inspector.store import kinds, queries
from inspector.store.models import Project
from inspector.store.queries.rereading import Which, ask_again, left_to_reread
from inspector.turns.payload import parse

router = Router(tags=["Section names"])


@router.get("/kinds", **schemas.GET_KINDS)
def get_kinds(request: ApiRequest) -> HttpResponse:
    """The project's table: which kind the sections of a name are of, or `none` for "not a section"."""
    return json_reply({"kinds": _fresh(request.auth).kinds})


@router.put("/kinds", **schemas.PUT_KINDS)
def put_kinds(request: ApiRequest) -> HttpResponse:
    """Replace the whole table: for keys of owners. Turns that are read from now on use it.

    `House rules` also means `<house-rules>` and `HOUSE RULES`. `POST /reread` applies it to earlier turns.
    """
    payload = parse(body_of(request))
    person = person_of(request.auth, "owner")
    _only(payload, "kinds")
    table = kinds.change(_fresh(request.auth), payload.get("kinds"), person, via(request.auth))
    return json_reply({"kinds": table})


@router.post("/reread", **schemas.POST_REREAD)
def post_reread(request: ApiRequest) -> HttpResponse:
    """Read turns again, after the table was changed or the server upgraded: new turns go first.

    A session's turns: for keys of members; all of the project: for keys of owners.
    """
    payload = parse(body_of(request))
    _only(payload, "session_id")
    caller, key = request.auth, payload.get("session_id")
    if key is not None and not isinstance(key, str):
        raise Refusal(400, "invalid_parameter", "session_id must be a string.")
    session = None if key is None else queries.session_in(caller.project, key)
    person_of(caller, "owner" if session is None else "member")
    which = Which(everything=True, project=caller.project.slug)
    marked = ask_again(which if session is None else replace(which, session=session.short_id))
    return json_reply({"marked": marked, "left": left_to_reread(caller.project, session)})


@router.get("/reread", **schemas.GET_REREAD)
def get_reread(request: ApiRequest, session_id: str | None = None) -> HttpResponse:
    """How many turns still wait to be read again."""
    project = request.auth.project
    session = None if session_id is None else queries.session_in(project, session_id)
    return json_reply({"left": left_to_reread(project, session)})


def _fresh(caller: Caller) -> Project:
    """The project as it is now: who a key stands for is remembered for a moment."""
    return Project.objects.get(pk=caller.project.pk)


def _only(payload: dict[str, Any], name: str) -> None:
    for given in payload:
        if given != name:
            raise Refusal(
                400, "unknown_field", f"Unknown field {given[:60]!r}: this takes {name}.", field=given
            )
