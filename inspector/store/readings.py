"""Turns and their readings, made again from what is stored."""

import json
from collections.abc import Iterable, Sequence

from inspector.store import additions, outlines, records, zstd
from inspector.store.errors import NotFound
from inspector.store.models import ResultLink, Session
from inspector.store.models import Turn as Row
from inspector.turns.document_response import result_of, result_row
from inspector.turns.payload import merge, parse
from inspector.turns.results import with_results
from inspector.turns.turn import Reading, ReadTurn, Result, Section, Turn
from inspector.turns.wires import read_payload


def turn_of(row: Row) -> Turn:
    """The turn as it travelled, later parts put in. Raises Damaged, Unreadable."""
    return turns_of([row])[row.pk]


def turns_of(rows: Sequence[Row]) -> dict[int, Turn]:
    """Several turns by row id, with one query for their later parts."""
    return {row.pk: made(data, parts) for row, data, parts in posted(rows)}


def posted(rows: Sequence[Row]) -> list[tuple[Row, bytes, list[tuple[str, bytes]]]]:
    """Each turn's record and later parts, as posted."""
    data = records.records_of(rows)
    parts = additions.additions_of(rows)
    return [(row, data[row.pk], parts.get(row.key, [])) for row in rows]


def made(data: bytes, parts: Sequence[tuple[str, bytes]]) -> Turn:
    """A turn from its record and later parts. Raises Unreadable."""
    payload = parse(data)
    if parts:
        return read_payload(merge(payload, [(part, parse(body)) for part, body in parts]))
    return read_payload(payload)


def reading_of(row: Row) -> Reading:
    """The reading, with the results of its calls. Raises NotFound while there is none, Damaged."""
    reading = readings_of([row])[0]
    if reading is None:
        raise NotFound(f"Turn {row.key} has no reading.")
    return reading


def read_turn_of(row: Row) -> ReadTurn:
    """The turn with its reading. Raises NotFound while there is none, Damaged, Unreadable."""
    return ReadTurn(row.key, row.seq, turn_of(row), reading_of(row))


def outlines_of(session: Session) -> list[tuple[Row, Reading]]:
    """The readings of a session's turns in order; no record is opened. Turns without one are left out."""
    rows = list(Row.objects.filter(session=session).order_by("seq"))
    return [
        (row, reading) for row, reading in zip(rows, readings_of(rows), strict=True) if reading is not None
    ]


def readings_of(rows: Sequence[Row]) -> list[Reading | None]:
    """The readings of turns, None where there is none. Two queries. Raises Damaged."""
    ids = [row.pk for row in rows]
    priors = outlines.priors_of(ids)
    results = results_of(ids)
    return [
        with_results(outlines.read(priors[pk].data), results.get(pk, [])) if pk in priors else None
        for pk in ids
    ]


def sections_of(rows: Sequence[Row]) -> list[tuple[Section, ...] | None]:
    """The sections of turns alone, None where there is no reading. One query. Raises Damaged."""
    priors = outlines.priors_of(row.pk for row in rows)
    return [outlines.sections_in(priors[row.pk].data) if row.pk in priors else None for row in rows]


def results_of(turn_ids: Iterable[int]) -> dict[int, list[tuple[int, Result]]]:
    """What came of the calls of turns, by turn id: index of the call, and the result."""
    found: dict[int, list[tuple[int, Result]]] = {}
    for link in ResultLink.objects.filter(turn_id__in=list(turn_ids)).order_by("pk"):
        row = json.loads(zstd.decompress(bytes(link.data)).decode("utf-8", "surrogatepass"))
        result = result_of(row)
        if result is not None:
            found.setdefault(link.turn_id, []).append((link.call, result))
    return found


def packed(result: Result) -> bytes:
    """A result as a ResultLink keeps it."""
    text = json.dumps(result_row(result), ensure_ascii=False, separators=(",", ":"))
    return zstd.compress(text.encode("utf-8", "surrogatepass"))
