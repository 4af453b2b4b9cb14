"""What sessions can be narrowed by: every choice says how many sessions it would leave."""

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from inspector.jobs import reading
from inspector.store.models import Project
from inspector.store.queries import Filters, facets_of, sessions_page
from tests.store import made

pytestmark = pytest.mark.django_db
CALL = '<response><action_call name="tide_table">{"port": 7}</action_call></response>'


@pytest.fixture
def desk() -> Project:
    """Three sessions: two of a pilot, one of them with a mate in it, and one that failed."""
    where = made.project()
    for session in ("one", "two"):
        made.turn(where, session=session, agent="pilot", model="big", prompt=made.growing(2), response=CALL)
    made.turn(where, session="two", agent="mate", prompt="# Task\nBoil the lobster.")
    made.turn(where, session="three", agent="cook", model="small", prompt="boil the lobster", error="full")
    reading.sweep()
    return where


def left(project: Project, filters: Filters, **more: Any) -> int:
    """How many sessions a list would hold."""
    return len(sessions_page(project, replace(filters, **more)).items)


@pytest.mark.parametrize("filters", [Filters(), Filters(q="lobster"), Filters(has=("failure",))])
def test_counts_are_what_the_list_would_hold(desk: Project, filters: Filters) -> None:
    facets = facets_of(desk, filters)
    assert facets.sessions == left(desk, filters)
    assert dict(facets.agents) == {agent: left(desk, filters, agent=agent) for agent, _ in facets.agents}
    assert dict(facets.models) == {model: left(desk, filters, model=model) for model, _ in facets.models}
    assert dict(facets.rules) == {rule: left(desk, filters, rules=(rule,)) for rule, _ in facets.rules}
    assert dict(facets.actions) == {name: left(desk, filters, actions=(name,)) for name, _ in facets.actions}
    assert facets.has == {name: left(desk, filters, has=(*filters.has, name)) for name in facets.has}


def test_an_agent_that_was_called_by_another_is_counted_and_most_come_first(desk: Project) -> None:
    facets = facets_of(desk)
    assert facets.agents == (("pilot", 2), ("cook", 1), ("mate", 1))
    assert facets.actions == (("tide_table", 2),)
    assert facets.rules
    assert (facets.sessions, facets.turns, facets.is_all) == (3, 4, True)
    assert (facets.has["failure"], facets.has["error"]) == (1, left(desk, Filters(has=("error",))))


def test_when_sessions_were_active_is_known(desk: Project) -> None:
    facets = facets_of(desk)
    assert facets.since(timezone.now() - timedelta(hours=1)) == 3
    assert facets.since(timezone.now() + timedelta(hours=1)) == 0
