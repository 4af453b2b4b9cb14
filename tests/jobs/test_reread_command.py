"""``manage.py reread``."""

import io

import pytest
from django.core.management import CommandError, call_command

from inspector.jobs import reading
from inspector.store.models import Turn
from tests.store import made

pytestmark = pytest.mark.django_db


def reread(*args: str) -> str:
    out = io.StringIO()
    call_command("reread", *args, stdout=out, stderr=io.StringIO())
    return out.getvalue()


def due() -> set[str]:
    return set(Turn.objects.filter(due=True).values_list("key", flat=True))


def test_by_default_what_is_old_or_unreadable_is_due() -> None:
    made.run(made.project(), 4)
    reading.sweep()
    Turn.objects.filter(key="run-2").update(read_with=0)
    Turn.objects.filter(key="run-3").update(state="unreadable")
    assert "2 turns" in reread()
    assert due() == {"run-2", "run-3"}


def test_turns_sessions_and_projects_can_be_named() -> None:
    one, two = made.project("one"), made.project("two")
    made.run(one, 2, session="a")
    made.run(two, 2, session="b")
    reading.sweep()
    reread("--turn", "a-1", "--turn", "b-2", "--project", "one")
    assert due() == {"a-1"}
    reread("--session", Turn.objects.filter(session__key="b")[0].session.short_id)
    assert due() == {"a-1", "b-1", "b-2"}
    assert "4 turns" not in reread("--all", "--project", "two")
    assert "1 turns" in reread("--all")


def test_now_reads_at_once_and_tells_of_what_is_unreadable() -> None:
    made.run(made.project(), 3)
    reread("--all", "--now")
    assert set(Turn.objects.values_list("state", flat=True)) == {"read"}
    Turn.objects.filter(key="run-2").update(state="unreadable", due=False)
    Turn.objects.filter(key="run-1").update(read_with=0)
    with pytest.raises(CommandError, match="unreadable"):
        call_command("reread", "--turn", "run-1", "--now", stdout=io.StringIO(), stderr=io.StringIO())
