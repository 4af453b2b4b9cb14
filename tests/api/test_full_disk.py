"""A disk that is full: an honest refusal, nothing half kept, and no restart once there is room."""

import pytest
from django.db import connection

from inspector.store.models import Record, Session, Turn
from tests.api.conftest import Place, place, read_all

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.skipif(
        connection.vendor != "sqlite", reason="SQLite alone can be told that its disk is full"
    ),
]


def pragma(text: str) -> int:
    with connection.cursor() as cursor:
        cursor.execute(f"PRAGMA {text}")
        return int(cursor.fetchone()[0])


@pytest.fixture
def here(transactional_db: None) -> Place:
    return place("here")


def test_a_full_disk_refuses_whole_turns_and_recovers(here: Place) -> None:
    assert here.poster.post("/turns", {"id": "t1", "session": "s", "prompt": "Hi"}).status_code == 201
    most = pragma("max_page_count")
    pragma(f"max_page_count = {pragma('page_count')}")
    try:
        statuses = []
        for number in range(40):
            body = {"id": f"big{number}", "session": "s", "prompt": f"{number} " * 20_000}
            answer = here.poster.post("/turns", body)
            statuses.append(answer.status_code)
            if answer.status_code != 201:
                assert answer.json()["error"]["code"] == "busy"
                assert answer.headers["Retry-After"]
        assert set(statuses) <= {201, 503}
        assert statuses[-1] == 503
    finally:
        pragma(f"max_page_count = {most}")
    kept = 1 + statuses.count(201)
    assert Turn.objects.count() == Record.objects.count() == Session.objects.get().turn_count == kept
    assert (
        here.poster.post("/turns", {"id": "big39", "session": "s", "prompt": "39 " * 20_000}).status_code
        == 201
    )
    read_all()
    assert set(Turn.objects.values_list("state", flat=True)) == {"read"}
