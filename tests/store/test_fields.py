"""Text and JSON from outside survive any database."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspector.store.models import Session
from inspector.store.models.fields import original, storable
from tests.store import made

ODD = ["", "plain", "user\x00", "\x10", "\x100", "a\ud83d", "\x10\x10d83d", "é漢\U0001f600", "%_\\", "'\""]


@given(st.text(st.characters(exclude_categories=())))
def test_any_text_comes_back(text: str) -> None:
    kept = storable(text)
    assert original(kept) == text
    assert "\x00" not in kept
    kept.encode()


@given(st.text("\x00\x10d08\ud800"), st.text("\x00\x10d08\ud800"))
def test_different_texts_stay_different(one: str, other: str) -> None:
    assert (storable(one) == storable(other)) == (one == other)


@pytest.mark.django_db
def test_names_that_differ_by_nul_are_two_sessions() -> None:
    where = made.project()
    keys = [made.turn(where, session=key).session_id for key in ("user", "user\x00", "user\ud800", "user")]
    assert len(set(keys)) == 3
    assert keys[0] == keys[3]


@pytest.mark.django_db
@pytest.mark.parametrize("text", ODD)
def test_a_session_keeps_its_key_and_agent(text: str) -> None:
    turn = made.turn(made.project(), session=text or None, agent=text)
    session = Session.objects.get(pk=turn.session_id)
    assert session.agent == text
    assert session.key == (text or turn.key)


@pytest.mark.django_db
@pytest.mark.parametrize("value", [["a", "b\x00"], {"k\ud83d": 2**70}, [], [1e300, None, True]])
def test_json_comes_back(value: Any) -> None:
    session = Session.objects.get(pk=made.turn(made.project()).session_id)
    session.actions = value
    session.save()
    assert Session.objects.get(pk=session.pk).actions == value


@pytest.mark.django_db
def test_has_finds_whole_names_only() -> None:
    session = Session.objects.get(pk=made.turn(made.project()).session_id)
    session.actions = ["send_mail", 'say "hi"', "naïve\x00", "50%"]
    session.save()

    def found(name: str) -> bool:
        return Session.objects.filter(actions__has=name).exists()

    assert all(found(name) for name in session.actions)
    assert not any(found(name) for name in ("send", "sendXmail", "mail", "50", "%", "naïve"))
