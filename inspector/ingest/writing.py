"""Turns of one project into the tables, in one transaction: all or nothing.

Looking comes first and needs no lock: what is there already, and what to compress against. The
transaction then only writes, and finds out if the look was overtaken; then all is undone and looked at
again. So one write costs one read and three writes, however many turns it takes in, and fifty equal
posts at once give one turn.
"""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from django.db import IntegrityError, OperationalError, connection, transaction

from inspector.ingest.errors import Busy, Conflict, ResponseConflict
from inspector.ingest.posted import Outcome, Place, Posted
from inspector.jobs import hints
from inspector.store import records, sessions
from inspector.store.additions import responses_added
from inspector.store.bases import Batch, Owner
from inspector.store.inserts import Insert
from inspector.store.models import Turn
from inspector.store.models.fields import original, storable
from inspector.store.recent import Latest, latest_records
from inspector.store.records import Encoded
from inspector.store.sessions import Joined, Joining

TRIES = 5


@dataclass(slots=True)
class Item:
    """A posted turn on its way in."""

    posted: Posted
    key: str
    session: str
    alone: bool
    """It was posted without a session, so its session is its own and has its key."""
    agent: str
    parent: str
    model: str
    provider: str
    digest: bytes
    received_at: datetime
    outcome: Outcome | None = None
    encoded: Encoded | None = None
    after: "Item | None" = None
    """The item of the same write that its record is compressed against."""
    place: Place | None = None


@dataclass(slots=True)
class _Run:
    """Items of one session, in order."""

    key: str
    alone: bool
    items: list[Item]
    start: Latest | None = None
    """What the first one's record is compressed against."""


class _Overtaken(Exception):
    """Somebody else wrote what was looked at before."""


def write(project_id: int, items: Sequence[Item]) -> None:
    """Take the items in and set their outcomes; committed when it returns. Raises Busy."""
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


def _attempt(project_id: int, items: Sequence[Item]) -> None:
    fresh = _settle(project_id, items)
    if not fresh:
        return
    runs = _runs(fresh.values())
    batch = Batch()
    for run in runs:
        _encode(batch, project_id, run)
    runs.sort(key=_lock_order)
    with transaction.atomic():
        _write(batch, project_id, runs)
        hints.reading_due([item.place.turn_id for item in fresh.values() if item.place is not None])
    for item in items:
        first = fresh.get(item.key)
        if first is item:
            item.outcome = Outcome(201, item.place)
        elif first is not None and first.place is not None:
            item.outcome = _again(item, first.place, first.digest)


def _settle(project_id: int, items: Sequence[Item]) -> dict[str, Item]:
    """Answer what can be answered without writing; the items that are new, by key."""
    there, responses = _there(project_id, {item.key for item in items})
    fresh: dict[str, Item] = {}
    for item in items:
        key, response = item.key, item.posted.payload.get("response")
        if key in there:
            item.outcome = _again(item, *there[key])
        elif response is not None and key in responses and responses[key] != response:
            item.outcome = Outcome(409, error=ResponseConflict(_OTHER_RESPONSE.format(key)))
        else:
            fresh.setdefault(key, item)
    return fresh


_THERE = """
SELECT turn.id, turn.key, turn.seq, turn.digest, session.key, session.short_id
FROM inspector_turn turn JOIN inspector_session session ON session.id = turn.session_id
WHERE turn.project_id = %s AND turn.key IN ({marks})
UNION ALL
SELECT 0, turn_key, 0, digest, '', '' FROM inspector_addition
WHERE project_id = %s AND turn_key IN ({marks}) AND part = 'response'
"""


def _there(project_id: int, keys: set[str]) -> tuple[dict[str, tuple[Place, bytes]], dict[str, Any]]:
    """The turns of these ids that are there already with their digests, and the responses that were posted
    before their turns."""
    with connection.cursor() as cursor:
        marks = ", ".join(["%s"] * len(keys))
        cursor.execute(_THERE.format(marks=marks), [project_id, *keys, project_id, *keys])
        rows = cursor.fetchall()
    there = {
        key: (Place(pk, key, original(session), short_id, seq), bytes(digest))
        for pk, key, seq, digest, session, short_id in rows
        if pk
    }
    waiting = {key for pk, key, *_ in rows if not pk} - there.keys()
    return there, responses_added(project_id, waiting)


_OTHER_RESPONSE = "Turn {} has another response already, posted on its own. Nothing was changed."


def _again(item: Item, place: Place, digest: bytes) -> Outcome:
    if digest == item.digest:
        return Outcome(200, place)
    message = f"Turn {item.key} is there already with another body. Nothing was changed; use another id."
    return Outcome(409, place, Conflict(message))


def _runs(items: Sequence[Item] | Any) -> list[_Run]:
    groups: dict[tuple[str, bool], list[Item]] = defaultdict(list)
    for item in items:
        groups[item.session, item.alone].append(item)
    return [_Run(key, alone, members) for (key, alone), members in groups.items()]


def _lock_order(run: _Run) -> tuple[float, str]:
    """By id, as the reading worker locks sessions, so that neither waits for the other; new ones last."""
    return (float("inf") if run.start is None else run.start.session_id, run.key)


def _encode(batch: Batch, project_id: int, run: _Run) -> None:
    """Compress each item's record against the one before."""
    earlier = run.start = None if run.alone else records.latest(project_id, run.key)
    before: Item | None = None
    for item in run.items:
        data = item.posted.data
        item.encoded = records.encode(batch, records.owner_of(project_id, item.agent), data, earlier)
        item.after = before if item.encoded.earlier is not None else None
        earlier = Latest(0, "", 0, 0, item.encoded.chain, item.encoded.chain_bytes, data)
        before = item


def _write(batch: Batch, project_id: int, runs: list[_Run]) -> None:
    wanted = [_joining(run) for run in runs]
    joined = sessions.join(project_id, wanted, runs[0].items[0].received_at)
    for run in runs:
        session, start = joined[run.key, run.alone], run.start
        if start is not None and (start.session_id, start.short_id, start.revised) != (
            *(session.id, session.short_id, session.revised),
        ):
            latest_records.drop((project_id, run.key))
            raise _Overtaken
    _write_turns(project_id, runs, joined)
    records.keep(batch, [_kept(project_id, item) for run in runs for item in run.items])
    for run in runs:
        _remember(project_id, run, joined[run.key, run.alone])


def _joining(run: _Run) -> Joining:
    agent = next((item.agent for item in run.items if item.agent), "")
    return Joining(run.key, run.alone, agent, len(run.items))


_INSERT = Insert(
    Turn,
    (
        *("project_id", "session_id", "key", "seq", "agent", "parent_key", "model", "provider"),
        *("received_at", "digest", "size"),
    ),
    "ON CONFLICT (project_id, key) DO NOTHING RETURNING key, id",
)


def _write_turns(project_id: int, runs: list[_Run], joined: dict[tuple[str, bool], Joined]) -> None:
    """Insert the turns and set the items' places. Raises _Overtaken when one is there already."""
    places = {
        item.key: (item, joined[run.key, run.alone], joined[run.key, run.alone].last_seq - behind)
        for run in runs
        for behind, item in enumerate(reversed(run.items))
    }
    rows = [
        (
            *(project_id, session.id, item.key, seq, storable(item.agent), item.parent),
            *(storable(item.model), storable(item.provider)),
            *(connection.ops.adapt_datetimefield_value(item.received_at), item.digest),
            len(item.posted.data),
        )
        for item, session, seq in places.values()
    ]
    ids = dict(_INSERT(rows))
    if len(ids) < len(rows):
        raise _Overtaken
    for key, (item, session, seq) in places.items():
        item.place = Place(ids[key], key, item.session, session.short_id, seq)


def _kept(project_id: int, item: Item) -> tuple[int, Owner, Encoded]:
    assert item.place is not None
    assert item.encoded is not None
    encoded = item.encoded
    if item.after is not None and item.after.place is not None:
        encoded = replace(encoded, earlier=item.after.place.turn_id)
    return item.place.turn_id, records.owner_of(project_id, item.agent), encoded


def _remember(project_id: int, run: _Run, session: Joined) -> None:
    last = run.items[-1]
    if run.alone or last.encoded is None or last.place is None:
        return
    turn_id, chain, chain_bytes = last.place.turn_id, last.encoded.chain, last.encoded.chain_bytes
    entry = Latest(
        session.id, session.short_id, session.revised, turn_id, chain, chain_bytes, last.posted.data
    )
    records.remember(project_id, run.key, entry)
