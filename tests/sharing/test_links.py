"""Links: what is kept of a token, and when a link opens nothing."""

import re
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.utils import timezone

from inspector.sharing import links, misses
from inspector.sharing.errors import LinkGone, LinksOff, NotShareable, TooManyMisses
from inspector.sharing.links import Visit, shortened
from inspector.store import removal
from inspector.store.models import Audit, Member, Share, ShareView
from tests.sharing.cast import Cast, cast, post

pytestmark = pytest.mark.django_db
VISIT = Visit("203.0.113.77", "Browser/1.0")


@pytest.fixture
def harbour() -> Cast:
    return cast()


def link(harbour: Cast, **fields: Any) -> tuple[Share, str]:
    wanted: dict[str, Any] = {"scope": "turn", "turn": harbour.turns[0], "by": harbour.member} | fields
    return links.create(harbour.project, **wanted)


def test_a_token_has_256_bits_and_no_two_are_alike(harbour: Cast) -> None:
    tokens = {link(harbour)[1] for _ in range(50)}
    assert len(tokens) == 50
    assert all(re.fullmatch(r"[A-Za-z0-9_-]{43}", token) for token in tokens)


def test_the_database_holds_no_usable_token(harbour: Cast) -> None:
    share, token = link(harbour)
    links.open_link(token, VISIT)
    assert share.prefix == token[:6]
    for table in connection.introspection.table_names():
        with connection.cursor() as cursor:
            cursor.execute(f'SELECT * FROM "{table}"')
            assert token not in repr(cursor.fetchall())
            assert token[:7] not in repr(cursor.fetchall())


def test_a_link_lasts_seven_days_unless_said_otherwise(harbour: Cast) -> None:
    share, _ = link(harbour)
    assert timedelta(days=6.9) < share.expires_at - timezone.now() <= timedelta(days=7)


def test_no_link_lasts_longer_than_the_installation_allows(harbour: Cast, settings: Any) -> None:
    settings.SHARE_MAX_DAYS = 3
    with pytest.raises(NotShareable, match="3 days at most"):
        link(harbour, expires_at=timezone.now() + timedelta(days=4))
    share, _ = link(harbour)
    assert share.expires_at - timezone.now() <= timedelta(days=3)


def test_an_expired_link_opens_nothing(harbour: Cast) -> None:
    share, token = link(harbour, expires_at=timezone.now() + timedelta(hours=1))
    Share.objects.filter(pk=share.pk).update(expires_at=timezone.now() - timedelta(seconds=1))
    with pytest.raises(LinkGone):
        links.open_link(token, VISIT)
    with pytest.raises(LinkGone):
        links.find(token, VISIT)


def test_a_time_in_the_past_is_refused(harbour: Cast) -> None:
    with pytest.raises(NotShareable):
        link(harbour, expires_at=timezone.now() - timedelta(minutes=1))


def test_a_revoked_link_opens_nothing_and_leaves_others_alone(harbour: Cast) -> None:
    share, token = link(harbour)
    other = link(harbour)[1]
    links.revoke(share, harbour.owner)
    links.revoke(share, harbour.owner)
    with pytest.raises(LinkGone):
        links.open_link(token, VISIT)
    assert links.open_link(other, VISIT)
    assert Audit.objects.filter(action="share.revoke").count() == 1


def test_links_switched_off_end_old_ones_too(harbour: Cast) -> None:
    _, token = link(harbour)
    harbour.project.public_links = False
    harbour.project.save()
    with pytest.raises(LinkGone):
        links.open_link(token, VISIT)
    with pytest.raises(LinksOff):
        link(harbour)


@pytest.mark.parametrize("loss", ["removed", "viewer", "inactive", "deleted"])
def test_a_link_ends_with_its_makers_place_in_the_project(harbour: Cast, loss: str) -> None:
    _, token = link(harbour)
    place = Member.objects.get(user=harbour.member)
    if loss == "removed":
        place.delete()
    elif loss == "viewer":
        Member.objects.filter(pk=place.pk).update(role=Member.Role.VIEWER)
    elif loss == "inactive":
        harbour.member.is_active = False
        harbour.member.save()
    else:
        harbour.member.delete()
    with pytest.raises(LinkGone):
        links.open_link(token, VISIT)


def test_a_link_ends_with_what_it_shows(harbour: Cast) -> None:
    of_turn, of_session = (
        link(harbour)[1],
        link(harbour, scope="session", turn=None, session=harbour.session)[1],
    )
    removal.drop_turn(harbour.turns[0])
    with pytest.raises(LinkGone):
        links.open_link(of_turn, VISIT)
    assert links.open_link(of_session, VISIT)
    removal.drop_sessions(harbour.project, [harbour.session.pk])
    with pytest.raises(LinkGone):
        links.open_link(of_session, VISIT)


def test_a_link_ends_with_its_project(harbour: Cast) -> None:
    _, token = link(harbour)
    harbour.project.delete()
    with pytest.raises(LinkGone):
        links.open_link(token, VISIT)


def test_views_are_counted_and_logged_with_a_shortened_address(harbour: Cast) -> None:
    share, token = link(harbour)
    for _ in range(3):
        links.open_link(token, Visit("203.0.113.77", "Bro\x00wser\n" + "x" * 300))
    share.refresh_from_db()
    assert share.views == 3
    assert share.last_viewed_at is not None
    view = ShareView.objects.filter(share=share).latest("pk")
    assert view.address == "203.0.113.0"
    assert view.agent.startswith("Bro wser x")
    assert len(view.agent) <= 200


def test_looking_a_link_up_changes_nothing(harbour: Cast) -> None:
    share, token = link(harbour)
    assert links.find(token, VISIT).pk == share.pk
    share.refresh_from_db()
    assert (share.views, ShareView.objects.count()) == (0, 0)


@pytest.mark.parametrize(
    ("address", "kept"),
    [
        ("203.0.113.77", "203.0.113.0"),
        ("2001:db8:1234:5678::1", "2001:db8:1234::"),
        ("::ffff:203.0.113.77", "203.0.113.0"),
        ("unknown, 1.2.3.4", ""),
        ("", ""),
    ],
)
def test_an_address_is_kept_as_its_network(address: str, kept: str) -> None:
    assert shortened(address) == kept


@pytest.mark.parametrize(
    "token", ["", "x", "A" * 43, "A" * 5000, "\x00" * 43, "\ud800" * 43, "../../etc", "é" * 43]
)
def test_wrong_tokens_all_end_the_same(harbour: Cast, token: str) -> None:
    with pytest.raises(LinkGone):
        links.open_link(token, VISIT)


def test_guessing_is_slowed_down_and_nobody_elses_link_is_hurt(harbour: Cast) -> None:
    _, token = link(harbour)
    for _ in range(misses.MOST):
        with pytest.raises(LinkGone):
            links.open_link("B" * 43, VISIT)
    with pytest.raises(TooManyMisses):
        links.open_link("C" * 43, VISIT)
    assert links.open_link(token, VISIT)
    with pytest.raises(LinkGone):
        links.open_link("C" * 43, Visit("198.51.100.1"))


def test_making_viewing_revoking_and_expiring_are_on_record(harbour: Cast) -> None:
    share, token = link(harbour, label="For Bo")
    links.open_link(token, VISIT)
    links.revoke(share, harbour.owner)
    old, _ = link(harbour)
    Share.objects.filter(pk=old.pk).update(expires_at=timezone.now() - timedelta(seconds=1))
    assert links.note_expired() == 1
    assert links.note_expired() == 0
    entries = Audit.objects.filter(project=harbour.project).order_by("pk").values_list("action", "actor")
    assert list(entries) == [
        ("share.create", harbour.member.username),
        ("share.revoke", harbour.owner.username),
        ("share.create", harbour.member.username),
        ("share.expire", "server"),
    ]
    assert token not in repr(list(Audit.objects.values()))


@pytest.mark.parametrize(
    ("fields", "field"),
    [
        ({"scope": "project"}, "scope"),
        ({"scope": "turn", "turn": None}, "turn"),
        ({"scope": "session", "turn": None}, "session"),
        ({"scope": "comparison"}, "old_turn"),
        ({"scope": "section"}, "section"),
        ({"mask": ["everything"]}, "mask"),
    ],
)
def test_what_is_missing_is_named(harbour: Cast, fields: dict[str, Any], field: str) -> None:
    with pytest.raises(NotShareable) as raised:
        link(harbour, **fields)
    assert raised.value.field == field


def test_nothing_of_another_project_can_be_shared(harbour: Cast) -> None:
    island = cast("island")
    for fields in (
        {"turn": island.turns[0]},
        {"scope": "comparison", "old_turn": island.turns[0]},
        {"scope": "session", "turn": None, "session": island.session},
        {"turn": harbour.turns[0], "session": island.session},
    ):
        with pytest.raises(NotShareable):
            link(harbour, **fields)
    assert not Share.objects.exists()


def test_nothing_that_is_posted_makes_a_link(harbour: Cast) -> None:
    post(harbour.project, "share", 1)
    assert not Share.objects.exists()
