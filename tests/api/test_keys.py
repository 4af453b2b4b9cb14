"""A key's life: used at once, noted by the minute, dead within a second of being revoked."""

import time

import pytest

from inspector.api import keys
from inspector.store import queries
from inspector.store.models import Key
from tests.api.conftest import Caller, Place

pytestmark = pytest.mark.django_db


def test_a_revoked_key_is_dead_within_a_second(ours: Place) -> None:
    token, key = queries.make_key(ours.project, "short-lived", may_read=True)
    caller = Caller(token)
    assert caller.get("/sessions").status_code == 200
    queries.revoke_key(key)
    assert keys.FRESH < 1
    time.sleep(keys.FRESH + 0.05)
    assert caller.get("/sessions").status_code == 401


def test_two_keys_may_be_good_at_once(ours: Place) -> None:
    old, key = queries.make_key(ours.project, "old", may_read=True)
    new, _ = queries.make_key(ours.project, "new", may_read=True)
    assert {Caller(token).get("/sessions").status_code for token in (old, new)} == {200}
    queries.revoke_key(key)
    time.sleep(keys.FRESH + 0.05)
    assert Caller(new).get("/sessions").status_code == 200


def test_the_store_is_asked_once_in_a_while_not_each_time(
    ours: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    token, key = queries.make_key(ours.project, "busy")
    asked: list[str] = []

    def counted(token: str) -> object:
        asked.append(token)
        return queries.keys.project_of_key(token)

    monkeypatch.setattr(queries, "project_of_key", counted)
    monkeypatch.setattr(keys, "FRESH", 60)
    for number in range(20):
        assert Caller(token).post("/turns", {"id": f"t{number}", "prompt": "Hi"}).status_code == 201
    assert len(asked) == 1
    assert Key.objects.get(pk=key.pk).last_used_at is not None


def test_no_more_keys_are_remembered_than_a_limit(ours: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(keys, "MOST_SEEN", 3)
    for number in range(10):
        token, _ = queries.make_key(ours.project, str(number), may_read=True)
        assert Caller(token).get("/sessions").status_code == 200
        assert len(keys._seen) <= 3
