"""What arrives, and what became of it."""

import secrets
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from inspector.ingest.errors import IngestError
from inspector.store.models import Turn

_ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"


@dataclass(frozen=True, slots=True)
class Posted:
    """One turn as it arrived: the bytes that are kept, and the same parsed."""

    data: bytes
    payload: Mapping[str, Any]
    error: IngestError | None = None
    """Why it can't be a turn, when decoding a batch already found out."""


@dataclass(frozen=True, slots=True)
class Place:
    """How a turn is found again."""

    turn_id: int
    key: str
    session: str
    """Key of the session; of a turn that stands alone, its own."""
    session_id: str
    """The session's short id."""
    seq: int


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of one posted thing: 201 stored, 200 was there already, 409 conflicts, 400 not a turn."""

    status: int
    place: Place | None = None
    """None when refused, and for a later part whose turn has not come yet."""
    error: IngestError | None = None


def place_of(turn: Turn) -> Place:
    """Where a turn is that has its session with it."""
    return Place(turn.pk, turn.key, turn.session.key, turn.session.short_id, turn.seq)


def made_key() -> str:
    """A turn id for agents that have none: ``t_`` and 26 characters, later ones sort after earlier ones."""
    number = (time.time_ns() // 1_000_000) << 80 | secrets.randbits(80)
    return "t_" + "".join(_ALPHABET[number >> shift & 31] for shift in range(125, -1, -5))
