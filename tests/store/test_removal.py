"""Deleting: nothing of what goes is left, and nothing of what stays is lost."""

import itertools

import pytest
from django.apps import apps
from django.db import connection

from inspector.jobs import reading
from inspector.store import readings, recent, records, removal
from inspector.store.models import Base, Project, Session, Turn
from inspector.store.search import search
from tests.store import made

pytestmark = pytest.mark.django_db


def left() -> dict[str, int]:
    """Rows of every table that holds something of turns."""
    kept = {"Project", "Member", "Key", "Audit", "SignIn"}
    return {
        model.__name__: model._default_manager.count()
        for model in apps.get_app_config("inspector").get_models()
        if model.__name__ not in kept
    }


def found(where: Project, text: str) -> list[str]:
    return [hit.turn.key for hit in search(where, text).hits]


def test_a_dropped_session_leaves_nothing() -> None:
    where = made.project()
    made.run(where, 40, response="<response>Gannet</response>", agent="pilot")
    reading.sweep()
    assert found(where, "Gannet3")
    assert removal.drop_sessions(where, [Session.objects.get().pk]) == 1
    assert set(left().values()) == {0}
    assert found(where, "Gannet3") == []
    if connection.vendor == "sqlite":
        with connection.cursor() as cursor:
            cursor.execute("SELECT count(*) FROM inspector_terms WHERE terms MATCH 'gannet3'")
            assert cursor.fetchone() == (0,)


def test_sessions_that_share_a_base_with_a_dropped_one_stay_readable() -> None:
    where = made.project()
    for name in "abc":
        made.run(where, 3, session=name, agent="pilot")
    reading.sweep()
    sources = set(Base.objects.values_list("source__session__key", flat=True))
    assert sources == {"a"}
    before = {turn.key: readings.read_turn_of(turn) for turn in Turn.objects.exclude(session__key="a")}
    removal.drop_sessions(where, [Session.objects.get(key="a").pk])
    assert set(Base.objects.values_list("source__session__key", flat=True)) == {"b"}
    assert {turn.key: readings.read_turn_of(turn) for turn in Turn.objects.all()} == before
    for name in "bc":
        turns = list(Turn.objects.filter(session__key=name).order_by("seq"))
        bodies = [
            made.body(id=one.key, session=name, prompt=made.growing(place), agent="pilot")
            for place, one in enumerate(turns, 1)
        ]
        assert [records.record_of(turn) for turn in turns] == bodies


@pytest.mark.parametrize("place", [0, 1, 20, 31, 32, 39])
def test_the_turns_around_a_deleted_one_stay_readable(place: int) -> None:
    where = made.project()
    turns = made.run(where, 40, agent="pilot")
    reading.sweep()
    bodies = {turn.key: records.record_of(turn) for turn in turns}
    before = {turn.key: readings.reading_of(turn) for turn in turns}
    removal.drop_turn(turns[place])
    assert not Turn.objects.filter(pk=turns[place].pk).exists()
    for turn in Turn.objects.all():
        assert records.record_of(turn) == bodies[turn.key]
        assert readings.reading_of(turn) == before[turn.key]
    session = Session.objects.get()
    assert session.turn_count == 39
    assert session.tokens == sum(turn.prompt_tokens for turn in Turn.objects.all())
    # The session goes on, and no place is given out twice.
    last = made.turn(where, session="run", agent="pilot")
    assert last.seq == 41
    due = {turn.seq for turn in Turn.objects.filter(due=True)}
    assert due == {41} | ({place + 2} if place < 39 else set())
    assert reading.sweep() == len(due)
    turns = list(Turn.objects.order_by("seq"))
    for earlier, later in itertools.pairwise(turns):
        since = readings.reading_of(later).since_previous
        assert since is not None
        assert since.turn == earlier.key


def test_a_deleted_turn_is_found_no_more_and_no_base_tells_of_it() -> None:
    where = made.project()
    made.turn(where, id="a", session="s", prompt="the secret lighthouse")
    made.turn(where, id="b", session="s", prompt="the harbour")
    reading.sweep()
    assert found(where, "lighthouse") == ["a"]
    removal.drop_turn(Turn.objects.get(key="a"))
    assert found(where, "lighthouse") == []
    assert found(where, "harbour") == ["b"]
    assert not Base.objects.exclude(source__key="b").exists()


def test_a_damaged_turn_can_be_deleted_and_so_can_those_before_it() -> None:
    where = made.project()
    turns = made.run(where, 4)
    reading.sweep()
    row = turns[2].record
    row.data = b"rubbish"
    row.save()
    recent.decoded_records.clear()
    removal.drop_turn(turns[1])
    removal.drop_turn(turns[2])
    assert records.record_of(turns[0]) == made.bodies_of(turns)[0]
    removal.drop_sessions(where, [turns[0].session_id])
    assert set(left().values()) == {0}


def test_a_session_that_became_active_is_kept() -> None:
    where = made.project()
    session = made.turn(where, session="s").session_id
    assert removal.drop_sessions(where, [session], unless_active_since=Session.objects.get().first_at) == 0
    assert Turn.objects.exists()


def test_other_projects_sessions_are_not_touched() -> None:
    one, two = made.project("one"), made.project("two")
    session = made.turn(one, session="s").session_id
    assert removal.drop_sessions(two, [session]) == 0
    assert Turn.objects.exists()


def test_a_session_goes_with_its_last_turn() -> None:
    where = made.project()
    turn = made.turn(where, session="s", response="Aye.")
    reading.sweep()
    removal.drop_turn(turn)
    assert set(left().values()) == {0}


def test_a_session_tells_of_its_remaining_turns_only() -> None:
    where = made.project()
    call = '<response><action_call name="tide_table">{"port": 7}</action_call></response>'
    made.turn(where, id="a", session="s", agent="pilot", model="big", prompt=made.growing(1), response=call)
    made.turn(where, id="b", session="s", agent="cook", model="small", prompt="Boil it.")
    reading.sweep()
    session = Session.objects.get()
    assert (session.agent, session.actions) == ("pilot", ["tide_table"])
    removal.drop_turn(Turn.objects.get(key="a"))
    session.refresh_from_db()
    kept = Turn.objects.get()
    assert (session.agent, session.actions, session.model_names) == ("cook", [], ["small"])
    assert session.dialects == [kept.dialect]
    assert (session.first_at, session.last_at) == (kept.received_at, kept.received_at)


def test_words_that_a_deleted_turn_introduced_are_found_where_they_stand_next() -> None:
    where = made.project()
    made.turn(where, id="a", session="s", prompt="the lighthouse")
    made.turn(where, id="b", session="s", prompt="the lighthouse\nand the harbour")
    reading.sweep()
    assert found(where, "lighthouse") == ["a"]
    removal.drop_turn(Turn.objects.get(key="a"))
    reading.sweep()
    assert found(where, "lighthouse") == ["b"]


def test_a_worker_that_reads_a_session_meanwhile_loses_nothing_and_brings_nothing_back() -> None:
    where = made.project()
    made.run(where, 3)
    claims = reading._claim(64, None)
    removal.drop_turn(Turn.objects.get(key="run-2"))
    assert reading._read(claims) == 0
    assert set(Turn.objects.filter(due=True).values_list("key", "attempts")) == {("run-1", 0), ("run-3", 0)}
    assert reading.sweep() == 2
    assert set(Turn.objects.values_list("key", "state")) == {("run-1", "read"), ("run-3", "read")}


def test_sessions_are_deleted_a_few_at_a_time_by_their_turns(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(removal, "STEP", 4)
    where = made.project()
    for name, count in (("a", 3), ("b", 1), ("c", 9), ("d", 1)):
        made.run(where, count, session=name)
    taken = []
    while ids := removal.handful(Session.objects.of(where).order_by("pk")):
        taken.append([session.key for session in Session.objects.filter(pk__in=ids).order_by("pk")])
        removal.drop_sessions(where, ids)
    assert taken == [["a", "b"], ["c"], ["d"]]
