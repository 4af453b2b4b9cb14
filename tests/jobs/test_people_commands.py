"""``manage.py invite`` and ``manage.py key``: people, and keys that stand for them."""

import io

import pytest
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command
from django.test import Client

from inspector.store.models import Audit, Key, Member, SignIn
from inspector.store.queries import project_of_key
from inspector.store.queries.keys import is_wellformed
from tests.store import made

pytestmark = pytest.mark.django_db


def run(*words: str) -> str:
    out = io.StringIO()
    call_command(*words, stdout=out, stderr=io.StringIO())
    return out.getvalue().strip()


def test_a_key_stands_for_the_only_owner() -> None:
    where = made.project("harbour")
    owner = made.person("ada", (where, "owner"))
    made.person("bo", (where, "member"))
    token = run("key", "--name", "ci", "--read")
    found = project_of_key(token)
    assert found is not None
    assert is_wellformed(token)
    assert (found[0], found[1].name, found[1].may_read, found[1].created_by) == (where, "ci", True, owner)
    entry = Audit.objects.get(action="key.create")
    assert (entry.actor, entry.detail["member"]) == ("command line", "ada")
    assert token not in str(entry.detail)


def test_a_key_stands_for_the_member_that_was_named() -> None:
    where = made.project("harbour")
    made.person("ada", (where, "owner"))
    bo = made.person("bo", (where, "member"))
    run("key", "--member", "bo")
    assert Key.objects.get().created_by == bo


def test_whom_a_key_stands_for_must_be_clear() -> None:
    where, other = made.project("harbour"), made.project("pier")
    made.person("ada", (where, "owner"), (other, "owner"))
    made.person("bo", (where, "owner"))
    made.person("cy", (other, "member"))
    with pytest.raises(CommandError, match=r"--project harbour\|pier"):
        run("key")
    with pytest.raises(CommandError, match=r"2 owners: say --member ada\|bo"):
        run("key", "--project", "harbour")
    with pytest.raises(CommandError, match="'cy' is no member of harbour"):
        run("key", "--project", "harbour", "--member", "cy")
    assert not Key.objects.exists()


def test_somebody_new_gets_an_account_a_place_and_a_link() -> None:
    where = made.project("harbour")
    link = run("invite", "nora", "--project", "harbour", "--role", "viewer")
    assert Member.objects.get(project=where, user__username="nora").role == "viewer"
    assert not User.objects.get(username="nora").is_superuser
    client = Client()
    assert client.post("/sign-in/" + link.rpartition("/")[2])["Location"] == "/"
    assert client.get("/p/harbour/").status_code == 200
    assert Audit.objects.get(action="member.add").detail == {
        "member": "nora",
        "role": "viewer",
        "invited": True,
    }


def test_who_is_there_gets_the_place_and_no_link() -> None:
    where = made.project("harbour")
    ada = made.person("ada")
    assert run("invite", "ADA", "--project", "harbour") == ""
    assert Member.objects.get(project=where).user == ada
    assert run("invite", "ada", "--project", "harbour", "--role", "owner") == ""
    assert Member.objects.get(project=where).role == "member"
    assert not SignIn.objects.exists()


def test_the_right_to_invite_is_given_by_the_command_alone() -> None:
    made.person("ada")
    run("invite", "ada", "--operator")
    assert User.objects.get().is_superuser


@pytest.mark.parametrize("name", ["", "a b", "x" * 151, "①"])
def test_what_is_no_name_is_refused(name: str) -> None:
    with pytest.raises(CommandError, match="at most 150"):
        run("invite", name)
    assert not User.objects.exists()
