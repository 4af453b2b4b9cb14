"""Turns join sessions here: one statement finds or makes the sessions and gives out places in them."""

import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db import connection

from inspector.store.inserts import Insert
from inspector.store.models import Session
from inspector.store.models.fields import original, storable

_LETTERS = "0123456789ABCDEFGHJKMNPQRSTVWXYZabcdefghjkmnpqrstvwxyz"
_LENGTH = 12
_IDS = len(_LETTERS) ** _LENGTH

_TAIL = """
ON CONFLICT (project_id, key) WHERE {joinable} DO UPDATE SET
    turn_count = inspector_session.turn_count + excluded.turn_count,
    last_seq = inspector_session.last_seq + excluded.last_seq,
    last_at = CASE WHEN excluded.last_at > inspector_session.last_at
              THEN excluded.last_at ELSE inspector_session.last_at END,
    agent = CASE WHEN inspector_session.agent = '' THEN excluded.agent ELSE inspector_session.agent END
RETURNING alone, key, id, short_id, last_seq, revised
"""
_JOINABLE = {"sqlite": "alone = 0", "postgresql": "NOT alone"}
"""The condition of the unique index, as Django wrote it: a session that stands alone meets no other."""
_GIVEN = (
    *("project_id", "key", "alone", "short_id", "agent"),
    *("turn_count", "last_seq", "first_at", "last_at"),
)
_JOIN = {
    vendor: Insert(Session, _GIVEN, _TAIL.format(joinable=joinable)) for vendor, joinable in _JOINABLE.items()
}


@dataclass(frozen=True, slots=True)
class Joining:
    """Turns that want places in a session."""

    key: str
    alone: bool
    """The session is one turn's own: made anew, and nothing joins it later."""
    agent: str
    count: int


@dataclass(frozen=True, slots=True)
class Joined:
    """A session with room made in it; the places end at ``last_seq``."""

    id: int
    short_id: str
    last_seq: int
    revised: int


def short_id() -> str:
    """A session's short id for paths: 12 characters, 69 random bits."""
    number, letters = secrets.randbelow(_IDS), ""
    for _ in range(_LENGTH):
        number, letter = divmod(number, len(_LETTERS))
        letters += _LETTERS[letter]
    return letters


def join(project_id: int, wanted: Sequence[Joining], now: datetime) -> dict[tuple[str, bool], Joined]:
    """Make room for more turns in sessions, by key and whether the session stands alone.

    Locks the sessions' rows, in this order, until the transaction ends.
    """
    at = connection.ops.adapt_datetimefield_value(now)
    rows = [
        (
            *(project_id, storable(one.key), one.alone, short_id(), storable(one.agent)),
            *(one.count, one.count, at, at),
        )
        for one in wanted
    ]
    return {
        (original(key), bool(alone)): Joined(*place) for alone, key, *place in _JOIN[connection.vendor](rows)
    }
