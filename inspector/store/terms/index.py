"""The index itself: a full-text table in each database, with the new text beside it, compressed.

Rows hold at most MAX_WORDS words: far below Postgres' limits of 16,383 positions and 1 MB a vector, and
small enough to cut a snippet from. Its limit of 255 places a word is reached where a word comes every 30
characters; further ones are then found as words, but not in phrases.
"""

import logging
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence

from django.db import connection

from inspector.store import records
from inspector.store.errors import Damaged
from inspector.store.inserts import insert
from inspector.store.models import Turn, Words
from inspector.store.terms.chunks import Chunk, terms_of, unpacked
from inspector.store.terms.words import VERSION, owner_term

log = logging.getLogger(__name__)


def put(turns: Iterable[tuple[Turn, Sequence[Chunk]]]) -> None:
    """Index turns by the chunks of what is new in them; call inside a transaction."""
    terms: list[tuple[int, int, list[str]]] = []
    for turn, chunks in turns:
        for chunk in chunks:
            row = Words(turn=turn, project_id=turn.project_id, version=VERSION, data=chunk.data)
            insert(row)
            terms.append((row.pk, turn.project_id, chunk.terms))
    _INDEXES[connection.vendor].put(terms)


def take_out(turn_ids: Iterable[int]) -> None:
    """Take turns out of the index; call inside a transaction."""
    ids = list(turn_ids)
    _INDEXES[connection.vendor].take_out(ids)
    Words.objects.filter(turn_id__in=ids).delete()


class _Sqlite:
    """FTS5 without content: rows are taken out by saying what was put in."""

    @staticmethod
    def put(rows: list[tuple[int, int, list[str]]]) -> None:
        values: list[list[str | int]] = [[pk, _line(project_id, terms)] for pk, project_id, terms in rows]
        if values:
            with connection.cursor() as cursor:
                cursor.executemany("INSERT INTO inspector_terms(rowid, terms) VALUES (%s, %s)", values)

    @staticmethod
    def take_out(turn_ids: list[int]) -> None:
        rows: dict[int, list[Words]] = defaultdict(list)
        for row in Words.objects.filter(turn_id__in=turn_ids):
            rows[row.turn_id].append(row)
        statement = "INSERT INTO inspector_terms(inspector_terms, rowid, terms) VALUES ('delete', %s, %s)"
        values: list[list[str | int]] = [
            [row.pk, _line(row.project_id, terms_of(unpacked(bytes(row.data), record)))]
            for turn, record in _readable(Turn.objects.filter(pk__in=list(rows)).order_by("pk"))
            for row in rows[turn.pk]
        ]
        if values:
            with connection.cursor() as cursor:
                cursor.executemany(statement, values)


def _line(project_id: int, terms: list[str]) -> str:
    # A gap is a word that nobody can ask for.
    return " ".join([owner_term(project_id), *(term or "$" for term in terms)])


def _readable(turns: Iterable[Turn]) -> Iterator[tuple[Turn, bytes]]:
    """Turns with their records. The words of a damaged one stay, and lead nowhere once its row is gone."""
    for turn in turns:
        try:
            yield turn, records.record_of(turn)
        except Damaged as error:
            log.warning("%s", error)


class _Postgres:
    """A tsvector written by hand, with a GIN index; it goes with its row."""

    @staticmethod
    def put(rows: list[tuple[int, int, list[str]]]) -> None:
        values: list[list[str | int]] = [[_vector(project_id, terms), pk] for pk, project_id, terms in rows]
        if values:
            with connection.cursor() as cursor:
                cursor.executemany("UPDATE inspector_words SET terms = %s::tsvector WHERE id = %s", values)

    @staticmethod
    def take_out(turn_ids: list[int]) -> None:
        """Nothing to do: the vector is a column of the row."""


def _vector(project_id: int, terms: list[str]) -> str:
    places: dict[str, list[int]] = defaultdict(list)
    for place, term in enumerate(terms, 2):
        if term and len(places[term]) < 255:
            places[term].append(place)
    listed = " ".join(f"'{term}':{','.join(map(str, at))}" for term, at in places.items() if at)
    return f"'{owner_term(project_id)}':1 {listed}"


_INDEXES: dict[str, type[_Sqlite] | type[_Postgres]] = {"sqlite": _Sqlite, "postgresql": _Postgres}
