"""Posting: one turn, many, later parts of one, and a reading without keeping anything."""

from collections.abc import Mapping
from typing import Any

from django.http import HttpRequest, HttpResponse
from ninja import Router

from inspector.api import answers, faults, schemas
from inspector.api.bodies import body_of
from inspector.api.keys import ApiRequest
from inspector.api.reading import delete_one_turn, get_turn
from inspector.api.replies import json_reply
from inspector.ingest import decoders, intake
from inspector.ingest.posted import Outcome
from inspector.store.kinds import reading_kinds
from inspector.store.models import Project
from inspector.turns.answer import turn_answer
from inspector.turns.errors import NotATurn
from inspector.turns.payload import check, parse
from inspector.turns.read import read_turn
from inspector.turns.results import posted, with_results
from inspector.turns.turn import ReadTurn
from inspector.turns.wires import read_payload

router = Router(tags=["Posting"])
PARTS = ("response", "results")


@router.post("/turns", **schemas.POST_TURN)
def post_turn(request: ApiRequest) -> HttpResponse:
    """Post one turn.

    201 only when it is safe on disk. The same id with the same body again: 200 and the same answer; with
    another body: 409, and nothing is changed.
    """
    project = request.auth.project
    outcome = intake.record(project, [decoders.turn(body_of(request))])[0]
    if outcome.error is not None:
        raise outcome.error
    return json_reply(_answer(request, project, outcome), outcome.status)


@router.post("/turns/batch", **schemas.POST_BATCH)
def post_batch(request: ApiRequest) -> HttpResponse:
    """Post many turns: NDJSON, one a line, or a JSON array.

    Answers in order; a turn that is refused never spoils the others.
    """
    project = request.auth.project
    turns = decoders.batch(body_of(request), request.headers.get("Content-Type", ""))
    outcomes = intake.record(project, turns)
    return json_reply({"results": [_item(request, project, outcome) for outcome in outcomes]})


@router.get("/turns/batch", auth=schemas.READ, include_in_schema=False)
def turn_named_batch(request: ApiRequest) -> HttpResponse:
    """A turn may have the id ``batch``."""
    return get_turn(request, "batch")


@router.delete("/turns/batch", auth=schemas.READ, include_in_schema=False)
def delete_turn_named_batch(request: ApiRequest) -> HttpResponse:
    """And may be deleted."""
    return delete_one_turn(request, "batch")


@router.post("/turns/{turn_id}/response", **schemas.POST_RESPONSE)
def post_response(request: ApiRequest, turn_id: str) -> HttpResponse:
    """Post the response of a turn, also before the turn itself.

    The same body again: 200. Another response than the one that is there: 409.
    """
    return _post_part(request, turn_id, "response")


@router.post("/turns/{turn_id}/results", **schemas.POST_RESULTS)
def post_results(request: ApiRequest, turn_id: str) -> HttpResponse:
    """Post what came of the calls in a turn's response, also before the turn itself."""
    return _post_part(request, turn_id, "results")


@router.post("/read", **schemas.POST_READ)
def read(request: ApiRequest) -> HttpResponse:
    """Read a turn without keeping it: the answer of `GET /turns/{id}`, nothing stored.

    `previous` may hold the turn before, for what changed since. Posted `results` are put into their calls,
    and the project's own section names count.
    """
    payload, kinds = parse(body_of(request)), reading_kinds(request.auth.project)
    previous = payload.pop("previous", None)
    earlier = () if previous is None else (_read(previous, "previous", kinds),)
    shown = _read(payload, "turn", kinds, earlier)
    return json_reply(
        turn_answer(shown.turn, shown.reading)
        | {"session_id": None, "seq": None, "state": "read", "received_at": None, "url": None}
    )


def _read(payload: Any, name: str, kinds: Mapping[str, str], earlier: tuple[ReadTurn, ...] = ()) -> ReadTurn:
    if not isinstance(payload, dict):
        raise NotATurn(f"{name} must be a turn (an object).", name)
    check(payload)
    turn = read_payload(payload)
    identity, seq = turn.id or name, len(earlier) + 1
    reading = read_turn(turn, earlier, kinds=kinds, id=identity, seq=seq)
    results = [(found.call_index, found.result) for found in posted(turn, reading.response)]
    return ReadTurn(identity, seq, turn, with_results(reading, results))


def _post_part(request: ApiRequest, turn_id: str, part: str) -> HttpResponse:
    data = body_of(request)
    payload = parse(data)
    check({"id": turn_id, "prompt": ""})
    project = request.auth.project
    outcome = intake.add(project, turn_id, part, data, payload)
    if outcome.error is not None:
        raise outcome.error
    if outcome.place is None:
        return json_reply({"id": turn_id, "state": "waiting for its turn"}, outcome.status)
    return json_reply(_answer(request, project, outcome), outcome.status)


def _answer(request: HttpRequest, project: Project, outcome: Outcome) -> dict[str, Any]:
    place = outcome.place
    assert place is not None
    return {
        "id": place.key,
        "session": place.session,
        "session_id": place.session_id,
        "seq": place.seq,
        "url": answers.turn_url(request, project, place.key),
        # The answer to a post is the same each time, however far the reading has come meanwhile.
        "state": "pending",
    }


def _item(request: HttpRequest, project: Project, outcome: Outcome) -> dict[str, Any]:
    if outcome.error is not None:
        status, error = faults.error_of(outcome.error)
        return {"status": status, "error": error}
    return {"status": outcome.status} | _answer(request, project, outcome)
