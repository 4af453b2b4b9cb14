"""Readings as compressed documents: each against the one before, keyframes against the agent's base."""

import json
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from django.db import connection

from inspector.store import zstd
from inspector.store.bases import Batch
from inspector.store.errors import Damaged
from inspector.store.inserts import insert
from inspector.store.models import Base, Outline, Turn
from inspector.turns.document import from_document, to_document
from inspector.turns.turn import Reading

MAX_CHAIN = 32


@dataclass(frozen=True, slots=True)
class Prior:
    """A stored outline, decoded: what the next one may be compressed against."""

    id: int
    chain: int
    data: bytes


def written(reading: Reading) -> bytes:
    """A reading as the bytes that are compressed."""
    text = json.dumps(to_document(reading), ensure_ascii=False, separators=(",", ":"))
    return text.encode("utf-8", "surrogatepass")


def read(data: bytes) -> Reading:
    """The reading that ``written`` wrote."""
    document: dict[str, Any] = json.loads(data.decode("utf-8", "surrogatepass"))
    return from_document(document)


def keep(batch: Batch, turn: Turn, data: bytes, prior: Prior | None) -> Prior:
    """Store a turn's outline and let go of the one before it; call inside a transaction."""
    if prior is not None and prior.chain + 1 < MAX_CHAIN:
        row = Outline(
            turn=turn, earlier_id=prior.id, chain=prior.chain + 1, data=zstd.compress(data, prior.data)
        )
    else:
        owner = (turn.project_id, Base.Use.OUTLINE, turn.agent)
        compressed, base = batch.keyframe(owner, data)
        row = Outline(turn=turn, base_id=batch.settle(base, owner, turn), data=compressed)
    insert(row)
    return Prior(row.pk, row.chain, data)


def retire(turn_ids: Iterable[int]) -> None:
    """The outlines that these turns have now are of the past; those that no other needs are deleted."""
    old = Outline.objects.filter(turn_id__in=list(turn_ids))
    old.filter(current=True).update(current=False)
    while Outline.objects.filter(turn_id__in=turn_ids, current=False, later=None).delete()[0]:
        pass


_CHAIN = """
WITH RECURSIVE links(id, turn_id, current, chain, earlier_id, base_id, data) AS (
    SELECT id, turn_id, current, chain, earlier_id, base_id, data FROM inspector_outline
    WHERE turn_id IN ({marks}) AND current
    UNION
    SELECT o.id, o.turn_id, o.current, o.chain, o.earlier_id, o.base_id, o.data
    FROM inspector_outline o JOIN links ON o.id = links.earlier_id
)
SELECT links.id, links.turn_id, links.current, links.chain, links.earlier_id, links.data, base.data
FROM links LEFT JOIN inspector_base base ON base.id = links.base_id
ORDER BY links.chain
"""


def priors_of(turn_ids: Iterable[int]) -> dict[int, Prior]:
    """The current outlines of turns, decoded, by turn id. One query. Raises Damaged."""
    wanted = list(turn_ids)
    if not wanted:
        return {}
    with connection.cursor() as cursor:
        cursor.execute(_CHAIN.format(marks=", ".join(["%s"] * len(wanted))), wanted)
        rows = cursor.fetchall()
    found: dict[int, Prior] = {}
    texts: dict[int | None, bytes] = {}
    asked = set(wanted)
    for pk, turn_id, current, chain, earlier, data, base in rows:
        prefix = texts.get(earlier, b"")
        try:
            if base is not None:
                prefix = zstd.decompress(bytes(base))
            texts[pk] = zstd.decompress(bytes(data), prefix)
        except zstd.BrokenData as error:
            raise Damaged(f"The outline of turn {turn_id} can't be decompressed: {error}.") from error
        if current and turn_id in asked:
            found[turn_id] = Prior(pk, chain, texts[pk])
    return found
