"""The Celery app, its hints, and the loop that needs neither."""

import threading
import time
from collections.abc import Iterator
from typing import Any

import pytest
from django.db import OperationalError, connection
from django.test import override_settings

from inspector.jobs import checks, hints, loop, reading, tasks, times, worker
from inspector.store.models import Turn
from tests.store import made

pytestmark = pytest.mark.django_db(transaction=True)


def test_tasks_are_named_and_included_by_hand() -> None:
    worker.app.loader.import_default_modules()
    ours = {name for name in worker.app.tasks if name.startswith("inspector.")}
    assert ours == {"inspector.read", "inspector.sweep", "inspector.retention", "inspector.expiry"}
    scheduled = {entry["task"] for entry in worker.CONFIG["beat_schedule"].values()}
    assert scheduled == ours - {"inspector.read"}


def test_only_json_travels_and_nothing_is_lost_or_kept() -> None:
    conf = worker.app.conf
    assert conf.accept_content == ["json"]
    assert conf.task_acks_late
    assert conf.task_ignore_result
    assert conf.worker_prefetch_multiplier == 1
    assert conf.task_time_limit < conf.broker_transport_options["visibility_timeout"]


def test_time_limits_lie_inside_each_other(monkeypatch: pytest.MonkeyPatch) -> None:
    assert checks.check_times() == []
    monkeypatch.setattr(times, "VISIBILITY", times.LEASE - 1)
    assert [message.id for message in checks.check_times()] == ["inspector.E010"]


def test_a_broker_that_does_not_answer_is_a_warning() -> None:
    with override_settings(BROKER_URL=""):
        assert checks.check_broker() == []
    with override_settings(BROKER_URL="redis://127.0.0.1:1/0"):
        assert [message.id for message in checks.check_broker()] == ["inspector.W010"]


def test_a_task_run_twice_and_at_once_gives_the_same_state() -> None:
    turns = made.run(made.project(), 6)
    ids = [turn.pk for turn in turns]

    def work() -> None:
        try:
            tasks.read(ids)
        finally:
            connection.close()

    threads = [threading.Thread(target=work) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    tasks.read(ids)
    tasks.sweep()
    assert set(Turn.objects.values_list("state", "due", "attempts")) == {("read", False, 0)}


class Broker:
    """Takes hints in the place of Celery."""

    def __init__(self, fails: bool = False) -> None:
        self.fails = fails
        self.published: list[int] = []
        self.calls = 0

    def publish(self, turn_ids: list[int]) -> None:
        self.calls += 1
        if self.fails:
            raise ConnectionError("refused")
        self.published += turn_ids


@pytest.fixture
def broker(monkeypatch: pytest.MonkeyPatch) -> Iterator[Broker]:
    taking = Broker()
    monkeypatch.setattr(worker, "publish", taking.publish)
    monkeypatch.setattr(hints, "_publisher", hints.Publisher())
    with override_settings(BROKER_URL="redis://127.0.0.1:1/0"):
        yield taking


def wait_for(condition: Any) -> None:
    deadline = time.monotonic() + 10
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.01)


def test_posts_are_hinted_once_they_are_committed(broker: Broker) -> None:
    where = made.project()
    ids = [made.turn(where).pk for _ in range(5)]
    wait_for(lambda: len(broker.published) == 5)
    assert broker.published == ids


def test_a_post_that_was_undone_is_not_hinted(broker: Broker, monkeypatch: pytest.MonkeyPatch) -> None:
    where = made.project()

    def failing() -> None:
        raise OperationalError("no")

    with monkeypatch.context() as patch:
        patch.setattr(connection, "_commit", failing)
        with pytest.raises(Exception, match="no"):
            made.post(where, id="undone")
    kept = made.turn(where, id="kept").pk
    wait_for(lambda: broker.published)
    assert broker.published == [kept]


def test_a_broker_that_is_down_costs_a_post_nothing(broker: Broker, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hints, "PAUSE", 0.2)
    broker.fails = True
    where = made.project()
    started = time.monotonic()
    for _ in range(20):
        made.turn(where)
    wait_for(lambda: broker.calls)
    assert time.monotonic() - started < 10
    assert broker.calls <= 5
    broker.fails = False
    time.sleep(0.3)
    late = made.turn(where).pk
    wait_for(lambda: late in broker.published)
    # What was dropped meanwhile is for the sweeper.
    assert reading.sweep() == 21


def test_hints_that_do_not_fit_are_dropped(monkeypatch: pytest.MonkeyPatch) -> None:
    publisher = hints.Publisher()
    monkeypatch.setattr(publisher, "run", lambda: None)
    publisher.add(range(hints.MAX_WAITING + 100))
    assert publisher.waiting.qsize() == hints.MAX_WAITING


def run_loop(until: Any) -> None:
    stopped = threading.Event()
    thread = threading.Thread(target=loop.run, args=[stopped])
    thread.start()
    try:
        wait_for(until)
    finally:
        stopped.set()
        thread.join(10)
    assert not thread.is_alive()


def test_the_loop_reads_what_is_due_until_it_is_told_to_stop() -> None:
    made.run(made.project(), 5)
    run_loop(lambda: not Turn.objects.filter(due=True).exists())
    assert set(Turn.objects.values_list("state", flat=True)) == {"read"}


def test_the_loop_outlives_a_database_in_trouble(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(loop, "TROUBLE_PAUSE", 0.01)
    original, calls = reading.read_due, iter([OperationalError("gone"), ValueError("odd")])

    def troubled() -> int:
        for trouble in calls:
            raise trouble
        return original()

    monkeypatch.setattr(reading, "read_due", troubled)
    made.turn(made.project())
    run_loop(lambda: not Turn.objects.filter(due=True).exists())


def test_duties_are_done_when_their_time_has_come() -> None:
    done: list[int] = []
    duty = loop.Duty(lambda: done.append(1), every=0.05)
    duty.do_if_due()
    assert not done
    duty.due = 0.0
    duty.do_if_due()
    duty.do_if_due()
    assert done == [1]
