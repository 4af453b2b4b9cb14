"""Every route for everybody: a route that is not in the table fails."""

from dataclasses import dataclass
from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from inspector.sharing import links
from inspector.store.models import Member, Share, Turn
from inspector.store.queries import make_key
from inspector.web.urls import urlpatterns
from tests.web.cast import Cast

PEOPLE = ("anonymous", "stranger", "viewer", "member", "owner")
SIGN_IN = 302
"""To the sign-in page."""


@dataclass(frozen=True)
class Expected:
    """Statuses for anonymous, stranger, viewer, member, owner."""

    path: str
    statuses: tuple[int, int, int, int, int]
    method: str = "get"


READ = (SIGN_IN, 404, 200, 200, 200)
MEMBERS = (SIGN_IN, 404, 403, 200, 200)
OWNERS = (SIGN_IN, 404, 403, 403, 200)
ANYBODY = (200, 200, 200, 200, 200)
P = "/p/harbour-desk/"
ROUTES: dict[str, Expected] = {
    "projects": Expected("/?all=1", (SIGN_IN, 200, 200, 200, 200)),
    "robots": Expected("/robots.txt", ANYBODY),
    "theme": Expected("/theme/", (302, 302, 302, 302, 302), "post"),
    "sign-in": Expected("/sign-in/", ANYBODY),
    "sign-in-link": Expected("/sign-in/no-such-token", (404, 404, 404, 404, 404)),
    "account": Expected("/account/", (SIGN_IN, 200, 200, 200, 200)),
    "sign-out": Expected("/sign-out/", (302, 302, 302, 302, 302), "post"),
    "rules": Expected("/rules/", (SIGN_IN, 200, 200, 200, 200)),
    "rule": Expected("/rules/unknown-action", (SIGN_IN, 200, 200, 200, 200)),
    "sessions": Expected(P, READ),
    "sessions-news": Expected(f"{P}news?after=0", READ),
    "start": Expected(f"{P}start/", READ),
    "start-news": Expected(f"{P}start/news?after=0", READ),
    "search": Expected(f"{P}search/?q=berth", READ),
    "found-turns": Expected(f"{P}turns/?q=has:error", READ),
    "versions": Expected(f"{P}versions/", READ),
    "shares": Expected(f"{P}shares/", READ),
    "share": Expected(P + "share/?turn={turn}", MEMBERS),
    "revoke": Expected(P + "shares/{share}/revoke", (SIGN_IN, 404, 403, 404, 200)),
    "session": Expected(P + "s/{session}/", READ),
    "session-news": Expected(P + "s/{session}/news?after=0", READ),
    "history": Expected(P + "s/{session}/history/", READ),
    "prefixes": Expected(P + "s/{session}/prefix/", READ),
    "presence": Expected(P + "s/{session}/presence/?text=berth", READ),
    "turn": Expected(P + "t/{turn}/", READ),
    "record": Expected(P + "t/{turn}/record", READ),
    "turn-state": Expected(P + "t/{turn}/state", READ),
    "next-turn": Expected(P + "t/{old}/next", READ),
    "section": Expected(P + "t/{turn}/sections/0", READ),
    "section-text": Expected(P + "t/{turn}/sections/0/text", READ),
    "message-text": Expected(P + "t/{turn}/messages/0/text", READ),
    "response-text": Expected(P + "t/{turn}/response/text", READ),
    "compare": Expected(P + "compare/?a={old}&b={turn}", (SIGN_IN, 404, 302, 302, 302)),
    "comparison": Expected(P + "compare/{old}/{turn}/", READ),
    "settings": Expected(f"{P}settings/", MEMBERS),
    "settings-general": Expected(f"{P}settings/general", (SIGN_IN, 404, 403, 403, 400), "post"),
    "settings-kinds": Expected(f"{P}settings/kinds", (SIGN_IN, 404, 403, 403, 400), "post"),
    "reread": Expected(f"{P}settings/reread", (SIGN_IN, 404, 403, 403, 302), "post"),
    "reread-progress": Expected(f"{P}settings/reread/progress", MEMBERS),
    "session-reread": Expected(P + "s/{session}/reread", (SIGN_IN, 404, 403, 302, 302), "post"),
    "key-create": Expected(f"{P}settings/keys", (SIGN_IN, 404, 403, 403, 200), "post"),
    "key-revoke": Expected(P + "settings/keys/{key}/revoke", OWNERS),
    "turn-delete": Expected(P + "t/{turn}/delete", OWNERS),
    "session-delete": Expected(P + "s/{session}/delete", OWNERS),
    "project-delete": Expected(f"{P}settings/delete", OWNERS),
    "member-add": Expected(f"{P}settings/members", (SIGN_IN, 404, 403, 403, 400), "post"),
    "member-change": Expected(P + "settings/members/{person}", (SIGN_IN, 404, 403, 403, 404), "post"),
    "member-remove": Expected(P + "settings/members/{person}/remove", OWNERS),
    # A shared session: the same for everybody who has the link.
    "shared": Expected("/s/{token}/", ANYBODY),
    "shared-section": Expected("/s/{token}/sections/0", (404, 404, 404, 404, 404)),
    "shared-section-text": Expected("/s/{token}/sections/0/text", (404, 404, 404, 404, 404)),
    "shared-turn": Expected("/s/{token}/t/{turn}/", ANYBODY),
    "shared-turn-section": Expected("/s/{token}/t/{turn}/sections/0", ANYBODY),
    "shared-turn-section-text": Expected("/s/{token}/t/{turn}/sections/0/text", ANYBODY),
    "shared-compare": Expected("/s/{token}/compare/?a={old}&b={turn}", ANYBODY),
    "shared-comparison": Expected("/s/{token}/compare/{old}/{turn}/", ANYBODY),
}


@dataclass(frozen=True)
class Things:
    """What the paths name."""

    turn: str
    old: str
    session: str
    share: int
    token: str
    key: int
    person: int


@pytest.fixture
def things(cast: Cast, turns: list[Turn]) -> Things:
    owner = Member.objects.get(project=cast.project, role="owner").user
    share, token = links.create(
        cast.project,
        scope="session",
        session=turns[0].session,
        by=owner,
        expires_at=timezone.now() + timedelta(days=1),
    )
    _, key = make_key(cast.project, "ci", by=owner)
    person = Member.objects.get(project=cast.project, role="viewer")
    return Things(turns[1].key, turns[0].key, turns[0].session.short_id, share.pk, token, key.pk, person.pk)


def asked(client: Client, expected: Expected, things: Things) -> int:
    path = expected.path.format(**{name: getattr(things, name) for name in Things.__dataclass_fields__})
    response = getattr(client, expected.method)(path)
    if response.status_code == 302 and "/sign-in/?next=" in response["Location"]:
        return SIGN_IN
    return int(response.status_code)


def test_every_route_is_in_the_table() -> None:
    assert {route.name for route in urlpatterns} == set(ROUTES)


@pytest.mark.parametrize("name", ROUTES)
def test_a_route_answers_each_person_as_the_table_says(name: str, cast: Cast, things: Things) -> None:
    expected = ROUTES[name]
    got = tuple(asked(getattr(cast, person), expected, things) for person in PEOPLE)
    assert got == expected.statuses


@pytest.mark.parametrize("name", [name for name, route in ROUTES.items() if route.method == "post"])
def test_a_form_without_its_token_is_refused(name: str, cast: Cast, things: Things) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(Member.objects.get(project=cast.project, role="owner").user)
    assert asked(client, ROUTES[name], things) == 403


@pytest.mark.parametrize("name", [name for name, route in ROUTES.items() if route.method == "post"])
def test_looking_at_a_form_s_address_changes_nothing(name: str, cast: Cast, things: Things) -> None:
    path = ROUTES[name].path.format(**{n: getattr(things, n) for n in Things.__dataclass_fields__})
    assert cast.owner.get(path).status_code == 405


@pytest.mark.parametrize("name", [name for name in ROUTES if name.startswith("shared")])
def test_a_shared_page_takes_no_orders(name: str, cast: Cast, things: Things) -> None:
    path = ROUTES[name].path.format(**{n: getattr(things, n) for n in Things.__dataclass_fields__})
    for method in ("post", "put", "delete", "patch"):
        assert getattr(cast.owner, method)(path).status_code == 405


def test_another_project_s_ids_look_like_ids_that_do_not_exist(cast: Cast, things: Things) -> None:
    mine = cast.post({"id": "mine", "session": "s", "prompt": "x"}, project=cast.other)
    for path in (
        f"/p/elsewhere/t/{things.turn}/",
        f"/p/elsewhere/s/{things.session}/",
        f"/p/elsewhere/compare/{mine.key}/{things.turn}/",
        f"/p/elsewhere/compare/{things.turn}/{mine.key}/",
        f"/p/elsewhere/t/{things.turn}/sections/0",
        f"/p/elsewhere/share/?turn={things.turn}",
        f"/p/elsewhere/share/?turn={mine.key}&old_turn={things.turn}",
    ):
        foreign = cast.stranger.get(path)
        missing = cast.stranger.get(path.replace(things.turn, "nope").replace(things.session, "nope"))
        assert foreign.status_code == missing.status_code == 404
    revoke = f"/p/elsewhere/shares/{things.share}/revoke"
    assert cast.stranger.post(revoke).status_code == 404
    assert Share.objects.get(pk=things.share).revoked_at is None
    assert cast.stranger.post(f"/p/elsewhere/settings/keys/{things.key}/revoke").status_code == 404


def test_a_removed_member_is_out_with_the_next_request(cast: Cast, turns: list[Turn]) -> None:
    path = f"/p/harbour-desk/t/{turns[0].key}/"
    assert cast.viewer.get(path).status_code == 200
    Member.objects.filter(project=cast.project, role="viewer").delete()
    assert cast.viewer.get(path).status_code == 404
