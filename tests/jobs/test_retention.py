"""Old sessions go with all that belongs to them."""

from datetime import timedelta

import pytest
from django.utils import timezone

from inspector.jobs import reading, retention
from inspector.store import removal
from inspector.store.models import Audit, Project, Session, Turn
from tests.store import made

pytestmark = pytest.mark.django_db


def age(session: str, days: int) -> None:
    Session.objects.filter(key=session).update(last_at=timezone.now() - timedelta(days=days))


def test_sessions_older_than_the_project_keeps_are_dropped() -> None:
    where = made.project()
    for session, days in (("old", 31), ("young", 29)):
        made.run(where, 3, session=session)
        age(session, days)
    reading.sweep()
    assert retention.drop_old() == 0
    Project.objects.update(retention_days=30)
    assert retention.drop_old() == 1
    assert set(Session.objects.values_list("key", flat=True)) == {"young"}
    assert Turn.objects.count() == 3
    assert Audit.objects.get().action == "session.drop"
    assert retention.drop_old() == 0


def test_other_projects_keep_theirs() -> None:
    keeping, dropping = made.project("keeping"), made.project("dropping")
    for where in (keeping, dropping):
        made.run(where, 2)
    age("run", 100)
    Project.objects.filter(pk=dropping.pk).update(retention_days=1)
    assert retention.drop_old() == 1
    assert Session.objects.get().project == keeping


def test_more_sessions_than_fit_a_step_all_go(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(removal, "STEP", 2)
    where = made.project()
    for at in range(7):
        made.turn(where, session=f"s{at}")
    Session.objects.update(last_at=timezone.now() - timedelta(days=2))
    Project.objects.update(retention_days=1)
    assert retention.drop_old() == 7
    assert not Turn.objects.exists()
