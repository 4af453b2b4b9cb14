"""``kill -9`` under load: whatever was acknowledged is there afterwards, with the same bytes.

A few rounds run with the suite; ``make kill`` runs fifty on each database.
"""

import hashlib
import os
import random
import time

import pytest

from tests.kill.load import Writers
from tests.operations.databases import database
from tests.processes import Running, installation

ROUNDS = int(os.environ.get("INSPECTOR_TEST_KILL_ROUNDS", "4"))
WAYS = ("granian", "manage.py worker", "all")
"""What is killed: the server, the reading worker, or everything at once."""

pytestmark = pytest.mark.xdist_group("processes")


def kill_and_wait(running: Running, way: str) -> None:
    """One blow, and back to an installation that answers."""
    if way == "all":
        running.kill_all()
        running.start()
    else:
        assert running.kill(way) > 0
        running.wait()


def lost(running: Running, acknowledged: dict[str, bytes]) -> list[str]:
    """Turns that were acknowledged and are not there, or not with the same bytes."""
    missing = []
    for key, digest in acknowledged.items():
        answer = running.ask("GET", f"/api/v1/turns/{key}/record")
        if answer.status != 200 or hashlib.sha256(answer.body).digest() != digest:
            missing.append(f"{key}: {answer.status}")
    return missing


def survive(running: Running, rounds: int) -> None:
    """Rounds of load and blows, then the count."""
    chance = random.Random()
    running.start()
    acknowledged: dict[str, bytes] = {}
    for number in range(rounds):
        writers = Writers(running.port, 4, f"round{number}")
        time.sleep(chance.uniform(0.3, 1.5))
        kill_and_wait(running, WAYS[number % len(WAYS)])
        time.sleep(0.3)
        acknowledged |= writers.stop()
    assert len(acknowledged) > 10 * rounds
    assert lost(running, acknowledged) == []
    running.wait_until_read(*acknowledged, seconds=60 + len(acknowledged) / 20)


def test_nothing_acknowledged_is_lost_on_sqlite() -> None:
    with installation() as running:
        survive(running, ROUNDS)


def test_nothing_acknowledged_is_lost_on_postgres(postgres_url: str) -> None:
    with database(postgres_url) as url, installation(INSPECTOR_DATABASE_URL=url) as running:
        survive(running, ROUNDS)


def test_the_count_notices_a_lost_and_a_changed_turn() -> None:
    with installation() as running:
        running.start()
        key = running.post({"prompt": "# Role\nYou count.\n"})["id"]

        assert (
            len(lost(running, {key: hashlib.sha256(b"other bytes").digest(), "never-posted": bytes(32)})) == 2
        )
