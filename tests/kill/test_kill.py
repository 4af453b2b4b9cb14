"""``kill -9`` under load: whatever was acknowledged is there afterwards, with the same bytes.

A few rounds run with the suite; ``make kill`` runs fifty on each database.
"""

import hashlib
import os
import random
import time
from collections.abc import Callable, Sequence
from functools import partial

import pytest

from tests import services
from tests.kill.load import Writers
from tests.processes import Running, installation

ROUNDS = int(os.environ.get("INSPECTOR_TEST_KILL_ROUNDS", "4"))
OURS = ("granian", "manage.py worker", "all")
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


def survive(running: Running, rounds: int, blows: Sequence[Callable[[], None]]) -> None:
    """Rounds of load and blows, then the count."""
    chance = random.Random()
    running.start()
    acknowledged: dict[str, bytes] = {}
    for number in range(rounds):
        writers = Writers(running.port, 4, f"round{number}")
        time.sleep(chance.uniform(0.3, 1.5))
        blows[number % len(blows)]()
        time.sleep(0.3)
        acknowledged |= writers.stop()
    assert len(acknowledged) > 10 * rounds
    assert lost(running, acknowledged) == []
    running.wait_until_read(*acknowledged, seconds=60 + len(acknowledged) / 20)


def blows_to(running: Running) -> list[Callable[[], None]]:
    """All the ways to kill what is ours."""
    return [partial(kill_and_wait, running, way) for way in OURS]


def test_nothing_acknowledged_is_lost_on_sqlite() -> None:
    with installation() as running:
        survive(running, ROUNDS, blows_to(running))


def test_nothing_acknowledged_is_lost_on_postgres_even_if_it_is_killed_itself() -> None:
    with services.postgres_server() as server, installation(INSPECTOR_DATABASE_URL=server.url) as running:

        def kill_postgres() -> None:
            server.kill()
            server.start()
            running.wait()

        survive(running, ROUNDS, [kill_postgres, *blows_to(running)])


def test_the_count_notices_a_lost_and_a_changed_turn() -> None:
    with installation() as running:
        running.start()
        key = running.post({"prompt": "# Role\nYou count.\n"})["id"]

        assert (
            len(lost(running, {key: hashlib.sha256(b"other bytes").digest(), "never-posted": bytes(32)})) == 2
        )
