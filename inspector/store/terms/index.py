"""The search index: a full-text table in each database, with the new text itself beside it, compressed.

Rows hold at most MAX_WORDS words: far below Postgres' limits of 16,383 positions and 1 MB a vector, and
small enough to cut a snippet from. Its limit of 255 places a word is reached where a word comes every 30
characters; further ones are then found as words, but not in phrases.
"""

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence

from django.db import connection

from inspector.store import records, zstd
from inspector.store.inserts import insert
from inspector.store.models import Turn, Words
from inspector.store.terms.stretches import Stretch
from inspector.store.terms.words import VERSION, parts, words

MAX_WORDS = 4_000
MAX_ROWS = 500
"""Of one turn: 4 million characters; what is beyond is not indexed."""
GAP = 2
"""Words between stretches, so that no phrase reaches over."""


def put(turns: Iterable[tuple[Turn, bytes, Sequence[Stretch]]]) -> None:
    """Index turns by the text that is new in them, given their records; call inside a transaction."""
    terms: list[tuple[int, int, list[str]]] = []
    for turn, record, stretches in turns:
        for chunk, streams in _chunks(stretches):
            row = Words(turn=turn, project_id=turn.project_id, version=VERSION, data=packed(chunk, record))
            insert(row)
            terms.append((row.pk, turn.project_id, streams))
    _INDEXES[connection.vendor].put(terms)


def take_out(turn_ids: Iterable[int]) -> None:
    """Take turns out of the index; call inside a transaction."""
    ids = list(turn_ids)
    _INDEXES[connection.vendor].take_out(ids)
    Words.objects.filter(turn_id__in=ids).delete()


def clear_if_empty() -> None:
    """Emptying tables does not reach SQLite's index, and ids begin again: without rows, no terms."""
    if connection.vendor != "sqlite" or "inspector_terms" not in connection.introspection.table_names():
        return
    if not Words.objects.exists():
        with connection.cursor() as cursor:
            cursor.execute("INSERT INTO inspector_terms(inspector_terms) VALUES ('delete-all')")


def owner_term(project_id: int) -> str:
    """The word that every row of a project has and no text can contain."""
    return f"$p{project_id}"


def packed(stretches: Sequence[Stretch], record: bytes) -> bytes:
    """Stretches as a row keeps them: the record has nearly all of it, and so is the prefix."""
    rows = [[one.part, one.section, one.line, one.text] for one in stretches]
    # Escaped as the record is, so that zstd finds it there.
    text = json.dumps(rows, ensure_ascii=record.isascii(), separators=(",", ":"))
    return zstd.compress(text.encode("utf-8", "surrogatepass"), record)


def unpacked(data: bytes, record: bytes) -> list[Stretch]:
    """The stretches of a row, given its turn's record."""
    text = zstd.decompress(data, record).decode("utf-8", "surrogatepass")
    return [Stretch(*row) for row in json.loads(text)]


def terms_of(stretches: Sequence[Stretch]) -> list[str]:
    """The words of a row in order, parts of identifiers after them; an empty word is a gap."""
    found: list[str] = []
    named: list[str] = []
    for one in stretches:
        found.extend(words(one.text))
        found.extend([""] * GAP)
        named.extend(parts(one.text))
    return found + named


def _chunks(stretches: Sequence[Stretch]) -> Iterator[tuple[list[Stretch], list[str]]]:
    chunk: list[Stretch] = []
    size = rows = 0
    for one in _sliced(stretches):
        # A character gives at most one word and one part, so this bounds the words without making them twice.
        weight = len(one.text) // 2 + GAP
        if chunk and size + weight > MAX_WORDS:
            yield chunk, terms_of(chunk)
            chunk, size, rows = [], 0, rows + 1
            if rows == MAX_ROWS:
                return
        chunk.append(one)
        size += weight
    if chunk:
        yield chunk, terms_of(chunk)


def _sliced(stretches: Sequence[Stretch]) -> Iterator[Stretch]:
    """Long stretches in slices, cut at line ends or spaces where there are any."""
    limit = MAX_WORDS
    for one in stretches:
        text, line = one.text, one.line
        while len(text) > limit:
            cut = max(text.rfind("\n", limit // 2, limit), text.rfind(" ", limit // 2, limit)) + 1 or limit
            yield Stretch(one.part, one.section, line, text[:cut])
            line += text.count("\n", 0, cut)
            text = text[cut:]
        if text:
            yield Stretch(one.part, one.section, line, text)


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
            for turn, record in records.each(Turn.objects.filter(pk__in=list(rows)).order_by("pk"))
            for row in rows[turn.pk]
        ]
        if values:
            with connection.cursor() as cursor:
                cursor.executemany(statement, values)


def _line(project_id: int, terms: list[str]) -> str:
    # A gap is a word that nobody can ask for.
    return " ".join([owner_term(project_id), *(term or "$" for term in terms)])


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
