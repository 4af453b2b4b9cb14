"""Later parts of turns, as they were posted."""

from collections.abc import Iterable
from typing import Any

from inspector.store import zstd
from inspector.store.models import Addition, Turn
from inspector.turns.payload import parse


def responses_added(project_id: int, keys: Iterable[str]) -> dict[str, Any]:
    """The responses that were posted on their own, by turn id."""
    wanted = list(keys)
    if not wanted:
        return {}
    rows = Addition.objects.filter(project_id=project_id, turn_key__in=wanted, part=Addition.Part.RESPONSE)
    found: dict[str, Any] = {}
    for row in rows.order_by("id"):
        response = parse(zstd.decompress(bytes(row.record))).get("response")
        if response is not None:
            found.setdefault(row.turn_key, response)
    return found


def additions_of(turn: Turn) -> list[tuple[str, bytes]]:
    """The later parts of a turn in order of arrival: which part, and its bytes as posted."""
    rows = Addition.objects.filter(project_id=turn.project_id, turn_key=turn.key).order_by("id")
    return [(row.part, zstd.decompress(bytes(row.record))) for row in rows]
