"""Asking for one turn: its reading, its record, its text; for two: their changes. And deleting one."""

from dataclasses import asdict
from typing import Any, Literal

from django.http import HttpRequest, HttpResponse
from ninja import Router

from inspector.api import answers, schemas
from inspector.api.faults import Refusal
from inspector.api.keys import ApiRequest, person_of, via
from inspector.api.replies import json_reply
from inspector.store import queries, readings, records
from inspector.store.deleting import delete_turn
from inspector.store.errors import NotFound
from inspector.store.models import Project, Turn
from inspector.turns.answer import changes_answer, time_answer, turn_answer
from inspector.turns.changes import compare
from inspector.turns.errors import TurnError
from inspector.turns.turn import ReadTurn

router = Router(tags=["Reading"])
UNREAD = "This turn has no reading: it is {}."


@router.get("/turns/{turn_id}", **schemas.GET_TURN)
def get_turn(request: ApiRequest, turn_id: str) -> HttpResponse:
    """One turn with all that was read in it.

    While it is pending, or when it can't be read, the parts of the reading are null and `problem` says why.
    """
    project = request.auth.project
    row = queries.turn_in(project, turn_id)
    return json_reply(_turn(request, project, row))


@router.delete("/turns/{turn_id}", **schemas.DELETE_TURN)
def delete_one_turn(request: ApiRequest, turn_id: str) -> HttpResponse:
    """Delete a turn with its record, all that was read in it, and links to it: for keys of owners.

    It can't be undone. A session goes with its last turn. The turn after it in its session is read again,
    since it has another one before it.
    """
    caller = request.auth
    turn = queries.turn_in(caller.project, turn_id)
    return json_reply(asdict(delete_turn(turn, person_of(caller, "owner"), via(caller))))


@router.get("/turns/{turn_id}/record", **schemas.GET_RECORD)
def get_record(request: ApiRequest, turn_id: str) -> HttpResponse:
    """The record: byte for byte what was posted."""
    row = queries.turn_in(request.auth.project, turn_id)
    response = HttpResponse(records.record_of(row), content_type="application/json")
    response.headers["Content-Disposition"] = "attachment; filename=record.json"
    return response


@router.get("/turns/{turn_id}/text", **schemas.GET_TEXT)
def get_text(request: ApiRequest, turn_id: str, message: int = 0, section: str | None = None) -> HttpResponse:
    """The exact text of a message, or of one of the turn's sections by its path."""
    row = queries.turn_in(request.auth.project, turn_id)
    text = _section_text(row, section) if section is not None else _message_text(row, message)
    response = HttpResponse(text.encode("utf-8", "surrogatepass"), content_type="text/plain; charset=utf-8")
    response.headers["Content-Disposition"] = "attachment; filename=text.txt"
    return response


@router.get("/turns/{old}/changes/{new}", **schemas.GET_CHANGES)
def get_changes(
    request: ApiRequest, old: str, new: str, whitespace: Literal["show", "ignore"] = "show"
) -> HttpResponse:
    """What differs between the prompts of any two turns of the project."""
    project = request.auth.project
    before, after = (read_turn_or_refuse(queries.turn_in(project, key)) for key in (old, new))
    return json_reply(changes_answer(compare(before, after, ignore_whitespace=whitespace == "ignore")))


def _turn(request: HttpRequest, project: Project, row: Turn) -> dict[str, Any]:
    place = answers.place_of(request, project, row) | {
        "received_at": time_answer(row.received_at),
        "problem": row.problem or None,
    }
    try:
        shown = readings.read_turn_of(row)
    except (NotFound, TurnError):
        return _unread(request, project, row) | place
    return turn_answer(shown.turn, shown.reading) | place


def _unread(request: HttpRequest, project: Project, row: Turn) -> dict[str, Any]:
    summary = answers.turn_summary(request, project, row)
    known = {
        name: summary[name]
        for name in ("agent", "parent", "model", "provider", "started_at", "ended_at", "tags")
    }
    return known | dict.fromkeys(
        (
            "wire", "dialect", "latency_ms", "usage", "finish_reason", "error", "metadata",
            "prompt", "sections", "contract", "response", "findings", "since_previous",
        )
    )  # fmt: skip


def read_turn_or_refuse(row: Turn) -> ReadTurn:
    """The turn with its reading. Raises Refusal (409) while there is none."""
    try:
        return readings.read_turn_of(row)
    except (NotFound, TurnError):
        raise Refusal(409, "not_read", UNREAD.format(row.state), turn=row.key, state=row.state) from None


def _message_text(row: Turn, message: int) -> str:
    try:
        messages = readings.turn_of(row).messages
    except TurnError:
        raise Refusal(409, "not_read", UNREAD.format(row.state), turn=row.key, state=row.state) from None
    if not 0 <= message < len(messages):
        raise NotFound("No such message.")
    return messages[message].text


def _section_text(row: Turn, path: str) -> str:
    shown = read_turn_or_refuse(row)
    found = next((section for section in shown.reading.sections if section.path == path), None)
    if found is None:
        raise NotFound("No such section.")
    return shown.turn.messages[found.message].text[found.start : found.end]
