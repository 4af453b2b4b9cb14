"""Deleting on pages: asked first, owners only, with a line in the audit."""

from datetime import timedelta

import pytest
from django.utils import timezone

from inspector.sharing import links
from inspector.store.models import Audit, Key, Member, Project, Session, Share, Turn
from inspector.store.queries import make_key
from tests.web.cast import Cast
from tests.web.pages import page_of

P = "/p/harbour-desk/"


def paths(turns: list[Turn], share: int, key: int) -> list[str]:
    session = turns[0].session.short_id
    return [
        f"{P}t/{turns[0].key}/delete",
        f"{P}s/{session}/delete",
        f"{P}settings/delete",
        f"{P}shares/{share}/revoke",
        f"{P}settings/keys/{key}/revoke",
    ]


@pytest.fixture
def asking(cast: Cast, turns: list[Turn]) -> list[str]:
    """Addresses that ask before they destroy."""
    owner = Member.objects.get(project=cast.project, role="owner").user
    share, _ = links.create(cast.project, scope="turn", turn=turns[0], by=owner)
    _, key = make_key(cast.project, "ci", by=owner)
    return paths(turns, share.pk, key.pk)


def left() -> tuple[int, ...]:
    open_shares, keys = Share.objects.filter(revoked_at=None), Key.objects.filter(revoked_at=None)
    return (Turn.objects.count(), Session.objects.count(), open_shares.count(), keys.count())


def test_looking_asks_and_destroys_nothing(cast: Cast, asking: list[str]) -> None:
    for path in asking:
        answer = cast.owner.get(path)
        assert answer.status_code == 200
        assert "can't be undone" in page_of(answer).words
        assert "Keep it" in page_of(answer).words
        for person, status in (("member", 403), ("viewer", 403), ("stranger", 404)):
            for method in ("get", "post"):
                got = getattr(getattr(cast, person), method)(path).status_code
                # A link's own maker and its project's owners may revoke it: for other members it isn't there.
                assert got == (
                    404 if path.endswith("revoke") and "shares" in path and person == "member" else status
                )
        assert cast.anonymous.post(path).status_code == 302
    assert left() == (3, 1, 1, 1)
    assert not Audit.objects.exclude(action="share.create").exists()


def test_another_project_s_things_are_not_there(cast: Cast, asking: list[str]) -> None:
    for path in asking:
        if path.endswith("settings/delete"):
            continue
        foreign = path.replace("harbour-desk", "elsewhere")
        assert (cast.stranger.get(foreign).status_code, cast.stranger.post(foreign).status_code) == (404, 404)
    assert left() == (3, 1, 1, 1)


def test_a_turn_goes(cast: Cast, turns: list[Turn], asking: list[str]) -> None:
    assert "1 shared link" in page_of(cast.owner.get(asking[0])).words
    answer = cast.owner.post(asking[0])
    assert answer["Location"] == f"{P}s/{turns[0].session.short_id}/"
    assert set(Turn.objects.values_list("key", flat=True)) == {turns[1].key, turns[2].key}
    assert not Share.objects.exists()
    assert Turn.objects.get(key=turns[1].key).due
    assert Audit.objects.get(action="turn.delete").detail["turn"] == turns[0].key


def test_the_only_turn_takes_its_session_along(cast: Cast) -> None:
    turn = cast.post({"id": "only", "session": "s", "prompt": "x"})
    assert "It is the only turn of its session" in page_of(cast.owner.get(f"{P}t/only/delete")).words
    assert cast.owner.post(f"{P}t/only/delete")["Location"] == P
    assert not Session.objects.filter(pk=turn.session_id).exists()


def test_a_session_goes(cast: Cast, turns: list[Turn], asking: list[str]) -> None:
    assert "3 turns" in page_of(cast.owner.get(asking[1])).words
    assert cast.owner.post(asking[1])["Location"] == P
    assert left()[:3] == (0, 0, 0)
    assert Audit.objects.get(action="session.delete").detail["turns"] == 3


def test_a_project_goes_once_its_name_was_typed(cast: Cast, asking: list[str]) -> None:
    words = page_of(cast.owner.get(asking[2])).words
    assert "2 other members" in words
    assert "1 key stops working" in words
    wrong = cast.owner.post(asking[2], {"sure": "harbour desk"})
    assert wrong.status_code == 400
    assert "not its name" in page_of(wrong).words
    assert left()[0] == 3
    assert cast.owner.post(asking[2], {"sure": " Harbour desk "})["Location"] == "/"
    assert left() == (0, 0, 0, 0)
    for person in ("owner", "member", "viewer"):
        assert getattr(cast, person).get(P).status_code == 404
    assert Project.objects.filter(slug="elsewhere").exists()


def test_a_shorter_memory_is_asked_about_when_it_drops_something(cast: Cast, turns: list[Turn]) -> None:
    form = {"name": "Harbour desk", "retention_days": "7", "public_links": "on"}
    assert cast.owner.post(f"{P}settings/general", form).status_code == 302
    Project.objects.update(retention_days=None)
    Session.objects.update(last_at=timezone.now() - timedelta(days=8))
    asked = cast.owner.post(f"{P}settings/general", form)
    assert asked.status_code == 200
    assert "1 session without a turn for 7 days goes within the hour" in page_of(asked).words
    assert Project.objects.get(slug="harbour-desk").retention_days is None
    fields = [
        (at["name"], at["value"]) for tag, at in page_of(asked).elements if tag == "input" and at.get("name")
    ]
    again = {name or "": value or "" for name, value in fields if name != "csrfmiddlewaretoken"}
    assert cast.owner.post(f"{P}settings/general", again).status_code == 302
    project = Project.objects.get(slug="harbour-desk")
    assert (project.retention_days, project.public_links) == (7, True)


def test_owners_find_the_way_and_others_do_not_see_it(cast: Cast, turns: list[Turn]) -> None:
    session = f"{P}s/{turns[0].session.short_id}/"
    turn = f"{P}t/{turns[0].key}/"
    for page, way in (
        (f"{turn}?tab=metadata", f"{turn}delete"),
        (session, f"{session}delete"),
        (f"{P}settings/", f"{P}settings/delete"),
    ):
        assert way in page_of(cast.owner.get(page)).links
        assert way not in page_of(cast.member.get(page)).links
