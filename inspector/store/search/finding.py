"""From a question to the turns that introduced what it asks for."""

import logging
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from django.db.models import QuerySet

from inspector.store import records
from inspector.store.errors import BadQuery, Damaged
from inspector.store.models import Project, Turn, Words
from inspector.store.queries.cursors import pack, unpack
from inspector.store.queries.filters import Filters, sessions_matching
from inspector.store.search.snippets import Snippet, exact_in, words_in
from inspector.store.terms.chunks import unpacked
from inspector.store.terms.matching import latest_matching
from inspector.store.terms.query import MAX_LENGTH, parse
from inspector.store.terms.stretches import Stretch
from inspector.store.zstd import BrokenData

log = logging.getLogger(__name__)

Mode = Literal["words", "exact"]
MAX_LIMIT = 100
NO_CURSOR = 2**63 - 1
SECONDS = 1.0
"""How long a scan for an exact text may take; then it says how far it came."""
SCAN_STEP = 200


@dataclass(frozen=True, slots=True)
class Hit:
    """A turn that introduced what was asked for, and where."""

    turn: Turn
    """With its session."""
    part: Literal["prompt", "response"]
    section: str | None
    line: int
    snippet: str
    marks: tuple[tuple[int, int], ...]
    """What was asked for, as stretches of the snippet."""


@dataclass(frozen=True, slots=True)
class SearchPage:
    """Hits, latest turns first."""

    hits: tuple[Hit, ...]
    next: str | None
    searched: int | None = None
    """Of a scan: how many turns' texts were looked through on this page …"""
    total: int | None = None
    """… of how many that the filters leave from the cursor on. Less than all: the deadline came first."""


def search(
    project: Project,
    text: str,
    filters: Filters | None = None,
    limit: int = 20,
    cursor: str | None = None,
    mode: Mode = "words",
) -> SearchPage:
    """A page of hits. Raises BadQuery."""
    limit = max(1, min(limit, MAX_LIMIT))
    filters = filters or Filters()
    rows = _within(project, filters)
    below = NO_CURSOR
    if cursor:
        (below,) = unpack(cursor, int)
        rows = rows.filter(pk__lt=below)
    if mode == "exact":
        return _scan(rows, text, limit)
    query = parse(text)
    if filters != Filters() and not sessions_matching(project, filters).exists():
        return SearchPage((), None)
    found = latest_matching(rows.select_related("turn__session"), project.pk, query, below, limit + 1)
    hits = [_hit(row, words_in(query, stretches)) for row, stretches in _texts(found[:limit])]
    return SearchPage(tuple(hits), pack(found[limit - 1].pk) if len(found) > limit else None)


def _within(project: Project, filters: Filters) -> QuerySet[Words]:
    rows = Words.objects.filter(project=project).order_by("-pk")
    if filters != Filters():
        rows = rows.filter(turn__session__in=sessions_matching(project, filters))
    return rows


def _scan(rows: QuerySet[Words], text: str, limit: int) -> SearchPage:
    if not text or len(text) > MAX_LENGTH:
        raise BadQuery(f"Write the exact text to look for, of at most {MAX_LENGTH} characters.")
    ends = time.monotonic() + SECONDS
    total, searched = rows.count(), 0
    hits: list[Hit] = []
    last: int | None = None
    while searched < total and len(hits) < limit and time.monotonic() < ends:
        step = rows if last is None else rows.filter(pk__lt=last)
        batch = list(step.select_related("turn__session")[:SCAN_STEP])
        if not batch:
            break
        for row, stretches in _texts(batch):
            searched, last = searched + 1, row.pk
            snippet = exact_in(text, stretches)
            if snippet is not None:
                hits.append(_hit(row, snippet))
            if len(hits) >= limit or time.monotonic() >= ends:
                break
        else:
            # Rows that can't be read were passed over too.
            last = batch[-1].pk
    return SearchPage(
        tuple(hits), pack(last) if last is not None and searched < total else None, searched, total
    )


def _texts(rows: Sequence[Words]) -> Iterator[tuple[Words, list[Stretch]]]:
    """Rows with the text that they index; one of a damaged record finds nothing and spoils no other."""
    try:
        found = [record for _, record in records.each([row.turn for row in rows])]
    except Damaged:
        found = [_record_or_nothing(row) for row in rows]
    for row, record in zip(rows, found, strict=True):
        try:
            yield row, unpacked(bytes(row.data), record)
        except BrokenData:
            log.warning("The index row %d can't be read.", row.pk)


def _record_or_nothing(row: Words) -> bytes:
    try:
        return records.record_of(row.turn)
    except Damaged as error:
        log.warning("%s", error)
        return b""


def _hit(row: Words, snippet: Snippet) -> Hit:
    stretch: Stretch = snippet.stretch
    part: Literal["prompt", "response"] = "response" if stretch.part == "response" else "prompt"
    return Hit(row.turn, part, stretch.section, snippet.line, snippet.text, snippet.marks)
