"""Alive and ready."""

from datetime import timedelta
from typing import Any

import pytest
from django.contrib.sessions.models import Session
from django.db import DatabaseError
from django.test import Client
from django.utils import timezone

from inspector.api import health
from inspector.store.models import Turn
from tests.api.conftest import Place


def test_alive_needs_no_database() -> None:
    assert Client().get("/health/live").json() == {"status": "live"}


@pytest.mark.django_db
def test_ready_when_the_store_answers_and_turns_are_read(ours: Place) -> None:
    ours.poster.post("/turns", {"prompt": "Hi"})
    answer = Client().get("/health/ready")
    assert answer.status_code == 200
    assert answer.json()["status"] == "ready"
    assert 0 <= answer.json()["oldest_pending_seconds"] < 60


@pytest.mark.django_db
def test_not_ready_while_turns_wait_for_a_worker_that_is_not_there(ours: Place) -> None:
    ours.poster.post("/turns", {"prompt": "Hi"})
    Turn.objects.update(received_at=timezone.now() - timedelta(minutes=3))
    answer = Client().get("/health/ready")
    assert answer.status_code == 503
    assert answer.json()["reasons"][0].startswith("pending")


@pytest.mark.django_db
@pytest.mark.parametrize("check", ["_writes", "_reads"])
def test_not_ready_when_the_store_fails(check: str, monkeypatch: Any) -> None:
    def failing() -> None:
        raise DatabaseError("S3CRET")

    failing.__name__ = check
    monkeypatch.setattr(health, check, failing)
    answer = Client().get("/health/ready")
    assert answer.status_code == 503
    assert answer.json()["reasons"] == [f"{check.strip('_')}: DatabaseError"]
    assert b"S3CRET" not in answer.content


@pytest.mark.django_db
def test_checking_again_and_again_leaves_one_row() -> None:
    for _ in range(3):
        assert Client().get("/health/ready").status_code == 200
    assert Session.objects.count() == 1


@pytest.mark.django_db
def test_the_row_signs_nobody_in(settings: Any) -> None:
    client = Client()
    client.get("/health/ready")
    client.cookies[settings.SESSION_COOKIE_NAME] = health.ROW
    assert client.get("/").status_code in (302, 404)
