"""A deleted project: nobody gets in any more, and nothing of it is left."""

from datetime import timedelta

import pytest
from django.apps import apps
from django.db import models
from django.utils import timezone

from inspector.jobs import reading, retention
from inspector.sharing import links
from inspector.sharing.errors import LinkGone
from inspector.sharing.links import Visit
from inspector.store import audit, closing, queries, removal
from inspector.store.errors import NotFound
from inspector.store.models import Addition, Project
from inspector.store.search import search
from tests.store import made

pytestmark = pytest.mark.django_db


def rows_of(where: Project) -> dict[str, int]:
    """How many rows of each table belong to a project."""
    found = {}
    for model in apps.get_app_config("inspector").get_models():
        way = "pk" if model is Project else "project"
        names = {field.name for field in model._meta.get_fields()}
        if way == "project" and "project" not in names:
            via = next((name for name in ("turn", "session", "share") if name in names), None)
            way = f"{via}__project" if via else ""
        if way:
            rows: models.QuerySet[models.Model] = model._default_manager.filter(**{way: where.pk})
            found[model.__name__] = rows.count()
    return found


def filled(slug: str) -> Project:
    where = made.project(slug)
    owner = made.person(f"owner-{slug}", (where, "owner"))
    turns = made.run(where, 3, session=f"s-{slug}", response="<response>Gannet</response>", agent="pilot")
    call = '<response><action_call name="tide_table">{"port": 7}</action_call></response>'
    made.turn(
        where, session=f"s-{slug}", prompt=made.growing(1), response=call, results=[{"call": 0, "value": 7}]
    )
    reading.sweep()
    _, token = links.create(where, scope="turn", turn=turns[0], by=owner)
    links.open_link(token, Visit())
    Addition.objects.create(
        project=where,
        turn_key="t",
        part="results",
        received_at=timezone.now(),
        digest=b"",
        size=0,
        record=b"",
    )
    queries.make_key(where, "ci", by=owner)
    audit.note(where, owner, "key.create")
    return where


def test_nobody_gets_into_a_closed_project() -> None:
    where = made.project("harbour")
    owner = made.person("ada", (where, "owner"))
    turn = made.turn(where)
    token, _ = queries.make_key(where, "ci", by=owner)
    _, link = links.create(where, scope="turn", turn=turn, by=owner)
    closing.close(where)
    with pytest.raises(NotFound):
        queries.project_for(owner, "harbour")
    assert queries.project_of_key(token) is None
    with pytest.raises(LinkGone):
        links.open_link(link, Visit())
    assert not Project.objects.for_user(owner).exists()
    assert made.project("harbour").slug == "harbour"


def test_all_that_a_closed_project_held_goes_and_nothing_else() -> None:
    here, there = filled("here"), filled("there")
    before = rows_of(there)
    assert 0 not in rows_of(here).values()
    closing.close(here)
    assert retention.drop_old() == 1
    # Whoever was posting while it was closed has ended long before the project itself goes.
    assert Project.objects.filter(pk=here.pk).exists()
    Project.objects.filter(pk=here.pk).update(closed_at=timezone.now() - timedelta(hours=1))
    retention.drop_old()
    assert set(rows_of(here).values()) == {0}
    assert rows_of(there) == before
    assert [hit.turn.key for hit in search(there, "Gannet1").hits]


def test_it_stops_when_its_time_is_up_and_goes_on_later(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(removal, "STEP", 1)
    where = made.project()
    for name in "abc":
        made.turn(where, session=name)
    closing.close(where)
    assert closing.drop_closed(0) == 1
    assert closing.drop_closed() == 2
