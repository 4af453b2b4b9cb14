"""Who may see what, what lists hold, and what they never load."""

import re
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import AnonymousUser
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from inspector.jobs import reading
from inspector.store import audit, queries
from inspector.store.errors import BadQuery, Forbidden, NotFound
from inspector.store.models import Audit, Key, Project, Session, Turn
from inspector.store.queries import Filters
from inspector.store.queries.keys import is_wellformed, new_token
from tests.store import made

pytestmark = pytest.mark.django_db


def test_strangers_and_nobody_get_not_found() -> None:
    where = made.project("harbour")
    turn = made.turn(where, session="s")
    stranger = made.person("stranger", (made.project("elsewhere"), "owner"))
    for user in (stranger, AnonymousUser()):
        for ask in (
            lambda user=user: queries.project_for(user, "harbour"),
            lambda user=user: queries.session_for(user, "harbour", turn.session.short_id),
            lambda user=user: queries.turn_for(user, "harbour", turn.key),
        ):
            with pytest.raises(NotFound):
                ask()
        assert where not in Project.objects.for_user(user)


def test_members_see_and_roles_bound_what_they_do() -> None:
    where = made.project("harbour")
    turn = made.turn(where, session="s")
    viewer, member, owner = (made.person(role, (where, role)) for role in ("viewer", "member", "owner"))
    for user in (viewer, member, owner):
        assert queries.turn_for(user, "harbour", turn.key).session.short_id == turn.session.short_id
        assert queries.session_for(user, "harbour", turn.session.short_id).pk == turn.session_id
        assert list(Project.objects.for_user(user)) == [where]
    assert queries.project_for(owner, "harbour", role="owner") == where
    assert queries.project_for(member, "harbour", role="member") == where
    with pytest.raises(Forbidden, match="member"):
        queries.project_for(viewer, "harbour", role="member")
    with pytest.raises(Forbidden, match="owner"):
        queries.project_for(member, "harbour", role="owner")


def test_a_person_who_was_deactivated_sees_nothing() -> None:
    where = made.project("harbour")
    owner = made.person("owner", (where, "owner"))
    owner.is_active = False
    owner.save()
    with pytest.raises(NotFound):
        queries.project_for(owner, "harbour")
    assert not Project.objects.for_user(owner)


@pytest.mark.parametrize("text", ["", "\x00", "\ud83d", "é", "x" * 10_000, "' OR 1=1 --"])
def test_ids_that_can_not_be_are_not_found(text: str) -> None:
    where = made.project("harbour")
    owner = made.person("owner", (where, "owner"))
    for ask in (
        lambda: queries.project_for(owner, text),
        lambda: queries.session_in(where, text),
        lambda: queries.turn_in(where, text),
    ):
        with pytest.raises(NotFound):
            ask()


def test_another_projects_ids_are_not_found() -> None:
    one, two = made.project("one"), made.project("two")
    turn = made.turn(one, id="a", session="s")
    with pytest.raises(NotFound):
        queries.turn_in(two, "a")
    with pytest.raises(NotFound):
        queries.session_in(two, turn.session.short_id)


def test_lists_never_select_blobs() -> None:
    where = made.project()
    made.run(where, 5, agent="pilot", model="m", response="x")
    reading.sweep()
    filters = Filters(q="harbour", agent="pilot", model="m", since=timezone.now() - timedelta(days=1))
    with CaptureQueriesContext(connection) as captured:
        page = queries.sessions_page(where, filters)
        turns = queries.turns_page(page.items[0])
        queries.neighbours(turns.items[2])
        queries.facets_of(where)
        list(queries.versions_of(where))
        queries.due_since()
    assert len(turns.items) == 5
    for query in captured:
        selected = query["sql"].partition(" FROM ")[0]
        assert not re.search(r'inspector_(record|outline|words|base)"?\."?data', selected), query["sql"]


def test_sessions_come_latest_first_in_pages() -> None:
    where = made.project()
    for at in range(7):
        made.turn(where, session=f"s{at}")
    # Equal times are no reason to lose or repeat a row.
    Session.objects.update(last_at=timezone.now())
    keys: list[str] = []
    cursor = None
    while True:
        page = queries.sessions_page(where, Filters(), cursor, limit=2)
        keys += [session.key for session in page.items]
        cursor = page.next
        if cursor is None:
            break
    assert keys == [f"s{at}" for at in range(6, -1, -1)]


@pytest.mark.parametrize(
    "cursor", ["x", "W10", "WyJub3QgYSB0aW1lIiwxXQ", "WyIyMDI2LTAxLTAxIiwxXQ", "WzEsMl0"]
)
def test_a_cursor_that_is_not_ours_is_refused(cursor: str) -> None:
    with pytest.raises(BadQuery):
        queries.sessions_page(made.project(), Filters(), cursor)


def test_filters_narrow_sessions() -> None:
    where = made.project()
    call = '<response><action_call name="tide_table">{"port": 7}</action_call></response>'
    made.turn(where, session="calls", agent="pilot", model="big", prompt=made.growing(2), response=call)
    made.turn(
        where, session="plain", agent="cook", model="small", prompt="boil the lobster", error="overloaded"
    )
    reading.sweep()

    def left(**wanted: Any) -> set[str]:
        return {session.key for session in queries.sessions_page(where, Filters(**wanted)).items}

    assert left() == {"calls", "plain"}
    assert left(agent="pilot") == {"calls"}
    assert left(model="small") == {"plain"}
    assert left(q="lobster") == {"plain"}
    assert left(q="pla") == {"plain"}
    assert left(q="!!!") == set()
    assert left(has=("failure",)) == {"plain"}
    assert left(agent="nobody") == left(rules=("no-such-rule",)) == left(has=("failure", "warning")) == set()
    assert left(since=timezone.now() + timedelta(hours=1)) == set()
    assert left(until=timezone.now() - timedelta(hours=1)) == set()
    assert left(agent="\x00", model="\ud83d") == set()
    facets = queries.facets_of(where)
    assert (facets.agents, facets.models) == ((("cook", 1), ("pilot", 1)), (("big", 1), ("small", 1)))


def test_neighbours_are_the_turns_beside() -> None:
    turns = made.run(made.project(), 3)
    beside = [queries.neighbours(turn) for turn in turns]
    assert [one.previous and one.previous.key for one in beside] == [None, "run-1", "run-2"]
    assert [one.next and one.next.key for one in beside] == ["run-2", "run-3", None]


def test_what_is_due_is_known() -> None:
    assert queries.due_since() is None
    turn = made.turn(made.project())
    assert queries.due_since() == Turn.objects.get(pk=turn.pk).received_at
    reading.sweep()
    assert queries.due_since() is None


def test_a_key_opens_its_project_until_it_is_revoked() -> None:
    where = made.project()
    token, key = queries.make_key(where, "laptop", may_read=True)
    assert token.startswith("pi_")
    assert queries.project_of_key(token) == (where, key)
    assert Key.objects.get().last_used_at is not None
    queries.revoke_key(key)
    assert queries.project_of_key(token) is None


def test_only_the_hash_of_a_key_is_kept() -> None:
    token, _ = queries.make_key(made.project(), "laptop")
    kept = " ".join(str(value) for row in Key.objects.values_list() for value in row)
    assert token[:9] in kept
    assert token[:13] not in kept


@pytest.mark.parametrize("token", ["", "pi_", "x", "pi_" + "x" * 10_000, "pi_\x00", "pi_\ud83d", "' OR 1=1"])
def test_other_tokens_open_nothing(token: str) -> None:
    queries.make_key(made.project(), "laptop")
    assert queries.project_of_key(token) is None


def test_use_is_noted_once_a_minute() -> None:
    token, _ = queries.make_key(made.project(), "laptop")
    queries.project_of_key(token)
    noted = Key.objects.get().last_used_at
    queries.project_of_key(token)
    assert Key.objects.get().last_used_at == noted
    Key.objects.update(last_used_at=timezone.now() - timedelta(minutes=2))
    queries.project_of_key(token)
    assert Key.objects.get().last_used_at != noted


def test_tokens_are_long_different_and_checked() -> None:
    tokens = {new_token() for _ in range(500)}
    assert len(tokens) == 500
    assert all(is_wellformed(token) and len(token) == 52 for token in tokens)
    assert not any(is_wellformed(token[:-1] + ("0" if token[-1] != "0" else "1")) for token in tokens)
    assert not is_wellformed("pi_")


def test_the_audit_keeps_who_did_what() -> None:
    where = made.project()
    owner = made.person("owner", (where, "owner"))
    audit.note(where, owner, "key.make", name="lap\x00top")
    audit.note(where, "retention", "session.drop", sessions=3)
    assert list(Audit.objects.order_by("pk").values_list("actor", "action")) == [
        ("owner", "key.make"),
        ("retention", "session.drop"),
    ]
