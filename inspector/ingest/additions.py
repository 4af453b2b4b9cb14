"""Later parts of a turn, its response or results of its calls; they may come before the turn itself."""

import hashlib
from collections.abc import Mapping
from typing import Any

from django.db import OperationalError, transaction
from django.db.models import F
from django.utils import timezone

from inspector.ingest.errors import Busy, Invalid, ResponseConflict
from inspector.ingest.posted import Outcome, place_of
from inspector.jobs import hints
from inspector.store import records, zstd
from inspector.store.additions import responses_added
from inspector.store.inserts import insert
from inspector.store.models import Addition, Project, Turn
from inspector.turns.errors import NotATurn
from inspector.turns.fields import check_addition
from inspector.turns.payload import parse


def add(project: Project, key: str, part: str, data: bytes, payload: Mapping[str, Any]) -> Outcome:
    """Take in a later part: ``response`` or ``results``. Committed when it returns. Raises Busy."""
    try:
        check_addition(part, dict(payload))
    except NotATurn as error:
        return Outcome(400, error=Invalid(str(error), field=error.field))
    try:
        with transaction.atomic():
            outcome = _add(project.pk, key, part, data, payload)
        # A turn that committed while this was written has seen neither the part nor the asking.
        _ask(project.pk, key, only_if_read=True)
    except OperationalError as error:
        raise Busy(f"The database can't take it now ({error}). Try again.") from error
    return outcome


def _add(project_id: int, key: str, part: str, data: bytes, payload: Mapping[str, Any]) -> Outcome:
    turn = (
        Turn.objects.filter(project_id=project_id, key=key)
        .select_for_update(of=("self",))
        .select_related("session")
        .first()
    )
    place = place_of(turn) if turn is not None else None
    digest = hashlib.sha256(data).digest()
    there = Addition.objects.filter(project_id=project_id, turn_key=key, part=part)
    if there.filter(digest=digest).exists():
        return Outcome(200, place)
    if part == Addition.Part.RESPONSE and _is_other_response(project_id, turn, key, payload):
        message = f"Turn {key} has another response already. Nothing was changed."
        return Outcome(409, place, ResponseConflict(message))
    row = Addition(
        project_id=project_id,
        turn_key=key,
        part=part,
        received_at=timezone.now(),
        digest=digest,
        size=len(data),
        record=zstd.compress(data),
    )
    if not insert(row, conflict=("project_id", "turn_key", "part", "digest")):
        return Outcome(200, place)
    _ask(project_id, key)
    if turn is not None:
        hints.reading_due([turn.pk])
    return Outcome(201, place)


def _is_other_response(project_id: int, turn: Turn | None, key: str, payload: Mapping[str, Any]) -> bool:
    response = payload.get("response")
    if response is None:
        return False
    known = responses_added(project_id, [key]).get(key)
    if known is None and turn is not None:
        known = parse(records.record_of(turn)).get("response")
    return known is not None and known != response


def _ask(project_id: int, key: str, *, only_if_read: bool = False) -> None:
    turns = Turn.objects.filter(project_id=project_id, key=key)
    if only_if_read:
        turns = turns.filter(due=False, asked=0)
    turns.update(due=True, again=False, asked=F("asked") + 1, attempts=0)
