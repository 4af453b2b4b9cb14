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
from inspector.store.inserts import Insert, next_ids
from inspector.store.models import Turn, Words
from inspector.store.terms.chunks import Chunk, terms_of, unpacked
from inspector.store.terms.words import VERSION, owner_term

log = logging.getLogger(__name__)


def put(turns: Iterable[tuple[Turn, Sequence[Chunk]]]) -> None:
    """Index turns by the chunks of what is new in them; call inside a transaction."""
    _INDEXES[connection.vendor].put([(turn, chunk) for turn, chunks in turns for chunk in chunks])


def take_out(turn_ids: Iterable[int]) -> None:
    """Take turns out of the index; call inside a transaction."""
    ids = list(turn_ids)
    _INDEXES[connection.vendor].take_out(ids)
    Words.objects.filter(turn_id__in=ids).delete()


_GIVEN = ("turn_id", "project_id", "version", "data")


class _Sqlite:
    """FTS5 without content: rows are taken out by saying what was put in."""

    insert = Insert(Words, ("id", *_GIVEN))

    @classmethod
    def put(cls, rows: list[tuple[Turn, Chunk]]) -> None:
        keyed = list(zip(next_ids(Words, len(rows)), rows, strict=True))
        cls.insert([(pk, turn.pk, turn.project_id, VERSION, chunk.data) for pk, (turn, chunk) in keyed])
        values = [(pk, _line(turn.project_id, chunk.terms, _GAP)) for pk, (turn, chunk) in keyed]
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
            [row.pk, _line(row.project_id, terms_of(unpacked(bytes(row.data), record)), _GAP)]
            for turn, record in _readable(Turn.objects.filter(pk__in=list(rows)).order_by("pk"))
            for row in rows[turn.pk]
        ]
        if values:
            with connection.cursor() as cursor:
                cursor.executemany(statement, values)


_GAP = "$"
"""A word that nobody can ask for."""


def _line(project_id: int, terms: list[str], gap: str = "") -> str:
    return " ".join([owner_term(project_id), *(term or gap for term in terms)])


def _readable(turns: Iterable[Turn]) -> Iterator[tuple[Turn, bytes]]:
    """Turns with their records. The words of a damaged one stay, and lead nowhere once its row is gone."""
    for turn in turns:
        try:
            yield turn, records.record_of(turn)
        except Damaged as error:
            log.warning("%s", error)


class _Postgres:
    """The words in a row of their own table, with a GIN index of the vectors that are made of them."""

    insert = Insert(Words, (*_GIVEN, "session_id", "line"))

    @classmethod
    def put(cls, rows: list[tuple[Turn, Chunk]]) -> None:
        cls.insert(
            [
                (
                    *(turn.pk, turn.project_id, VERSION, chunk.data, turn.session_id),
                    _line(turn.project_id, chunk.terms),
                )
                for turn, chunk in rows
            ]
        )

    @staticmethod
    def take_out(turn_ids: list[int]) -> None:
        """Nothing to do: the words are a column of the row."""


_INDEXES: dict[str, type[_Sqlite] | type[_Postgres]] = {"sqlite": _Sqlite, "postgresql": _Postgres}
