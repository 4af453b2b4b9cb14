"""Reading what is due: once, in order, whoever asks and however often."""

import threading
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.db import OperationalError, connection
from django.utils import timezone

from inspector.jobs import reading
from inspector.store import outlines, readings, records, saving
from inspector.store.models import Finding, Outline, ResultLink, SectionVersion, Session, Turn, Words
from inspector.store.queries.rereading import Which, ask_again
from inspector.turns.errors import Unreadable
from inspector.turns.read import read_turn
from inspector.turns.turn import Reference
from tests.store import made
from tests.turns.findings.looking import answered

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _nothing_remembered() -> Iterator[None]:
    reading.forget()
    yield
    reading.forget()


def read_all() -> int:
    total = 0
    while count := reading.read_due():
        total += count
    return total


def state() -> dict[str, Any]:
    """All that readings leave in the tables, without what depends on the order of inserts."""
    turns = list(Turn.objects.order_by("pk"))
    return {
        "turns": [
            (
                one.key,
                one.state,
                one.prompt_tokens,
                one.shared_tokens,
                one.errors,
                one.warnings,
                one.calls,
                one.due,
            )
            for one in turns
        ],
        "readings": [(one.key, readings.reading_of(one)) for one in turns if one.state == "read"],
        "sessions": list(
            Session.objects.order_by("pk").values_list("tokens", "errors", "actions", "leased_until")
        ),
        "findings": sorted(Finding.objects.values_list("turn__key", "rule", "severity", "count")),
        "links": sorted(ResultLink.objects.values_list("turn__key", "call", "shown_by__key")),
        "words": sorted(Words.objects.values_list("turn__key", flat=True)),
        "versions": sorted(SectionVersion.objects.values_list("kind", "digest", "count", "last_turn__key")),
        "outlines": sorted(Outline.objects.filter(current=True).values_list("turn__key", flat=True)),
    }


def test_a_turn_is_read_and_counted() -> None:
    turn = made.turn(
        made.project(), prompt=made.growing(5), response="All quiet.", model="m-1", tags={"a": "b"}
    )
    assert reading.read_due() == 1
    assert reading.read_due() == 0
    row = Turn.objects.get(pk=turn.pk)
    assert (row.state, row.due, row.model, row.tags) == ("read", False, "m-1", {"a": "b"})
    assert row.prompt_tokens > 50
    found = readings.reading_of(row)
    assert found == read_turn(readings.turn_of(row), id=row.key, seq=1)
    session = Session.objects.get()
    assert (session.tokens, session.model_names) == (row.prompt_tokens, ["m-1"])


def test_readings_are_against_the_turn_before() -> None:
    made.run(made.project(), 5)
    assert read_all() == 5
    since = [readings.reading_of(turn).since_previous for turn in Turn.objects.order_by("seq")]
    assert [one.turn if one else None for one in since] == [None, "run-1", "run-2", "run-3", "run-4"]


def test_a_forgetful_worker_reads_the_same_as_one_that_remembers() -> None:
    where = made.project()
    made.run(where, 12)
    assert read_all() == 12
    remembered = state()
    ask_again(Which(everything=True))
    while True:
        reading.forget()
        records.forget()
        if not reading.read_due(1):
            break
    assert state() == remembered


def test_agents_and_parents_of_a_session_have_threads_of_their_own() -> None:
    where = made.project()
    for at in range(3):
        made.turn(where, id=f"main-{at}", session="s", agent="main")
        made.turn(where, id=f"sub-{at}", session="s", agent="sub", parent="main-0")
        made.turn(where, id=f"other-{at}", session="s", agent="sub", parent="main-1")
    assert read_all() == 9
    for name in ("main", "sub", "other"):
        since = readings.reading_of(Turn.objects.get(key=f"{name}-2")).since_previous
        assert since is not None
        assert since.turn == f"{name}-1"


def test_a_reference_gets_its_value_when_the_result_arrives() -> None:
    calls = (
        '<action_call name="forecast">{"city": "Oslo"}</action_call>'
        '<action_call name="note">{"text": "a", "extra": "{{calls[0].low}}"}</action_call>'
    )
    result = (
        '<action_result callId="01a22c48-0001-7000-8000-000000000001" name="forecast" timestamp="1">'
        '{"low": 4}</action_result>'
    )
    project = made.project()
    first = made.turn(project, id="t1", session="s", **answered(calls))
    read_all()
    (before,) = referred(first)
    later = answered("")
    later["prompt"] = later["prompt"].replace("No recent action results.", result)
    made.turn(project, id="t2", session="s", **later)
    read_all()
    (after,) = referred(first)
    assert [(one.status, one.value) for one in (before, after)] == [("resolved", None), ("resolved", [4])]


def referred(turn: Turn) -> tuple[Reference, ...]:
    response = readings.reading_of(turn).response
    assert response is not None
    return response.references


def test_reading_twice_gives_the_same_state() -> None:
    where = made.project()
    made.run(where, 6, response="<response></response>")
    read_all()
    before = state()
    for _ in range(2):
        ask_again(Which(everything=True))
        assert read_all() == 6
        assert state() == before
    # No outline of the past is left.
    assert not Outline.objects.filter(current=False).exists()


def test_one_turn_read_again_leaves_the_ones_behind_it_readable() -> None:
    made.run(made.project(), 8)
    read_all()
    before = state()
    ask_again(Which(keys=("run-3",)))
    assert read_all() == 1
    assert state() == before
    assert Outline.objects.filter(current=False).count() == 1


@pytest.mark.django_db(transaction=True)
def test_two_workers_at_once_read_each_turn_once(monkeypatch: pytest.MonkeyPatch) -> None:
    where = made.project()
    for name in "abcdef":
        made.run(where, 6, session=name)
    read_all()
    expected = state()
    ask_again(Which(everything=True))
    counts: list[int] = []

    def work() -> None:
        try:
            counts.append(read_all())
        finally:
            connection.close()

    threads = [threading.Thread(target=work) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sum(counts) + read_all() == 36
    assert state() == expected


def test_a_live_lease_is_respected_and_an_expired_one_is_not() -> None:
    made.run(made.project(), 2)
    Session.objects.update(leased_until=timezone.now() + timedelta(seconds=60))
    assert reading.read_due() == 0
    Session.objects.update(leased_until=timezone.now() - timedelta(seconds=1))
    assert reading.read_due() == 2


def test_a_lease_that_was_taken_over_saves_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    made.turn(made.project())
    original = saving.save

    def late(*args: Any) -> set[int]:
        Session.objects.update(leased_until=timezone.now() + timedelta(seconds=500))
        return original(*args)

    monkeypatch.setattr(reading, "save", late)
    assert reading.read_due() == 0
    assert Turn.objects.get().state == "pending"
    assert not Outline.objects.exists()


def test_a_failed_save_gives_the_lease_and_the_attempt_back(monkeypatch: pytest.MonkeyPatch) -> None:
    made.run(made.project(), 3)

    def failing(*args: Any) -> set[int]:
        raise OperationalError("gone away")

    with monkeypatch.context() as patch:
        patch.setattr(reading, "save", failing)
        with pytest.raises(OperationalError):
            reading.read_due()
    assert set(Turn.objects.values_list("attempts", flat=True)) == {0}
    assert read_all() == 3


def test_a_turn_that_always_fails_is_given_up_and_holds_up_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    where = made.project()
    made.run(where, 4)
    tried: list[str] = []

    def failing(turn: Any, *args: Any, **kwargs: Any) -> Any:
        tried.append(kwargs["id"])
        if kwargs["id"] == "run-2":
            raise ValueError("stumbled")
        return read_turn(turn, *args, **kwargs)

    monkeypatch.setattr(reading, "read_turn", failing)
    read_all()
    states = dict(Turn.objects.values_list("key", "state"))
    assert states == {"run-1": "read", "run-2": "unreadable", "run-3": "read", "run-4": "read"}
    assert tried.count("run-2") == reading.MAX_ATTEMPTS
    poor = Turn.objects.get(key="run-2")
    assert "stumbled" in poor.problem
    assert records.record_of(poor) == made.body(id="run-2", session="run", prompt=made.growing(2))
    since = readings.reading_of(Turn.objects.get(key="run-3")).since_previous
    assert since is not None
    assert since.turn == "run-1"
    # After a fix it is read again, and the others were never lost.
    monkeypatch.setattr(reading, "read_turn", read_turn)
    assert ask_again(Which()) == 1
    assert read_all() == 1
    assert Turn.objects.get(key="run-2").state == "read"


def test_a_turn_that_kills_its_worker_is_tried_alone_and_given_up() -> None:
    where = made.project()
    made.run(where, 3)
    for _ in range(reading.MAX_ATTEMPTS):
        # A worker that dies after claiming leaves counted attempts and a lease.
        claimed = reading._claim(10, None)
        assert claimed
        Session.objects.update(leased_until=None)
    assert read_all() == 3
    states = dict(Turn.objects.values_list("key", "state"))
    assert states == {"run-1": "unreadable", "run-2": "read", "run-3": "read"}


def test_an_unreadable_turn_says_why_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    def failing(*args: Any, **kwargs: Any) -> Any:
        raise Unreadable("There is nothing to read.")

    monkeypatch.setattr(reading, "read_turn", failing)
    made.turn(made.project())
    assert reading.read_due() == 1
    row = Turn.objects.get()
    assert (row.state, row.problem, row.due) == ("unreadable", "There is nothing to read.", False)


def test_a_damaged_record_makes_only_its_own_turn_unreadable() -> None:
    where = made.project()
    alone = made.turn(where, id="alone")
    made.run(where, 2)
    alone.record.data = b"rubbish"
    alone.record.save()
    records.forget()
    read_all()
    assert dict(Turn.objects.values_list("key", "state")) == {
        "alone": "unreadable",
        "run-1": "read",
        "run-2": "read",
    }


def test_hints_of_turns_that_are_gone_or_read_do_nothing() -> None:
    turn = made.turn(made.project())
    assert reading.read([turn.pk, 10**9]) == 1
    assert reading.read([turn.pk, 10**9]) == 0
    assert reading.read([]) == 0


def test_only_the_sessions_of_a_hint_are_read() -> None:
    where = made.project()
    one, _ = (made.turn(where, id=key) for key in ("one", "two"))
    assert reading.read([one.pk]) == 1
    assert Turn.objects.get(key="two").state == "pending"


def test_versions_count_distinct_texts() -> None:
    where = made.project()
    made.run(where, 5)
    read_all()
    versions = {version.kind: version for version in SectionVersion.objects.all()}
    assert versions["instructions"].count == 5
    assert versions["instructions"].first_turn is not None
    assert versions["instructions"].last_turn is not None
    assert versions["instructions"].first_turn.key == "run-1"
    assert versions["instructions"].last_turn.key == "run-5"


def test_outlines_are_chained_and_small() -> None:
    made.run(made.project(), 40)
    read_all()
    sizes = [len(bytes(data)) for data in Outline.objects.values_list("data", flat=True)]
    assert sum(sizes) / len(sizes) < 300
    assert max(Outline.objects.values_list("chain", flat=True)) == outlines.MAX_CHAIN - 1
    session = Session.objects.get()
    found = readings.outlines_of(session)
    assert [row.seq for row, _ in found] == list(range(1, 41))
    assert all(reading == readings.reading_of(row) for row, reading in found)
