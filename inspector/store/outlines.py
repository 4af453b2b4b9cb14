"""Readings as compressed documents: each against the one before, keyframes against the agent's base."""

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from django.db import connection

from inspector.store import bases, zstd
from inspector.store.bases import Batch
from inspector.store.errors import Damaged
from inspector.store.inserts import Insert, next_ids
from inspector.store.models import Base, Outline, Turn
from inspector.turns.document import from_document, to_document
from inspector.turns.document_sections import read_sections
from inspector.turns.turn import Reading, Section

MAX_CHAIN = 32
_FIRST, _DECODER = '{"s":', json.JSONDecoder()
"""What a document begins with, and what reads no further than the value behind it."""


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


def sections_in(data: bytes) -> tuple[Section, ...]:
    """The sections of that reading alone: a third of the work."""
    text = data.decode("utf-8", "surrogatepass")
    if text.startswith(_FIRST):
        return read_sections(_DECODER.raw_decode(text, len(_FIRST))[0])
    return read_sections(json.loads(text)["s"])


class Keeper:
    """Stores outlines, all that are given to it at once; use inside a transaction."""

    def __init__(self, count: int) -> None:
        self.batch = Batch()
        self.ids = next_ids(Outline, count)
        self.rows: list[list[Any]] = []

    def keep(self, turn: Turn, data: bytes, prior: Prior | None) -> Prior:
        """A turn's outline, compressed against an earlier one."""
        pk, earlier, base, chain = next(self.ids), None, None, 0
        if prior is not None and prior.chain + 1 < MAX_CHAIN:
            earlier, chain = prior.id, prior.chain + 1
            compressed = zstd.compress(data, prior.data)
        else:
            owner = (turn.project_id, Base.Use.OUTLINE, turn.agent)
            compressed, fresh = self.batch.keyframe(owner, data)
            base = self.batch.settle(fresh, owner, turn.pk)
        self.rows.append([pk, turn.pk, earlier, base, chain, compressed])
        return Prior(pk, chain, data)

    def store(self) -> None:
        """All that were given so far."""
        _INSERT(self.rows)


_INSERT = Insert(Outline, ("id", "turn_id", "earlier_id", "base_id", "chain", "data"))


def retire(turn_ids: Iterable[int]) -> None:
    """The outlines that these turns have now are of the past; those that no other needs are deleted."""
    old = Outline.objects.filter(turn_id__in=list(turn_ids))
    old.filter(current=True).update(current=False)
    while Outline.objects.filter(turn_id__in=turn_ids, current=False, later=None).delete()[0]:
        pass


_CHAIN = """
WITH RECURSIVE links(id, earlier_id) AS (
    SELECT id, earlier_id FROM inspector_outline WHERE {where}
    UNION
    SELECT o.id, o.earlier_id FROM inspector_outline o JOIN links ON o.id = links.earlier_id
)
SELECT o.id, o.turn_id, o.current, o.chain, o.earlier_id, o.base_id, o.data
FROM links JOIN inspector_outline o ON o.id = links.id ORDER BY o.id
"""
STEP = 5_000
"""Ids in one query."""


def priors_of(turn_ids: Iterable[int]) -> dict[int, Prior]:
    """The current outlines of turns, decoded, by turn id. One query for thousands. Raises Damaged."""
    wanted = list(turn_ids)
    found: dict[int, Prior] = {}
    for start in range(0, len(wanted), STEP):
        step = wanted[start : start + STEP]
        asked = set(step)
        marks = ", ".join(["%s"] * len(step))
        for outline, data in _decoded(f"current AND turn_id IN ({marks})", step):
            if outline.current and outline.turn_id in asked:
                found[outline.turn_id] = Prior(outline.pk, outline.chain, data)
    return found


def text_of(outline: Outline) -> bytes:
    """What was compressed, of any outline, current or not. Raises Damaged."""
    return next(data for found, data in _decoded("id = %s", [outline.pk]) if found.pk == outline.pk)


def _decoded(where: str, values: list[int]) -> Iterator[tuple[Outline, bytes]]:
    """The outlines that match and those they rest on, earlier ones first."""
    texts: dict[int, bytes] = {}
    with connection.cursor() as cursor:
        cursor.execute(_CHAIN.format(where=where), values)
        rows = cursor.fetchall()
    for pk, turn_id, current, chain, earlier, base, data in rows:
        prefix = texts[earlier] if earlier is not None else bases.text_of(base) if base is not None else b""
        try:
            texts[pk] = zstd.decompress(bytes(data), prefix)
        except zstd.BrokenData as error:
            raise Damaged(f"The outline of turn {turn_id} can't be decompressed: {error}.") from error
        yield Outline(id=pk, turn_id=turn_id, current=bool(current), chain=chain), texts[pk]
