"""Later parts: in any order, once, and never one response over another."""

import json
from typing import Any

import pytest

from inspector.ingest import intake
from inspector.ingest.errors import Invalid, ResponseConflict
from inspector.ingest.posted import Outcome
from inspector.jobs import reading
from inspector.store import readings
from inspector.store.models import Addition, Project, Turn
from inspector.turns.read import read_turn
from tests.store import made

pytestmark = pytest.mark.django_db


def add(where: Project, key: str, part: str, **payload: Any) -> Outcome:
    return intake.add(where, key, part, json.dumps(payload).encode(), payload)


def response_text(key: str) -> str:
    body = readings.turn_of(Turn.objects.get(key=key)).response
    assert body is not None
    return body.text


def test_a_response_may_come_after_its_turn() -> None:
    where = made.project()
    made.turn(where, id="a")
    assert reading.read_due() == 1
    assert readings.reading_of(Turn.objects.get()).response is None
    outcome = add(where, "a", "response", response="High at noon.", finish_reason="stop")
    assert outcome.status == 201
    assert outcome.place is not None
    assert Turn.objects.get().due
    assert reading.read_due() == 1
    response = readings.reading_of(Turn.objects.get()).response
    assert response is not None
    assert response.text == "High at noon."
    assert not Turn.objects.get().due


def test_a_response_may_come_before_its_turn() -> None:
    where = made.project()
    outcome = add(where, "a", "response", response="High at noon.")
    assert (outcome.status, outcome.place) == (201, None)
    made.turn(where, id="a")
    assert response_text("a") == "High at noon."


def test_the_same_part_again_is_200() -> None:
    where = made.project()
    made.turn(where, id="a")
    assert [add(where, "a", "response", response="x").status for _ in range(2)] == [201, 200]
    assert Addition.objects.count() == 1


def test_another_response_is_409_and_changes_nothing() -> None:
    where = made.project()
    made.turn(where, id="a")
    add(where, "a", "response", response="first")
    outcome = add(where, "a", "response", response="second")
    assert outcome.status == 409
    assert isinstance(outcome.error, ResponseConflict)
    assert response_text("a") == "first"


def test_a_response_other_than_the_one_in_the_turn_is_409() -> None:
    where = made.project()
    made.turn(where, id="a", response="in the turn")
    assert add(where, "a", "response", response="other").status == 409
    assert add(where, "a", "response", response="in the turn", usage={"output_tokens": 3}).status == 201
    usage = readings.turn_of(Turn.objects.get()).usage
    assert usage is not None
    assert usage.output_tokens == 3


def test_a_turn_whose_response_differs_from_the_one_posted_before_is_409() -> None:
    where = made.project()
    add(where, "a", "response", response="early")
    outcome = made.post(where, id="a", response="other")
    assert outcome.status == 409
    assert isinstance(outcome.error, ResponseConflict)
    assert not Turn.objects.exists()
    assert made.post(where, id="a", response="early").status == 201


def test_results_may_come_in_several_posts() -> None:
    where = made.project()
    made.turn(where, id="a")
    for number in range(2):
        assert add(where, "a", "results", results=[{"call": number, "value": number}]).status == 201
    assert len(readings.turn_of(Turn.objects.get()).results) == 2


def test_a_part_belongs_to_one_project() -> None:
    one, two = made.project("one"), made.project("two")
    made.turn(one, id="a")
    add(two, "a", "response", response="of two")
    assert readings.turn_of(Turn.objects.get()).response is None
    assert not Turn.objects.get().asked


@pytest.mark.parametrize(
    ("part", "payload"), [("response", {}), ("results", {}), ("results", {"results": 3})]
)
def test_a_part_that_breaks_the_rules_is_400(part: str, payload: dict[str, Any]) -> None:
    outcome = add(made.project(), "a", part, **payload)
    assert outcome.status == 400
    assert isinstance(outcome.error, Invalid)
    assert not Addition.objects.exists()


def test_a_late_response_has_the_turn_after_it_read_again() -> None:
    where = made.project()
    for key in ("a", "b", "c"):
        made.turn(where, id=key, session="s")
    assert reading.sweep() == 3
    add(where, "a", "response", response="late")
    assert reading.read_due() == 1
    # Its successor was compared with a turn without response; that one's successor was not.
    assert list(Turn.objects.filter(due=True).values_list("key", flat=True)) == ["b"]
    assert reading.sweep() == 1
    assert not Turn.objects.filter(due=True).exists()


def test_a_part_that_comes_while_its_turn_is_read_is_not_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    where = made.project()
    made.turn(where, id="a")
    original = read_turn

    def slow(*args: Any, **kwargs: Any) -> Any:
        found = original(*args, **kwargs)
        if not Addition.objects.exists():
            add(where, "a", "response", response="meanwhile")
        return found

    monkeypatch.setattr(reading, "read_turn", slow)
    assert reading.read_due() == 1
    assert Turn.objects.get().due
    assert reading.read_due() == 1
    response = readings.reading_of(Turn.objects.get()).response
    assert response is not None
    assert response.text == "meanwhile"
