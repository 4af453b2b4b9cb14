"""Taking turns in: once, whole, in order, and told truly."""

import threading
from collections.abc import Callable
from typing import Any

import pytest
from django.db import DatabaseError, OperationalError, connection, transaction

from inspector.ingest import intake
from inspector.ingest.errors import Busy, Conflict, Invalid
from inspector.ingest.posted import Outcome, Posted, made_key
from inspector.store import records
from inspector.store.models import Base, Project, Record, Session, Turn
from tests.store import made

pytestmark = pytest.mark.django_db


def test_a_new_turn_is_201_with_its_place() -> None:
    where = made.project()
    first, second = (made.turn(where, session="s") for _ in range(2))
    assert (first.seq, second.seq) == (1, 2)
    assert first.session.short_id == second.session.short_id
    assert first.session.key == "s"
    row = Turn.objects.get(pk=second.pk)
    assert (row.state, row.due, row.size) == ("pending", True, len(made.body(session="s")))
    session = Session.objects.get()
    assert (session.turn_count, session.last_seq) == (2, 2)


def test_the_same_body_again_is_200_and_changes_nothing() -> None:
    where = made.project()
    first = made.post(where, id="a", session="s")
    again = made.post(where, id="a", session="s")
    assert (first.status, again.status) == (201, 200)
    assert first.place is not None
    assert again.place == first.place
    assert Session.objects.get().turn_count == 1


def test_another_body_is_409_and_changes_nothing() -> None:
    where = made.project()
    made.turn(where, id="a", session="s", prompt="first")
    outcome = made.post(where, id="a", session="s", prompt="second")
    assert outcome.status == 409
    assert isinstance(outcome.error, Conflict)
    assert outcome.error.code == "id_conflict"
    assert records.record_of(Turn.objects.get()) == made.body(id="a", session="s", prompt="first")
    assert Session.objects.get().turn_count == 1


def test_the_same_id_in_two_projects_is_two_turns() -> None:
    for slug in ("one", "two"):
        assert made.post(made.project(slug), id="a", session="s", prompt=slug).status == 201
    assert Turn.objects.count() == Session.objects.count() == 2


def test_a_turn_without_id_gets_one_that_may_be_posted() -> None:
    turn = made.turn(made.project())
    assert turn.key.startswith("t_")
    assert made.post(made.project(), id=turn.key).status == 201


def test_made_keys_sort_by_time_and_differ() -> None:
    keys = [made_key() for _ in range(200)]
    assert len(set(keys)) == 200
    assert [key[:10] for key in keys] == sorted(key[:10] for key in keys)


def test_a_turn_without_session_stands_alone() -> None:
    where = made.project()
    turn = made.turn(where, id="a")
    # Whoever posts a session of that name later does not join it.
    other = made.turn(where, id="b", session="a")
    assert turn.session_id != other.session_id
    assert Session.objects.get(pk=turn.session_id).key == "a"
    assert (turn.seq, other.seq) == (1, 1)


def test_a_batch_is_answered_in_order_and_a_bad_turn_spoils_no_other() -> None:
    where = made.project()
    made.turn(where, id="there", session="s")
    batch = [
        made.posted(made.body(id="one", session="s")),
        Posted(b"{}", {}),
        made.posted(made.body(id="there", session="s")),
        made.posted(made.body(id="there", session="t")),
        made.posted(made.body(id="one", session="s")),
        made.posted(made.body(id="one", session="u")),
        Posted(b"???", {}, Invalid("not JSON")),
        made.posted(made.body(id="two", session="s")),
    ]
    outcomes = intake.record(where, batch)
    assert [outcome.status for outcome in outcomes] == [201, 400, 200, 409, 200, 409, 400, 201]
    seqs = {turn.key: turn.seq for turn in Turn.objects.filter(session__key="s")}
    assert seqs == {"there": 1, "one": 2, "two": 3}
    assert not Session.objects.filter(key__in=["t", "u"]).exists()


def test_a_batch_of_one_session_is_a_chain() -> None:
    where = made.project()
    batch = [made.body(id=f"t{at}", session="s", prompt=made.growing(at)) for at in range(40)]
    outcomes = intake.record(where, [made.posted(data) for data in batch])
    turns = [made.row(outcome) for outcome in outcomes]
    assert [turn.seq for turn in turns] == list(range(1, 41))
    records.forget()
    assert [records.record_of(turn) for turn in turns] == batch
    assert Record.objects.filter(chain=31).count() == 1


def test_an_empty_batch_does_nothing() -> None:
    assert intake.record(made.project(), []) == []


@pytest.mark.parametrize(
    "fields", [{"id": "spaces are bad"}, {"id": ""}, {"prompt": 7}, {"session": "x" * 257}]
)
def test_a_payload_that_breaks_the_rules_is_400(fields: dict[str, Any]) -> None:
    outcome = made.post(made.project(), **fields)
    assert outcome.status == 400
    assert isinstance(outcome.error, Invalid)
    assert outcome.error.detail["field"] in fields
    assert not Turn.objects.exists()


def in_threads(count: int, work: Callable[[int], Outcome]) -> list[Outcome]:
    """What ``count`` threads make of ``work`` at once."""
    found: list[Outcome] = []
    start = threading.Barrier(count)

    def one(number: int) -> None:
        try:
            start.wait()
            found.append(work(number))
        finally:
            connection.close()

    threads = [threading.Thread(target=one, args=(number,)) for number in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == count
    return found


@pytest.mark.django_db(transaction=True)
def test_fifty_equal_posts_at_once_are_one_turn() -> None:
    where = made.project()
    outcomes = in_threads(50, lambda _: made.post(where, id="a", session="s"))
    assert sorted(outcome.status for outcome in outcomes) == [200] * 49 + [201]
    assert Turn.objects.get().seq == 1
    assert Session.objects.get().turn_count == 1


@pytest.mark.django_db(transaction=True)
def test_equal_ids_in_different_sessions_at_once_are_one_turn() -> None:
    where = made.project()
    outcomes = in_threads(16, lambda number: made.post(where, id="a", session=f"s{number}"))
    assert sorted(outcome.status for outcome in outcomes) == [201] + [409] * 15
    turn = Turn.objects.get()
    assert list(Session.objects.values_list("pk", "turn_count")) == [(turn.session_id, 1)]


@pytest.mark.django_db(transaction=True)
def test_parallel_posts_to_a_session_get_places_without_gaps_and_read_back() -> None:
    where = made.project()
    in_threads(24, lambda number: made.post(where, id=f"t{number}", session="s", prompt=made.growing(number)))
    turns = list(Turn.objects.order_by("seq"))
    assert [turn.seq for turn in turns] == list(range(1, 25))
    records.forget()
    for turn in turns:
        number = int(turn.key[1:])
        assert records.record_of(turn) == made.body(id=turn.key, session="s", prompt=made.growing(number))


@pytest.mark.django_db(transaction=True)
def test_a_base_that_another_process_deleted_is_forgotten() -> None:
    where = made.project()
    made.turn(where, id="a", agent="x")
    Record.objects.all().delete()
    Base.objects.all().delete()
    assert made.post(where, id="b", agent="x").status == 201
    assert records.record_of(Turn.objects.get(key="b")) == made.body(id="b", agent="x")


@pytest.mark.django_db(transaction=True)
def test_a_record_that_another_process_re_encoded_is_no_base() -> None:
    where = made.project()
    made.turn(where, id="a", session="s")
    Session.objects.update(revised=5)
    assert made.post(where, id="b", session="s").status == 201


class Failing:
    """Makes the n-th writing statement fail, whichever it is."""

    def __init__(self, at: int, error: type[Exception]) -> None:
        self.left, self.error, self.fired = at, error, False

    def __call__(self, execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        self.left -= 1
        if self.left == 0:
            self.fired = True
            raise self.error("injected")
        return execute(sql, params, many, context)


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("error", [DatabaseError, OperationalError])
def test_a_failure_at_any_statement_leaves_all_or_nothing(error: type[Exception]) -> None:
    where = made.project()
    made.turn(where, id="before", session="s")
    batch = [made.posted(made.body(id=f"t{at}", session=f"s{at % 2 or ''}")) for at in range(4)]
    for at in range(1, 60):
        failing = Failing(at, error)
        with connection.execute_wrapper(failing):
            try:
                intake.record(where, batch)
            except (DatabaseError, Busy):
                assert Turn.objects.count() == Record.objects.count() == 1
                assert list(Session.objects.values_list("turn_count", "last_seq")) == [(1, 1)]
        if not failing.fired:
            break
    assert not failing.fired
    assert at > 5
    assert Turn.objects.count() == Record.objects.count() == 5
    # The client tries again and finds what was stored.
    assert [outcome.status for outcome in intake.record(where, batch)] == [200] * 4


@pytest.mark.django_db(transaction=True)
def test_a_failed_commit_stores_nothing_and_remembers_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    where = made.project()
    made.turn(where, id="a", session="s")

    def failing_commit() -> None:
        raise OperationalError("disk is full")

    with monkeypatch.context() as patch:
        patch.setattr(connection, "_commit", failing_commit)
        with pytest.raises(Busy, match="disk is full"):
            made.post(where, id="b", session="s")
    assert made.post(where, id="b", session="s").status == 201
    assert Turn.objects.get(key="b").seq == 2
    records.forget()
    assert records.record_of(Turn.objects.get(key="b")) == made.body(id="b", session="s")


@pytest.mark.django_db(transaction=True)
def test_posting_inside_a_transaction_that_is_undone_leaves_no_memory() -> None:
    where = made.project()
    with transaction.atomic():
        made.turn(where, id="a", session="s")
        transaction.set_rollback(True)
    assert made.post(where, id="b", session="s").status == 201
    assert records.record_of(Turn.objects.get()) == made.body(id="b", session="s")


@pytest.mark.django_db(transaction=True)
def test_a_post_reads_once_and_writes_three_times(django_assert_num_queries: Any) -> None:
    where = Project.objects.get(pk=made.project().pk)
    made.turn(where, id="a", session="s")
    # What is there; then session, turn and record, between begin and commit.
    with django_assert_num_queries(6):
        assert made.post(where, id="b", session="s").status == 201
