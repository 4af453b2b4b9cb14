"""A project's settings."""

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from inspector.jobs.reading import read_due
from inspector.sharing import links
from inspector.store.models import Audit, Key, Member, Project, SignIn, Turn
from inspector.store.queries import make_key, project_of_key
from tests.web.cast import Cast, signed_in
from tests.web.pages import page_of

BASE = "/p/harbour-desk/settings/"


def test_members_see_and_owners_change(cast: Cast) -> None:
    assert "Only an owner can change them." in page_of(cast.member.get(BASE)).words
    assert not [
        1
        for tag, at in page_of(cast.member.get(BASE)).elements
        if tag == "form" and "settings" in (at.get("action") or "")
    ]
    assert "Make key" in page_of(cast.owner.get(BASE)).words


def test_a_key_is_shown_once_and_works_until_revoked(cast: Cast) -> None:
    response = cast.owner.post(f"{BASE}keys", {"name": "ci", "may_read": "on"})
    token = response.context["made_key"]
    assert token in page_of(response).words
    assert token not in cast.owner.get(BASE).content.decode()
    found = project_of_key(token)
    assert found is not None
    assert found[1].may_read
    cast.owner.post(f"{BASE}keys/{found[1].pk}/revoke")
    assert project_of_key(token) is None
    assert "revoked" in page_of(cast.owner.get(BASE)).words
    assert set(Audit.objects.values_list("action", flat=True)) == {"key.create", "key.revoke"}


def test_name_retention_and_links_are_kept(cast: Cast) -> None:
    cast.owner.post(f"{BASE}general", {"name": " Pier  desk ", "retention_days": "30"})
    project = Project.objects.get(slug="harbour-desk")
    assert (project.name, project.retention_days, project.public_links) == ("Pier desk", 30, False)
    cast.owner.post(f"{BASE}general", {"name": "Pier desk", "retention_days": "", "public_links": "on"})
    project.refresh_from_db()
    assert (project.retention_days, project.public_links) == (None, True)


@pytest.mark.parametrize("days", ["0", "-1", "x", "99999", "1.5", "٣"])
def test_a_wrong_number_of_days_is_explained(days: str, cast: Cast) -> None:
    response = cast.owner.post(f"{BASE}general", {"name": "x", "retention_days": days})
    assert response.status_code == 400
    assert "whole number" in page_of(response).words


def test_people_come_change_and_go(cast: Cast) -> None:
    signed_in("newcomer")
    cast.owner.post(f"{BASE}members", {"username": "newcomer", "role": "viewer"})
    member = Member.objects.get(project=cast.project, user__username="newcomer")
    cast.owner.post(f"{BASE}members/{member.pk}", {"role": "member"})
    member.refresh_from_db()
    assert member.role == "member"
    cast.owner.post(f"{BASE}members/{member.pk}/remove")
    assert not Member.objects.filter(pk=member.pk).exists()
    assert User.objects.filter(username="newcomer").exists()


def test_removing_somebody_asks_first_and_says_what_ends(cast: Cast, turns: list[Turn]) -> None:
    member = Member.objects.get(project=cast.project, role="member")
    links.create(cast.project, scope="turn", turn=turns[0], by=member.user)
    make_key(cast.project, "ci", by=member.user)
    asked = cast.owner.get(f"{BASE}members/{member.pk}/remove")
    words = page_of(asked).words
    assert "1 shared link that member made stops opening" in words
    assert "1 key that member made goes on posting" in words
    assert Member.objects.filter(pk=member.pk).exists()
    assert cast.member.post(f"{BASE}members/{member.pk}/remove").status_code == 403
    other = Member.objects.get(project=cast.other)
    assert cast.owner.post(f"{BASE}members/{other.pk}/remove").status_code == 404


def test_an_invitation_that_was_not_taken_ends_with_the_place(cast: Cast) -> None:
    operator(cast)
    path = invited(cast, "nora")
    member = Member.objects.get(user__username="nora")
    cast.owner.post(f"{BASE}members/{member.pk}/remove")
    assert Client().post(path).status_code == 404


def test_an_invitation_lasts_while_another_project_has_them(cast: Cast) -> None:
    operator(cast)
    path = invited(cast, "nora")
    member = Member.objects.get(user__username="nora")
    Member.objects.create(project=cast.other, user=member.user, role="viewer")
    cast.owner.post(f"{BASE}members/{member.pk}/remove")
    assert Client().post(path)["Location"] == "/"


@pytest.mark.parametrize("ending", ["", "/remove"])
def test_the_last_owner_stays(ending: str, cast: Cast) -> None:
    owner = Member.objects.get(project=cast.project, role="owner")
    response = cast.owner.post(f"{BASE}members/{owner.pk}{ending}", {"role": "viewer"})
    assert response.status_code == 400
    assert "needs an owner" in page_of(response).words
    assert Member.objects.get(pk=owner.pk).role == "owner"


def operator(cast: Cast) -> None:
    """Let the owner make accounts."""
    User.objects.filter(username="owner").update(is_superuser=True)


def invited(cast: Cast, name: str) -> str:
    """Path of the link that the owner was shown."""
    response = cast.owner.post(f"{BASE}members", {"username": name, "role": "viewer"})
    return str(response.context["invitation"].replace("http://testserver", ""))


def test_somebody_new_is_invited_by_a_link_that_works_once(cast: Cast) -> None:
    operator(cast)
    path = invited(cast, "nora")
    assert path not in cast.owner.get(BASE).content.decode()
    assert "has not signed in yet" in page_of(cast.owner.get(BASE)).words
    guest = Client()
    assert guest.post(path)["Location"] == "/"
    assert guest.get("/p/harbour-desk/").status_code == 200
    assert Client().post(path).status_code == 404


def test_whoever_made_a_project_can_make_no_account_and_so_take_no_name(cast: Cast) -> None:
    response = cast.owner.post(f"{BASE}members", {"username": "nora", "role": "viewer"})
    assert response.status_code == 400
    assert "manage.py invite nora" in page_of(response).words
    assert not User.objects.filter(username="nora").exists()
    assert not SignIn.objects.exists()


def test_an_installation_may_let_owners_invite(cast: Cast, settings: Any) -> None:
    settings.INVITES = "OWNERS"
    assert Client().post(invited(cast, "nora"))["Location"] == "/"
    assert cast.member.post(f"{BASE}members", {"username": "bo", "role": "viewer"}).status_code == 403


def test_names_cannot_be_tried_one_after_the_other(cast: Cast) -> None:
    for number in range(10):
        cast.owner.post(f"{BASE}members", {"username": f"nobody{number}", "role": "viewer"})
    assert cast.owner.post(f"{BASE}members", {"username": "stranger", "role": "viewer"}).status_code == 429


@pytest.mark.parametrize("name", ["stranger", "STRANGER"])
def test_nobody_can_be_invited_into_an_account_that_is_there(cast: Cast, name: str) -> None:
    operator(cast)
    response = cast.owner.post(f"{BASE}members", {"username": name, "role": "viewer"})
    assert response.status_code == 302
    assert Member.objects.filter(project=cast.project, user__username="stranger").exists()
    assert not SignIn.objects.exists()


@pytest.mark.parametrize("name", ["", "a b", "<script>", "x" * 151, "nul\x00", "①", "e\u0301lan"])
def test_a_name_that_cannot_be_is_refused(name: str, cast: Cast) -> None:
    assert cast.owner.post(f"{BASE}members", {"username": name, "role": "viewer"}).status_code == 400


def test_names_get_kinds_and_lose_them(cast: Cast) -> None:
    cast.owner.post(f"{BASE}kinds", {"section": "House rules", "kind": "instructions"})
    cast.owner.post(f"{BASE}kinds", {"section": "Footer", "kind": "none"})
    cast.project.refresh_from_db()
    assert cast.project.kinds == {"House rules": "instructions", "Footer": "none"}
    assert "not a section" in page_of(cast.owner.get(BASE)).words
    cast.owner.post(f"{BASE}kinds", {"section": "Footer", "kind": "remove"})
    cast.project.refresh_from_db()
    assert cast.project.kinds == {"House rules": "instructions"}
    wrong = cast.owner.post(f"{BASE}kinds", {"section": "x", "kind": "magic"})
    assert wrong.status_code == 400
    assert "is no kind" in page_of(wrong).words


def test_earlier_turns_are_read_again_and_the_page_says_how_many_are_left(
    cast: Cast, turns: list[Turn]
) -> None:
    mine = cast.post({"id": "mine", "prompt": "x"}, project=cast.other)
    assert cast.owner.post(f"{BASE}reread")["Location"] == f"{BASE}#kinds"
    assert set(Turn.objects.filter(due=True).values_list("key", flat=True)) == {turn.key for turn in turns}
    assert not Turn.objects.get(pk=mine.pk).due
    assert "3 turns still to be read again" in page_of(cast.owner.get(BASE)).words
    progress = f"{BASE}reread/progress"
    assert "3 turns" in page_of(cast.owner.get(f"{progress}?left=3")).words
    while read_due():
        pass
    assert "still" not in page_of(cast.owner.get(f"{progress}?left=3")).words
    assert cast.owner.get(f"{progress}?left=0").status_code == 204


def test_a_member_may_have_a_session_read_again(cast: Cast, turns: list[Turn]) -> None:
    cast.post({"id": "alone", "prompt": "x"})
    path = f"/p/harbour-desk/s/{turns[0].session.short_id}/"
    assert cast.member.post(f"{path}reread")["Location"] == path
    assert Turn.objects.filter(due=True).count() == 3
    assert "3 turns still to be read again" in page_of(cast.owner.get(path)).words


def test_keys_of_another_project_are_out_of_reach(cast: Cast) -> None:
    key = Key.objects.create(project=cast.other, name="theirs", prefix="pi_x", digest=b"x" * 32)
    assert cast.owner.post(f"{BASE}keys/{key.pk}/revoke").status_code == 404
