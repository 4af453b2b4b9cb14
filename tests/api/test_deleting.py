"""Deleting through the door: for keys of owners, with an audit line, and nothing of other projects."""

import pytest

from inspector.store import queries
from inspector.store.models import Audit, Member, Session, Turn
from tests.api.conftest import Caller, Place, read_all
from tests.store.made import person

pytestmark = pytest.mark.django_db


@pytest.fixture
def turns(ours: Place) -> str:
    """Three turns of a session; its short id."""
    for number in (1, 2, 3):
        answer = ours.poster.post("/turns", {"id": f"t{number}", "session": "s", "prompt": f"Turn {number}."})
    read_all()
    return str(answer.json()["session_id"])


def caller(ours: Place, role: str) -> Caller:
    """A key that stands for somebody with this role."""
    by = person(role, (ours.project, role)) if role else None
    return Caller(queries.make_key(ours.project, role, may_read=True, by=by)[0])


def test_a_turn_goes_and_the_next_one_is_read_anew(ours: Place, turns: str) -> None:
    ours.reader.post("/shares", {"scope": "turn", "turn": "t2"})
    size = Turn.objects.get(key="t2").size
    answer = ours.reader.delete("/turns/t2")
    assert answer.status_code == 200
    assert answer.json() == {"turns": 1, "bytes": size, "findings": 0, "links": 1}
    assert ours.reader.get("/turns/t2").status_code == 404
    assert ours.reader.delete("/turns/t2").status_code == 404
    assert ours.reader.get("/shares").json()["shares"] == []
    read_all()
    assert ours.reader.get("/turns/t3").json()["since_previous"]["turn"] == "t1"
    entry = Audit.objects.get(action="turn.delete")
    assert (entry.actor, entry.detail["turn"]) == (ours.owner.username, "t2")
    assert entry.detail["via"].startswith("key pi_")


def test_a_deleted_turn_may_be_posted_again(ours: Place, turns: str) -> None:
    ours.reader.delete("/turns/t3")
    assert ours.poster.post("/turns", {"id": "t3", "session": "s", "prompt": "Other."}).status_code == 201


def test_a_turn_that_is_called_batch_can_be_deleted_too(ours: Place) -> None:
    ours.poster.post("/turns", {"id": "batch", "prompt": "Hi"})
    assert ours.reader.delete("/turns/batch").status_code == 200
    assert not Turn.objects.exists()


def test_a_session_goes_with_all_its_turns_or_with_its_last_one(ours: Place, turns: str) -> None:
    alone = ours.poster.post("/turns", {"id": "alone", "prompt": "Hi"}).json()["session_id"]
    assert ours.reader.delete(f"/sessions/{turns}").json()["turns"] == 3
    assert ours.reader.get(f"/sessions/{turns}").status_code == 404
    assert ours.reader.delete("/turns/alone").status_code == 200
    assert ours.reader.get(f"/sessions/{alone}").status_code == 404
    assert not Turn.objects.exists()
    assert not Session.objects.exists()
    assert list(Audit.objects.order_by("pk").values_list("action", flat=True)) == [
        "session.delete",
        "turn.delete",
    ]


@pytest.mark.parametrize("role", ["member", "viewer", ""])
def test_only_a_key_that_stands_for_an_owner_deletes(ours: Place, turns: str, role: str) -> None:
    key = caller(ours, role)
    for path in ("/turns/t1", f"/sessions/{turns}"):
        answer = key.delete(path)
        code = "forbidden" if role else "key_without_person"
        assert (answer.status_code, answer.json()["error"]["code"]) == (403, code)
    assert Turn.objects.count() == 3


def test_a_key_loses_the_right_with_the_person_that_it_stands_for(ours: Place, turns: str) -> None:
    key = caller(ours, "owner")
    assert key.delete("/turns/t1").status_code == 200
    Member.objects.filter(user__username="owner").delete()
    for answer in (key.delete("/turns/t2"), key.post("/shares", {"scope": "turn", "turn": "t2"})):
        assert (answer.status_code, answer.json()["error"]["code"]) == (403, "forbidden")
    assert key.get("/turns/t2").status_code == 200


def test_another_project_deletes_nothing_of_ours(ours: Place, theirs: Place, turns: str) -> None:
    theirs.poster.post("/turns", {"id": "t1", "session": "s", "prompt": "Theirs."})
    assert theirs.reader.delete("/turns/t2").status_code == 404
    assert theirs.reader.delete(f"/sessions/{turns}").status_code == 404
    assert theirs.reader.delete("/turns/t1").status_code == 200
    assert ours.reader.get("/turns/t1").status_code == 200


def test_members_end_their_own_links_and_owners_any(ours: Place, turns: str) -> None:
    member, viewer = caller(ours, "member"), caller(ours, "viewer")
    own = member.post("/shares", {"scope": "turn", "turn": "t1"}).json()["id"]
    other = ours.reader.post("/shares", {"scope": "turn", "turn": "t1"}).json()["id"]
    assert viewer.post("/shares", {"scope": "turn", "turn": "t1"}).status_code == 403
    assert viewer.delete(f"/shares/{own}").status_code == 403
    assert member.delete(f"/shares/{other}").status_code == 403
    assert member.delete(f"/shares/{own}").status_code == 200
    assert ours.reader.delete(f"/shares/{other}").status_code == 200
