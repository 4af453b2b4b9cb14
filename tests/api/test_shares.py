"""Links through the door."""

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from inspector.sharing import links
from inspector.sharing.errors import LinkGone
from inspector.sharing.links import Visit
from inspector.store import queries
from inspector.store.models import Audit
from tests.api.conftest import Caller, Place, read_all

pytestmark = pytest.mark.django_db


@pytest.fixture
def turns(ours: Place) -> str:
    for number in (1, 2):
        answer = ours.poster.post(
            "/turns", {"id": f"t{number}", "session": "s", "prompt": f"# Role\nYou {number}."}
        )
    read_all()
    return str(answer.json()["session_id"])


@pytest.mark.parametrize(
    "wanted",
    [{"scope": "turn", "turn": "t1"}, {"scope": "section", "turn": "t1", "section": "role"},
     {"scope": "comparison", "turn": "t2", "old_turn": "t1"}, {"scope": "session"}],
)  # fmt: skip
def test_a_link_of_each_kind_opens_until_it_is_revoked(
    ours: Place, turns: str, wanted: dict[str, str]
) -> None:
    if wanted["scope"] == "session":
        wanted = wanted | {"session_id": turns}
    answer = ours.reader.post("/shares", wanted | {"label": "For Bo", "mask": ["secrets", "emails"]})
    assert answer.status_code == 201, answer.content
    share = answer.json()
    address, token = share["url"].rstrip("/").rsplit("/", 1)
    assert address == "http://testserver/s"
    assert token.startswith(share["prefix"])
    assert links.open_link(token, Visit()).label == "For Bo"
    listed = ours.reader.get("/shares").json()["shares"]
    assert [(entry["id"], entry["views"]) for entry in listed] == [(share["id"], 1)]
    assert token not in str(listed)
    revoked = ours.reader.delete(f"/shares/{share['id']}")
    assert revoked.json()["revoked_at"]
    assert ours.reader.delete(f"/shares/{share['id']}").status_code == 200
    with pytest.raises(LinkGone):
        links.open_link(token, Visit())


def test_the_audit_says_which_key_it_was(ours: Place, turns: str) -> None:
    ours.reader.post("/shares", {"scope": "turn", "turn": "t1"})
    entry = Audit.objects.get(action="share.create")
    assert entry.actor == ours.owner.username
    assert entry.detail["via"].startswith("key pi_")


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        ({}, 400, "not_shareable"),
        ({"scope": "project"}, 400, "not_shareable"),
        ({"scope": 1}, 400, "not_shareable"),
        ({"scope": "turn"}, 400, "not_shareable"),
        ({"scope": "turn", "turn": "t1", "mask": "secrets"}, 400, "not_shareable"),
        ({"scope": "turn", "turn": "t1", "mask": [1]}, 400, "not_shareable"),
        ({"scope": "turn", "turn": "t1", "mask": ["all"]}, 400, "not_shareable"),
        ({"scope": "turn", "turn": "t1", "expires_at": "tomorrow"}, 400, "not_shareable"),
        ({"scope": "turn", "turn": "t1", "expires_at": "2001-01-01T00:00:00Z"}, 400, "not_shareable"),
        ({"scope": "turn", "turn": "t1", "expires_at": "9999-12-31T23:59:59Z"}, 400, "not_shareable"),
        ({"scope": "turn", "turn": "t1", "public": True}, 400, "not_shareable"),
        ({"scope": "turn", "turn": "t9"}, 404, "not_found"),
        ({"scope": "section", "turn": "t1", "section": "nowhere"}, 404, "not_found"),
        ({"scope": "session", "session_id": "nowhere"}, 404, "not_found"),
        ([], 400, "invalid_turn"),
    ],
)
def test_what_cannot_be_shared_is_said(ours: Place, turns: str, body: Any, status: int, code: str) -> None:
    answer = ours.reader.post("/shares", body)
    assert (answer.status_code, answer.json()["error"]["code"]) == (status, code)
    assert ours.reader.get("/shares").json() == {"shares": [], "next": None}


def test_a_time_without_a_zone_is_utc(ours: Place, turns: str) -> None:
    at = (timezone.now() + timedelta(days=2)).replace(tzinfo=None, microsecond=0)
    share = ours.reader.post("/shares", {"scope": "turn", "turn": "t1", "expires_at": at.isoformat()}).json()
    assert share["expires_at"] == f"{at.isoformat()}.000Z"


def test_switched_off_is_403(ours: Place, turns: str) -> None:
    ours.project.public_links = False
    ours.project.save()
    answer = ours.reader.post("/shares", {"scope": "turn", "turn": "t1"})
    assert (answer.status_code, answer.json()["error"]["code"]) == (403, "links_off")


def test_a_key_without_a_person_makes_no_links(ours: Place, turns: str) -> None:
    token, _ = queries.make_key(ours.project, "nobody's", may_read=True)
    answer = Caller(token).post("/shares", {"scope": "turn", "turn": "t1"})
    assert (answer.status_code, answer.json()["error"]["code"]) == (403, "key_without_person")


def test_links_come_in_pages_latest_first(ours: Place, theirs: Place, turns: str) -> None:
    made = [ours.reader.post("/shares", {"scope": "turn", "turn": "t1"}).json()["id"] for _ in range(5)]
    found: list[Any] = []
    cursor: dict[str, str] = {}
    while True:
        page = ours.reader.get("/shares", limit=2, **cursor).json()
        found += [share["id"] for share in page["shares"]]
        if page["next"] is None:
            break
        cursor = {"cursor": page["next"]}
    assert found == made[::-1]
    assert theirs.reader.get("/shares", **cursor).json()["shares"] == []
    assert ours.reader.get("/shares", cursor="rubbish").status_code == 400
