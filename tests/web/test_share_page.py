"""Making, listing and revoking links, and what a link shows."""

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from inspector.sharing import links, reading
from inspector.store.models import Member, Share, ShareView, Turn
from tests.web.cast import Cast
from tests.web.pages import page_of
from tests.web.prompts import payload

FORM = "/p/harbour-desk/share/"
SECRET = "sk-ant-api03-" + "a1B2c3D4" * 11 + "-AAAAAA"


def made(cast: Cast, **fields: Any) -> str:
    """Path of a new link."""
    response = cast.member.post(FORM, {"turn": "turn-2", "days": "7", "scope": "turn", **fields})
    assert response.status_code == 200, response.content
    return str(response.context["made"]["url"]).replace("http://testserver", "")


def test_the_form_offers_section_turn_comparison_and_session(cast: Cast, turns: list[Turn]) -> None:
    page = page_of(cast.member.get(f"{FORM}?turn=turn-2&section=1"))
    values = [at.get("value") for tag, at in page.elements if tag == "input" and at.get("name") == "scope"]
    assert values == ["section", "turn", "comparison", "session"]


def test_a_link_is_shown_once_and_only_its_fingerprint_is_kept(cast: Cast, turns: list[Turn]) -> None:
    path = made(cast, label="Why?")
    token = path.split("/")[2]
    share = Share.objects.get()
    assert len(token) == 43
    assert token not in str([getattr(share, field.name) for field in Share._meta.fields])
    listed = page_of(cast.viewer.get("/p/harbour-desk/shares/"))
    assert "Why?" in listed.words
    assert token not in listed.words


@pytest.mark.parametrize(
    "fields",
    [{"days": "never"}, {"days": "9999"}, {"scope": "project"}, {"mask": "faces"}, {"scope": "section"}],
)
def test_a_senseless_form_makes_no_link(fields: dict[str, str], cast: Cast, turns: list[Turn]) -> None:
    response = cast.member.post(FORM, {"turn": "turn-2", "days": "7", "scope": "turn", **fields})
    assert response.status_code == 400
    assert not Share.objects.exists()


def test_links_that_are_off_are_refused_and_old_ones_stop(cast: Cast, turns: list[Turn]) -> None:
    path = made(cast)
    cast.project.public_links = False
    cast.project.save()
    assert cast.member.post(FORM, {"turn": "turn-2", "days": "7", "scope": "turn"}).status_code == 400
    assert cast.anonymous.get(path).status_code == 404


def test_a_shared_turn_shows_the_turn_and_nothing_around_it(cast: Cast, turns: list[Turn]) -> None:
    path = made(cast)
    response = cast.anonymous.get(path)
    page = page_of(response)
    assert "Primary Objective" in page.words
    assert "Shared with you" in page.words
    for hidden in ("Harbour desk", "harbour:1", "turn-1", "turn-3", "Search this project", "Compare", "of 3"):
        assert hidden not in response.content.decode(), hidden
    assert response["Referrer-Policy"] == "no-referrer"
    assert response["Cache-Control"] == "no-store"
    assert response["X-Robots-Tag"] == "noindex, nofollow, noarchive"
    assert all(link.startswith(("#", "?", path, "/s/")) for link in page.links), page.links


def test_everything_a_shared_turn_links_to_opens(cast: Cast, turns: list[Turn]) -> None:
    path = made(cast)
    for link in {link.split("#")[0] for link in page_of(cast.anonymous.get(path)).links} - {""}:
        target = path + link if link.startswith("?") else link
        assert cast.anonymous.get(target).status_code == 200, target


@pytest.mark.parametrize("scope", ["turn", "section", "comparison"])
def test_a_link_opens_only_its_own_addresses(scope: str, cast: Cast, turns: list[Turn]) -> None:
    extra = (
        {"old_turn": "turn-1"} if scope == "comparison" else {"section": "1"} if scope == "section" else {}
    )
    path = made(cast, scope=scope, **extra)
    assert cast.anonymous.get(path).status_code == 200
    for beyond in (
        "t/turn-1/",
        "t/turn-3/",
        "compare/turn-2/turn-3/",
        "compare/?a=turn-1&b=turn-3",
        "t/turn-1/sections/0",
    ):
        assert cast.anonymous.get(path + beyond).status_code == 404, beyond
    own = 200 if scope == "turn" else 404
    assert cast.anonymous.get(f"{path}sections/0").status_code == own
    assert cast.anonymous.get(f"{path}sections/0/text").status_code == own
    assert cast.anonymous.get(f"{path}?tab=changes").status_code == 200


def test_a_shared_section_shows_that_section_alone(cast: Cast, turns: list[Turn]) -> None:
    path = made(cast, scope="section", section="1")
    words = page_of(cast.anonymous.get(path)).words
    assert "Primary Objective" in words
    assert "Available Actions" not in words
    assert "The skipper wants" not in words


def test_a_shared_session_stops_where_it_was(cast: Cast, turns: list[Turn]) -> None:
    path = made(cast, scope="session")
    cast.post(payload(4))
    page = page_of(cast.anonymous.get(path))
    assert "Turn 3" in page.words
    assert "Turn 4" not in page.words
    assert cast.anonymous.get(f"{path}t/turn-2/").status_code == 200
    assert cast.anonymous.get(f"{path}t/turn-4/").status_code == 404
    assert cast.anonymous.get(f"{path}compare/turn-1/turn-3/").status_code == 200


def test_a_shared_session_names_neither_project_nor_session(cast: Cast, turns: list[Turn]) -> None:
    html = cast.anonymous.get(made(cast, scope="session")).content.decode()
    assert "harbour:1" not in html
    assert "Harbour desk" not in html


def test_names_of_calls_and_agents_are_masked_in_a_shared_session(cast: Cast) -> None:
    call = '<response><action_call name="ask skipper@harbour.example">{}</action_call></response>'
    for number, agent in ((1, "main"), (2, "skipper@harbour.example")):
        cast.post({"id": f"turn-{number}", "session": "s", "agent": agent, "prompt": "x", "response": call})
    path = made(cast, scope="session", mask="emails")
    assert b"skipper@harbour.example" not in cast.anonymous.get(path).content


def test_a_name_is_masked_in_a_shared_session_by_what_its_turn_says(
    cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    word = "h4rb0ur-Master.Key_77xQz"
    call = f'<response><action_call name="{word}">{{}}</action_call></response>'
    prompt = f'## Keys\npassword: "{word}"\n'
    cast.post({"id": "turn-1", "session": "s", "agent": "a", "prompt": prompt, "response": call})
    cast.post(
        {
            "id": "turn-2",
            "session": "s",
            "agent": "a",
            "prompt": "Hi",
            "response": call.replace(word, "wait_a_bit"),
        }
    )
    path = made(cast, scope="session", mask="secrets")
    shown = cast.anonymous.get(path).content.decode()
    assert word not in cast.anonymous.get(f"{path}t/turn-1/").content.decode()
    assert word not in shown
    assert "wait_a_bit" in shown
    # More than can be looked through for one page is covered whole.
    monkeypatch.setattr(reading, "LISTED", 0)
    assert "wait_a_bit" not in cast.anonymous.get(path).content.decode()
    assert word in cast.anonymous.get(made(cast, scope="session", mask=[])).content.decode()


def test_secrets_are_masked_in_every_view(cast: Cast) -> None:
    body = f"## Keys\nuse {SECRET} today\n"
    cast.post({"id": "turn-1", "session": "s", "prompt": "## Keys\n"})
    cast.post(
        {
            "id": "turn-2",
            "session": "s",
            "prompt": body,
            "response": f"ok {SECRET}",
            "metadata": {"k": SECRET},
        }
    )
    for scope in ("turn", "session", "comparison", "section"):
        path = made(cast, scope=scope, mask="secrets", section="0", old_turn="turn-1")
        sub = f"{path}t/turn-2/" if scope == "session" else path
        for query in ("", "?tab=raw", "?tab=response", "?tab=metadata", "sections/0/text"):
            assert SECRET.encode() not in cast.anonymous.get(sub + query).content, (scope, query)


def test_views_are_counted_once_a_page_and_not_for_parts_or_heads(cast: Cast, turns: list[Turn]) -> None:
    path = made(cast)
    cast.anonymous.head(path)
    cast.anonymous.get(f"{path}sections/0", headers={"HX-Request": "true"})
    assert ShareView.objects.count() == 0
    cast.anonymous.get(path)
    assert ShareView.objects.count() == 1
    assert Share.objects.get().views == 1


def test_a_revoked_link_is_gone_with_all_its_parts(cast: Cast, turns: list[Turn]) -> None:
    path = made(cast)
    share = Share.objects.get()
    assert cast.viewer.post(f"/p/harbour-desk/shares/{share.pk}/revoke").status_code == 403
    cast.member.post(f"/p/harbour-desk/shares/{share.pk}/revoke")
    for part in ("", "?tab=raw", "sections/0", "sections/0/text"):
        assert cast.anonymous.get(path + part).status_code == 404


def test_an_expired_link_and_a_wrong_one_look_the_same(cast: Cast, turns: list[Turn]) -> None:
    path = made(cast)
    Share.objects.update(expires_at=timezone.now() - timedelta(seconds=1))
    expired = cast.anonymous.get(path)
    wrong = cast.anonymous.get("/s/" + "x" * 43 + "/")
    assert expired.status_code == wrong.status_code == 404
    assert expired.content == wrong.content


def test_guessing_is_slowed_down_and_a_good_link_still_opens(cast: Cast, turns: list[Turn]) -> None:
    path = made(cast)
    statuses = [cast.anonymous.get(f"/s/{n:043d}/").status_code for n in range(40)]
    assert statuses[0] == 404
    assert statuses[-1] == 429
    assert cast.anonymous.get(path).status_code == 200


def test_a_signed_in_visitor_sees_the_link_s_scope_only(cast: Cast, turns: list[Turn]) -> None:
    path = made(cast)
    html = cast.stranger.get(path).content.decode()
    assert "Elsewhere" not in html
    assert "stranger" not in html


def test_the_theme_of_a_shared_page_is_in_its_address(cast: Cast, turns: list[Turn]) -> None:
    response = cast.anonymous.get(f"{made(cast)}?theme=dark")
    assert b'data-theme="dark"' in response.content
    assert not response.cookies


def test_a_visitor_s_browser_gets_no_cookie(cast: Cast, turns: list[Turn]) -> None:
    assert not Client().get(made(cast)).cookies


def test_the_form_shows_what_a_visitor_would_see_before_there_is_a_link(cast: Cast) -> None:
    secret = "sk-" + "aB3dE5gH7jK9mN1pQ3sT5vX7zB9dF1hJ3lN5pR7t"
    prompt = f"# Notes\nkey = {secret}\nwrite to nora@example.org"
    turn = cast.post({"id": "t", "session": "s", "prompt": prompt})
    page = page_of(cast.member.get("/p/harbour-desk/share/?turn=t"))
    assert "1 × e-mail address" in page.words
    assert "As the visitor would see it" in page.words
    assert secret not in page.words
    assert "nora@" not in page.words
    assert "key = ███" in page.words
    form = {"turn": "t", "session": turn.session.short_id, "scope": "session", "label": "", "days": "7"}
    shown = cast.member.post("/p/harbour-desk/share/", form | {"preview": "1", "mask": ["secrets"]})
    assert shown.status_code == 200
    assert "nora@example.org" in page_of(shown).words
    assert secret not in page_of(shown).words
    assert not Share.objects.exists()


def test_links_come_in_pages(cast: Cast, turns: list[Turn]) -> None:
    maker = Member.objects.get(project=cast.project, role="member").user
    for _ in range(52):
        links.create(cast.project, scope="turn", turn=turns[1], by=maker)
    response = cast.viewer.get("/p/harbour-desk/shares/")
    first = [row["share"].pk for row in response.context["links"]]
    assert (len(first), response.context["active"]) == (50, 52)
    (older,) = [link for link in page_of(response).links if "cursor=" in link]
    second = cast.viewer.get(f"/p/harbour-desk/shares/{older}")
    assert len({*first, *(row["share"].pk for row in second.context["links"])}) == 52
    assert len(cast.member.get(f"{FORM}?turn=turn-2").context["links"]) == 50


def test_owners_and_makers_see_who_opened_a_link(cast: Cast, turns: list[Turn]) -> None:
    path = made(cast)
    cast.anonymous.get(path, headers={"User-Agent": "Teapot/1.0"}, REMOTE_ADDR="203.0.113.77")
    page = f"/p/harbour-desk/shares/{Share.objects.get().pk}/revoke"
    for person in (cast.owner, cast.member):
        words = page_of(person.get(page)).words
        assert "It was opened 1 time" in words
        assert "from 203.0.113.0, Teapot/1.0" in words
        assert "203.0.113.77" not in words
        assert page in page_of(person.get("/p/harbour-desk/shares/")).links
    assert page not in page_of(cast.viewer.get("/p/harbour-desk/shares/")).links
    cast.owner.post(page)
    words = page_of(cast.owner.get(page)).words
    assert "was revoked" in words
    assert "Teapot/1.0" in words
