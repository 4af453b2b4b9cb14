"""The only way in: posted turns and their later parts, in one transaction, all or nothing.

Looking comes first and needs no lock: what is there already, and what to compress against. The
transaction then only writes, and finds out if the look was overtaken; then all is undone and looked at
again. So a post costs one read and three writes, and fifty equal posts at once give one turn.
"""

import hashlib
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from django.db import IntegrityError, OperationalError, connection, transaction
from django.utils import timezone

from inspector.ingest.additions import add
from inspector.ingest.errors import Busy, Conflict, IngestError, Invalid, ResponseConflict
from inspector.ingest.posted import Outcome, Posted, made_key
from inspector.jobs import hints
from inspector.store import records, sessions
from inspector.store.additions import responses_added
from inspector.store.bases import Batch
from inspector.store.inserts import insert
from inspector.store.models import Project, Session, Turn
from inspector.store.recent import Latest, latest_records
from inspector.store.records import Encoded
from inspector.turns.errors import NotATurn
from inspector.turns.payload import check

__all__ = ["add", "record"]

TRIES = 5
MAX_NAME = 256


@dataclass(slots=True)
class _Item:
    """A posted turn on its way in."""

    place: int
    posted: Posted
    turn: Turn
    session_key: str | None
    after: "_Item | None" = None
    """The item of the same batch that its record is compressed against."""
    encoded: Encoded | None = None


class _Overtaken(Exception):
    """Somebody else wrote what was looked at before."""


def record(project: Project, records: Sequence[Posted]) -> list[Outcome]:
    """Take turns in, in order; a bad one does not spoil the others. Returns after the commit. Raises Busy."""
    now = timezone.now()
    outcomes: dict[int, Outcome] = {}
    items: list[_Item] = []
    for place, posted in enumerate(records):
        try:
            items.append(_item(project.pk, place, posted, now))
        except IngestError as error:
            outcomes[place] = Outcome(400, error=error)
    outcomes.update(_persist(project.pk, items))
    return [outcomes[place] for place in range(len(records))]


def _item(project_id: int, place: int, posted: Posted, now: datetime) -> _Item:
    """Check one posted turn and make its row. Raises Invalid."""
    if posted.error is not None:
        raise posted.error
    payload = posted.payload
    try:
        check(dict(payload))
    except NotATurn as error:
        raise Invalid(str(error), field=error.field) from error
    turn = Turn(
        project_id=project_id,
        key=payload.get("id") or made_key(),
        agent=_name(payload, "agent"),
        parent_key=payload.get("parent") or "",
        model=_name(payload, "model"),
        provider=_name(payload, "provider"),
        received_at=now,
        digest=hashlib.sha256(posted.data).digest(),
        size=len(posted.data),
    )
    return _Item(place, posted, turn, payload.get("session"))


def _name(payload: Mapping[str, Any], field: str) -> str:
    value = payload.get(field)
    return value[:MAX_NAME] if isinstance(value, str) else ""


def _persist(project_id: int, items: list[_Item]) -> dict[int, Outcome]:
    for _ in range(TRIES):
        try:
            return _attempt(project_id, items)
        except _Overtaken:
            continue
        except IntegrityError:
            # A remembered record or base is gone: deleted by another process.
            records.forget()
        except OperationalError as error:
            if not _is_deadlock(error):
                raise Busy(f"The database can't take it now ({error}). Try again.") from error
    raise Busy("Too many writers want the same turns or session. Try again.")


def _is_deadlock(error: OperationalError) -> bool:
    return getattr(error.__cause__, "sqlstate", None) in ("40P01", "40001")


def _attempt(project_id: int, items: list[_Item]) -> dict[int, Outcome]:
    outcomes, fresh = _settle(project_id, items) if items else ({}, [])
    if not fresh:
        return outcomes
    by_session = _by_session(fresh)
    batch = Batch()
    starts = {key: _encode(batch, project_id, key, members) for key, members in by_session.items()}
    with transaction.atomic():
        for key, members in by_session.items():
            _write(batch, project_id, key, members, starts[key])
        hints.reading_due([item.turn.pk for item in fresh])
    outcomes.update({item.place: Outcome(201, item.turn) for item in fresh})
    for item in items:
        if item.place not in outcomes:
            outcomes[item.place] = _again(
                item, next(one for one in fresh if one.turn.key == item.turn.key).turn
            )
    return outcomes


def _settle(project_id: int, items: list[_Item]) -> tuple[dict[int, Outcome], list[_Item]]:
    """What can be answered without writing, and the items that are new."""
    there, responses = _there(project_id, {item.turn.key for item in items})
    outcomes: dict[int, Outcome] = {}
    fresh: dict[str, _Item] = {}
    for item in items:
        key, response = item.turn.key, item.posted.payload.get("response")
        if key in there:
            outcomes[item.place] = _again(item, there[key])
        elif response is not None and key in responses and responses[key] != response:
            outcomes[item.place] = Outcome(409, error=ResponseConflict(_OTHER_RESPONSE.format(key)))
        else:
            fresh.setdefault(key, item)
    return outcomes, list(fresh.values())


def _there(project_id: int, keys: set[str]) -> tuple[dict[str, Turn], dict[str, Any]]:
    """The turns of these ids that are there already, and the responses that were posted before their turns.

    Most posts find neither, so that is asked plainly first: the ORM would take longer than all the rest.
    """
    marks = ", ".join(["%s"] * len(keys))
    statement = f"""
        SELECT id FROM inspector_turn WHERE project_id = %s AND key IN ({marks})
        UNION ALL
        SELECT 0 FROM inspector_addition WHERE project_id = %s AND turn_key IN ({marks}) AND part = 'response'
        """  # noqa: S608
    with connection.cursor() as cursor:
        cursor.execute(statement, [project_id, *keys, project_id, *keys])
        found = {row[0] for row in cursor.fetchall()}
    ids = found - {0}
    turns = Turn.objects.filter(pk__in=ids).select_related("session") if ids else ()
    there = {turn.key: turn for turn in turns}
    return there, responses_added(project_id, keys - there.keys()) if 0 in found else {}


_OTHER_RESPONSE = "Turn {} has another response already, posted on its own. Nothing was changed."


def _again(item: _Item, turn: Turn) -> Outcome:
    if bytes(turn.digest) == item.turn.digest:
        return Outcome(200, turn)
    message = f"Turn {turn.key} is there already with another body. Nothing was changed; use another id."
    return Outcome(409, turn, Conflict(message))


def _by_session(items: list[_Item]) -> dict[str, list[_Item]]:
    """Members of each session, in order; sorted by session, so that batches don't deadlock."""
    groups: dict[str, list[_Item]] = defaultdict(list)
    for item in items:
        # No session key is longer than 256 characters, so this one meets no other.
        groups[item.session_key if item.session_key is not None else f"{item.turn.key:>300}"].append(item)
    return dict(sorted(groups.items()))


def _encode(batch: Batch, project_id: int, key: str, members: list[_Item]) -> Latest | None:
    """Compress each member's record against the one before; the answer is what the first one rests on."""
    alone = members[0].session_key is None
    start = earlier = None if alone else records.latest(project_id, key)
    before: _Item | None = None
    for item in members:
        encoded = records.encode(batch, item.turn, item.posted.data, earlier)
        item.encoded = encoded
        item.after = before if encoded.earlier is not None else None
        earlier = Latest(0, "", 0, 0, encoded.chain, encoded.chain_bytes, item.posted.data)
        before = item
    return start


def _write(batch: Batch, project_id: int, key: str, members: list[_Item], start: Latest | None) -> None:
    session = _session(project_id, key, members)
    if start is not None and (start.session_id, start.short_id, start.revised) != (
        session.pk,
        session.short_id,
        session.revised,
    ):
        latest_records.drop((project_id, key))
        raise _Overtaken
    seq = session.last_seq - len(members)
    for item in members:
        seq += 1
        _write_turn(batch, item, session, seq)
    last = members[-1]
    if not session.alone and last.encoded is not None:
        entry = records.latest_of(
            session, last.turn, last.encoded.chain, last.encoded.chain_bytes, last.posted.data
        )
        records.remember(project_id, key, entry)


def _session(project_id: int, key: str, members: list[_Item]) -> Session:
    first, now = members[0].turn, members[0].turn.received_at
    if members[0].session_key is None:
        return sessions.start_alone(project_id, first.key, first.agent, now)
    agent = next((item.turn.agent for item in members if item.turn.agent), "")
    return sessions.join(project_id, key, agent, len(members), now)


def _write_turn(batch: Batch, item: _Item, session: Session, seq: int) -> None:
    turn, encoded = item.turn, item.encoded
    assert encoded is not None
    turn.session, turn.seq = session, seq
    if not insert(turn, conflict=("project_id", "key")):
        raise _Overtaken
    if item.after is not None:
        encoded = replace(encoded, earlier=item.after.turn.pk)
    records.keep(batch, turn, encoded)
