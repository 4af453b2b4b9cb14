"""A copy taken while turns come in holds every turn that was acknowledged before it."""

import sqlite3
import threading
from contextlib import closing
from pathlib import Path

import pytest
from django.db import connection, connections

from inspector.store.models import Turn
from tests.store import made

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.mark.skipif(connection.vendor != "sqlite", reason="pg_dump is PostgreSQL's own")
def test_a_copy_of_a_busy_database_is_whole(tmp_path: Path) -> None:
    where = made.project()
    before = {made.turn(where, session=f"s{number}").key for number in range(20)}
    stopped = threading.Event()

    def post() -> None:
        number = 0
        while not stopped.is_set():
            number += 1
            made.turn(where, session=f"later-{number}")
        connections.close_all()

    writer = threading.Thread(target=post)
    writer.start()
    try:
        target = tmp_path / "copy.sqlite3"
        with closing(sqlite3.connect(str(target))) as copy:
            connection.ensure_connection()
            assert connection.connection is not None
            connection.connection.backup(copy, pages=16)
    finally:
        stopped.set()
        writer.join()
    with closing(sqlite3.connect(str(target))) as copy:
        assert copy.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        keys = {row[0] for row in copy.execute("SELECT key FROM inspector_turn")}
        records = copy.execute("SELECT count(*) FROM inspector_record").fetchone()[0]
    assert before <= keys
    assert records == len(keys)
    assert Turn.objects.count() >= len(keys)
