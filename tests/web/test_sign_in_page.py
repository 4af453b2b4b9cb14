"""Signing in and out."""

import hashlib
from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.core.cache import cache
from django.test import Client
from django.utils import timezone

from inspector.store.models import Audit, Member, Project, SignIn

pytestmark = pytest.mark.django_db


@pytest.fixture
def person() -> User:
    cache.clear()
    return User.objects.create_user("nora", password="a long pass phrase")


def link(user: User, minutes: int = 5) -> str:
    token = f"token-{minutes}"
    digest = hashlib.sha256(token.encode()).digest()
    SignIn.objects.create(user=user, digest=digest, expires_at=timezone.now() + timedelta(minutes=minutes))
    return f"/sign-in/{token}"


def is_in(client: Client) -> bool:
    return client.get("/?all=1").status_code == 200


def test_a_link_works_once(person: User, client: Client) -> None:
    path = link(person)
    assert client.post(path)["Location"] == "/"
    assert is_in(client)
    second = Client()
    assert second.post(path).status_code == 404
    assert not is_in(second)


def test_looking_at_a_link_uses_nothing_up(person: User, client: Client) -> None:
    path = link(person)
    for _ in range(3):
        assert client.get(path).status_code == 200
        client.head(path)
    assert not is_in(client)
    client.post(path)
    assert is_in(client)


def test_an_old_link_and_a_wrong_one_look_the_same(person: User, client: Client) -> None:
    old, wrong = client.get(link(person, -1)), client.get("/sign-in/no-such-token")
    assert old.status_code == wrong.status_code == 404
    assert b"has been used or has expired" in old.content


def test_a_person_who_was_switched_off_stays_out(person: User, client: Client) -> None:
    path = link(person)
    User.objects.update(is_active=False)
    assert client.post(path).status_code == 404


def test_name_and_password_let_in_and_the_session_changes(person: User, client: Client) -> None:
    response = client.post(
        "/sign-in/", {"username": "nora", "password": "a long pass phrase", "next": "/rules/"}
    )
    assert response["Location"] == "/rules/"
    assert is_in(client)
    client.post("/sign-out/")
    assert not is_in(client)


def test_a_wrong_name_and_a_wrong_password_look_the_same(person: User, client: Client) -> None:
    name = client.post("/sign-in/", {"username": "nora", "password": "x"})
    nobody = client.post("/sign-in/", {"username": "nobody", "password": "x"})
    assert name.status_code == nobody.status_code == 403
    assert name.content.replace(b"nora", b"nobody")[:2000] == nobody.content[:2000]


def test_guessing_is_slowed_down(person: User, client: Client) -> None:
    statuses = [
        client.post("/sign-in/", {"username": "nora", "password": str(n)}).status_code for n in range(12)
    ]
    assert statuses[0] == 403
    assert statuses[-1] == 429


@pytest.mark.parametrize(
    "target", ["//evil.example", "https://evil.example", "/\\evil.example", "javascript:alert(1)", "\\\\evil"]
)
def test_nobody_is_sent_to_another_host(target: str, person: User, client: Client) -> None:
    data = {"username": "nora", "password": "a long pass phrase", "next": target}
    assert client.post("/sign-in/", data)["Location"] == "/"
    assert client.post("/theme/", {"theme": "dark", "next": target})["Location"] == "/"


def test_a_form_without_its_token_is_refused_with_a_page_of_ours(person: User) -> None:
    response = Client(enforce_csrf_checks=True).post("/sign-in/", {"username": "nora", "password": "x"})
    assert response.status_code == 403
    assert b"That form has expired" in response.content


def test_a_good_sign_in_is_not_counted_as_a_guess(person: User, client: Client) -> None:
    good = {"username": "nora", "password": "a long pass phrase"}
    assert {client.post("/sign-in/", good).status_code for _ in range(15)} == {302}


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"old": "wrong", "new": "another long phrase", "again": "another long phrase"}, "is wrong"),
        ({"old": "a long pass phrase", "new": "another long phrase", "again": "x"}, "differ"),
        ({"old": "a long pass phrase", "new": "short", "again": "short"}, "too short"),
    ],
)
def test_a_wrong_password_form_is_explained(
    fields: dict[str, str], words: str, person: User, client: Client
) -> None:
    client.force_login(person)
    response = client.post("/account/", fields)
    assert response.status_code == 400
    assert words in response.content.decode()


def test_a_new_password_works_and_this_browser_stays_in(person: User, client: Client) -> None:
    client.force_login(person)
    other = Client()
    other.force_login(person)
    fields = {"old": "a long pass phrase", "new": "another long phrase", "again": "another long phrase"}
    assert client.post("/account/", fields).status_code == 200
    assert is_in(client)
    assert not is_in(other)
    person.refresh_from_db()
    assert person.check_password("another long phrase")


def test_somebody_without_a_password_needs_none_to_set_one(client: Client) -> None:
    user = User.objects.create_user("fresh")
    client.force_login(user)
    assert (
        client.post("/account/", {"new": "another long phrase", "again": "another long phrase"}).status_code
        == 200
    )


def test_signing_in_is_in_the_audit_of_the_person_s_projects(person: User, client: Client) -> None:
    mine, other = (Project.objects.create(name=slug, slug=slug) for slug in ("mine", "other"))
    Member.objects.create(project=mine, user=person, role="viewer")
    path = link(person)
    client.post(path, REMOTE_ADDR="203.0.113.77")
    Client().post("/sign-in/", {"username": "nora", "password": "a long pass phrase"})
    Client().post("/sign-in/", {"username": "nora", "password": "wrong"})
    entries = list(Audit.objects.filter(project=mine).order_by("pk"))
    assert [(entry.actor, entry.action, entry.detail["by"]) for entry in entries] == [
        ("nora", "member.sign_in", "link"),
        ("nora", "member.sign_in", "password"),
    ]
    assert entries[0].detail["network"] == "203.0.113.0"
    assert not Audit.objects.filter(project=other).exists()
