"""The project's section names through the door, and reading earlier turns again with them."""

from typing import Any

import pytest

from inspector.jobs import reading
from inspector.store import queries
from inspector.store.models import Audit, Project, Turn
from tests.api.conftest import Caller, Place, read_all
from tests.store.made import person

pytestmark = pytest.mark.django_db

PROMPT = "<cargo-list>Nine crates.</cargo-list>\n<footer>Bye.</footer>"


def kinds_of(caller: Caller, turn: str) -> dict[str, str]:
    sections = caller.get(f"/turns/{turn}").json()["sections"]
    return {section["path"]: section["kind"] for section in sections}


@pytest.fixture
def session(ours: Place) -> str:
    for number in (1, 2):
        answer = ours.poster.post("/turns", {"id": f"t{number}", "session": "s", "prompt": PROMPT})
    read_all()
    return str(answer.json()["session_id"])


def test_a_table_is_written_read_and_used_by_the_next_reading(ours: Place, session: str) -> None:
    assert ours.reader.get("/kinds").json() == {"kinds": {}}
    table = {"Cargo List": "contexts", "footer": "none"}
    assert ours.reader.call("PUT", "/kinds", {"kinds": table}).json() == {"kinds": table}
    assert ours.reader.get("/kinds").json() == {"kinds": table}
    assert kinds_of(ours.reader, "t1").get("cargo-list") != "contexts"
    ours.poster.post("/turns", {"id": "t3", "session": "s", "prompt": PROMPT})
    read_all()
    assert kinds_of(ours.reader, "t3")["cargo-list"] == "contexts"
    assert "footer" not in kinds_of(ours.reader, "t3")
    entry = Audit.objects.get(action="kinds.change")
    assert (entry.actor, entry.detail["names"]) == (ours.owner.username, "Cargo List, footer")
    assert ours.reader.call("PUT", "/kinds", {"kinds": {}}).json() == {"kinds": {}}


def test_earlier_turns_are_read_again_when_asked_for_and_say_how_many_are_left(
    ours: Place, session: str
) -> None:
    ours.reader.call("PUT", "/kinds", {"kinds": {"cargo list": "contexts"}})
    assert ours.reader.post("/reread", {}).json() == {"marked": 2, "left": 2}
    assert ours.reader.post("/reread", {"session_id": session}).json() == {"marked": 0, "left": 2}
    assert ours.reader.get("/reread", session_id=session).json() == {"left": 2}
    read_all()
    assert ours.reader.get("/reread").json() == {"left": 0}
    assert {kinds_of(ours.reader, turn)["cargo-list"] for turn in ("t1", "t2")} == {"contexts"}


def test_only_the_session_that_is_named_is_read_again(ours: Place, session: str) -> None:
    ours.poster.post("/turns", {"id": "other", "prompt": PROMPT})
    read_all()
    assert ours.reader.post("/reread", {"session_id": session}).json() == {"marked": 2, "left": 2}
    assert not Turn.objects.get(key="other").due
    assert ours.reader.get("/reread").json() == {"left": 2}


def test_what_is_new_does_not_wait_for_what_is_read_again(ours: Place, session: str) -> None:
    ours.reader.post("/reread", {})
    ours.poster.post("/turns", {"id": "new", "prompt": PROMPT})
    assert reading.read_due() == 1
    assert Turn.objects.get(key="new").state == "read"
    assert ours.reader.get("/reread").json() == {"left": 2}
    # A later part of a turn that waits to be read again is new too.
    ours.poster.post("/turns/t1/response", {"response": "Aye."})
    assert ours.reader.get("/reread").json() == {"left": 1}
    reading.sweep()
    assert ours.reader.get("/reread").json() == {"left": 0}
    assert ours.reader.get("/turns/t1").json()["response"]["text"] == "Aye."


def test_turns_that_are_read_again_make_no_server_look_late(ours: Place, session: str) -> None:
    ours.reader.post("/reread", {})
    assert queries.due_since() is None


@pytest.mark.parametrize(
    ("body", "code", "explained"),
    [
        ({"kinds": {"Cargo": "magic"}}, "invalid_kinds", "is no kind: use instructions"),
        ({"kinds": {"Cargo": 1}}, "invalid_kinds", "is no kind"),
        ({"kinds": {"": "contexts"}}, "invalid_kinds", "1 to 200"),
        ({"kinds": {"x" * 201: "contexts"}}, "invalid_kinds", "1 to 200"),
        ({"kinds": {"nul\x00": "contexts"}}, "invalid_kinds", "printable"),
        ({"kinds": {"a  b": "contexts", "a b": "none"}}, "invalid_kinds", "twice"),
        ({"kinds": {str(number): "none" for number in range(201)}}, "invalid_kinds", "at most 200"),
        ({"kinds": ["Cargo"]}, "invalid_kinds", "an object"),
        ({}, "invalid_kinds", "an object"),
        ({"kinds": {}, "more": 1}, "unknown_field", "this takes kinds"),
        ([], "invalid_turn", "object"),
    ],
)
def test_a_table_that_cannot_be_is_explained_and_changes_nothing(
    ours: Place, body: Any, code: str, explained: str
) -> None:
    answer = ours.reader.call("PUT", "/kinds", body)
    assert (answer.status_code, answer.json()["error"]["code"]) == (400, code)
    assert explained in answer.json()["error"]["message"]
    assert Project.objects.get(pk=ours.project.pk).kinds == {}


@pytest.mark.parametrize(
    ("role", "table", "project", "one"),
    [("owner", 200, 200, 200), ("member", 403, 403, 200), ("viewer", 403, 403, 403), ("", 403, 403, 403)],
)
def test_a_key_may_what_its_person_may(
    ours: Place, session: str, role: str, table: int, project: int, one: int
) -> None:
    by = person(role, (ours.project, role)) if role else None
    key = Caller(queries.make_key(ours.project, role, may_read=True, by=by)[0])
    assert key.call("PUT", "/kinds", {"kinds": {"Cargo": "none"}}).status_code == table
    assert key.post("/reread", {}).status_code == project
    assert key.post("/reread", {"session_id": session}).status_code == one
    assert key.get("/kinds").status_code == key.get("/reread").status_code == 200


def test_another_projects_session_is_not_there(ours: Place, theirs: Place, session: str) -> None:
    assert theirs.reader.post("/reread", {"session_id": session}).status_code == 404
    assert theirs.reader.get("/reread", session_id=session).status_code == 404
    assert theirs.reader.post("/reread", {"session_id": 7}).status_code == 400
    theirs.reader.post("/reread", {})
    theirs.reader.call("PUT", "/kinds", {"kinds": {"Cargo": "none"}})
    assert not Turn.objects.filter(due=True).exists()
    assert ours.reader.get("/kinds").json() == {"kinds": {}}
