"""Later parts of turns, as they were posted."""

from collections.abc import Iterable, Sequence
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


def additions_of(turns: Sequence[Turn]) -> dict[str, list[tuple[str, bytes]]]:
    """The later parts of turns of one project, by turn id, in order: which part, and its bytes as posted."""
    if not turns:
        return {}
    keys = [turn.key for turn in turns]
    rows = Addition.objects.filter(project_id=turns[0].project_id, turn_key__in=keys).order_by("id")
    found: dict[str, list[tuple[str, bytes]]] = {}
    for row in rows:
        found.setdefault(row.turn_key, []).append((row.part, zstd.decompress(bytes(row.record))))
    return found
