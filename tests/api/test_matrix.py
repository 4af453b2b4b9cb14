# ruff: noqa: E501 - lists of odd paths and headers
"""Every call of the API × every kind of key. A call that is not listed here fails the test."""

from typing import Any

import pytest
from django.test import Client
from django.urls import URLPattern

from inspector.api.urls import urlpatterns
from inspector.store.models import Share, Turn
from tests.api.conftest import Caller, Place, read_all

pytestmark = pytest.mark.django_db

TURN = {"prompt": "# Role\nYou steer a boat.", "session": "voyage", "response": "Aye."}
CALLS: dict[str, tuple[str, str, Any]] = {
    "api-post_turn": ("POST", "/turns", TURN),
    "api-post_batch": ("POST", "/turns/batch", [TURN]),
    "api-post_response": ("POST", "/turns/{turn}/response", {"response": "Aye."}),
    "api-post_results": ("POST", "/turns/{turn}/results", {"results": [{"call": 0, "value": 1}]}),
    "api-read": ("POST", "/read", TURN),
    "api-turn_named_batch": ("GET", "/turns/batch", None),
    "api-delete_turn_named_batch": ("DELETE", "/turns/batch", None),
    "api-get_turn": ("GET", "/turns/{turn}", None),
    "api-get_record": ("GET", "/turns/{turn}/record", None),
    "api-get_text": ("GET", "/turns/{turn}/text", None),
    "api-get_changes": ("GET", "/turns/{turn}/changes/{turn}", None),
    "api-get_blame": ("GET", "/turns/{turn}/blame", None),
    "api-get_sessions": ("GET", "/sessions", None),
    "api-get_session": ("GET", "/sessions/{session}", None),
    "api-get_session_turns": ("GET", "/sessions/{session}/turns", None),
    "api-get_history": ("GET", "/sessions/{session}/history?section=role", None),
    "api-get_presence": ("GET", "/sessions/{session}/presence?q=boat", None),
    "api-get_search": ("GET", "/search?q=boat", None),
    "api-get_versions": ("GET", "/versions", None),
    "api-get_kinds": ("GET", "/kinds", None),
    "api-put_kinds": ("PUT", "/kinds", {"kinds": {"Cargo": "contexts"}}),
    "api-post_reread": ("POST", "/reread", {}),
    "api-get_reread": ("GET", "/reread", None),
    "api-post_share": ("POST", "/shares", {"scope": "turn", "turn": "{turn}"}),
    "api-get_shares": ("GET", "/shares", None),
    "api-delete_share": ("DELETE", "/shares/{share}", None),
    "api-delete_one_turn": ("DELETE", "/turns/{turn}", None),
    "api-delete_one_session": ("DELETE", "/sessions/{session}", None),
}
OPEN = {
    "health-live": "/health/live",
    "health-ready": "/health/ready",
    "api-docs": "/api/v1/docs",
    "api-openapi": "/api/v1/openapi.json",
    "api-unknown": "/api/v1/nowhere",
}
"""Answered without a key; they hold nothing of any project."""
POSTING = {"api-post_turn", "api-post_batch", "api-post_response", "api-post_results", "api-read"}
LISTS = {
    "api-get_sessions", "api-get_search", "api-get_versions", "api-get_shares",
    "api-get_kinds", "api-put_kinds", "api-post_reread", "api-get_reread",
}  # fmt: skip
"""Answered to another project's reader too, with that project's own things."""
CREATED = {"api-post_turn", "api-post_share"}


@pytest.fixture
def filled(ours: Place, theirs: Place) -> dict[str, str]:
    """A turn, a session and a link in our project; what stands in for them in paths and bodies."""
    place = ours.reader.post("/turns", TURN | {"id": "t1"}).json()
    ours.reader.post("/turns", TURN | {"id": "batch"})
    read_all()
    share = ours.reader.post("/shares", {"scope": "turn", "turn": "t1"})
    assert share.status_code == 201, share.content
    return {"turn": "t1", "session": place["session_id"], "share": str(share.json()["id"])}


def ask(caller: Caller, call: str, names: dict[str, str]) -> Any:
    method, path, body = CALLS[call]
    if call == "api-post_share":
        body = body | {"turn": names["turn"]}
    return caller.call(method, path.format(**names), body)


def test_every_path_is_in_this_table() -> None:
    named = {pattern.name for pattern in urlpatterns if isinstance(pattern, URLPattern)}
    assert named == CALLS.keys() | OPEN.keys()


@pytest.mark.parametrize("call", CALLS)
def test_no_key_a_wrong_one_or_a_revoked_one_is_401(ours: Place, filled: dict[str, str], call: str) -> None:
    for caller in (Caller(), Caller("pi_" + "x" * 49), Caller("nonsense"), ours.revoked):
        answer = ask(caller, call, filled)
        assert (answer.status_code, answer.json()["error"]["code"]) == (401, "unauthorized")
        assert answer.headers["WWW-Authenticate"] == "Bearer"


@pytest.mark.parametrize("call", CALLS)
def test_a_key_that_may_only_post_is_403_for_all_that_reads(
    ours: Place, filled: dict[str, str], call: str
) -> None:
    answer = ask(ours.poster, call, filled)
    if call in POSTING:
        assert answer.status_code in (200, 201), answer.content
    else:
        assert (answer.status_code, answer.json()["error"]["code"]) == (403, "forbidden")


@pytest.mark.parametrize("call", CALLS)
def test_a_key_that_may_read_gets_its_answer(ours: Place, filled: dict[str, str], call: str) -> None:
    answer = ask(ours.reader, call, filled)
    assert answer.status_code in ((201,) if call in CREATED else (200, 201)), answer.content


@pytest.mark.parametrize("call", sorted(CALLS.keys() - POSTING - LISTS))
def test_another_projects_ids_are_404_just_like_ids_that_do_not_exist(
    theirs: Place, filled: dict[str, str], call: str
) -> None:
    nothing = {"turn": "t9", "session": "a" * 12, "share": "999999"}
    real, random = ask(theirs.reader, call, filled), ask(theirs.reader, call, nothing)
    assert (real.status_code, real.content) == (404, random.content)
    assert dict(real.headers) == dict(random.headers)
    assert Share.objects.get(pk=filled["share"]).revoked_at is None


@pytest.mark.parametrize("call", sorted(LISTS))
def test_lists_hold_nothing_of_another_project(theirs: Place, filled: dict[str, str], call: str) -> None:
    answer = ask(theirs.reader, call, filled)
    assert answer.status_code == 200
    assert not any(name.encode() in answer.content for name in (filled["session"], '"t1"', "voyage"))


def test_the_same_ids_in_two_projects_never_meet(ours: Place, theirs: Place, filled: dict[str, str]) -> None:
    same = theirs.poster.post("/turns", {"id": "t1", "session": "voyage", "prompt": "Another text"})
    assert same.status_code == 201
    assert same.json()["session_id"] != filled["session"]
    part = theirs.poster.post("/turns/t1/response", {"response": "Not yours."})
    assert part.status_code == 201
    assert ours.reader.get("/turns/t1").json()["response"]["text"] == "Aye."


def test_a_body_that_another_project_has_is_answered_like_any_new_one(ours: Place, theirs: Place) -> None:
    body = {"session": "s", "prompt": "The very same bytes. " * 200}
    ours.poster.post("/turns", body)
    known, fresh = (theirs.poster.post("/turns", body | extra) for extra in ({}, {"session": "r"}))
    assert known.status_code == fresh.status_code == 201
    assert known.json().keys() == fresh.json().keys()
    assert {name for name in known.headers if known.headers[name] != fresh.headers[name]} <= {
        "Content-Length"
    }


@pytest.mark.parametrize("call", CALLS)
def test_a_session_cookie_lets_nobody_in(ours: Place, filled: dict[str, str], call: str) -> None:
    client = Client()
    client.force_login(ours.owner)
    assert ask(Caller(client=client), call, filled).status_code == 401


@pytest.mark.parametrize("call", CALLS)
@pytest.mark.parametrize("where", ["key=x", "token=x", "access_token=x", "Authorization=Bearer", "q={key}"])
def test_a_key_in_the_url_is_refused_even_beside_a_right_one(
    ours: Place, filled: dict[str, str], call: str, where: str
) -> None:
    method, path, body = CALLS[call]
    path = path.format(**filled)
    for caller in (ours.reader, Caller()):
        query = where.format(key=ours.reader.token)
        answer = caller.call(method, f"{path}{'&' if '?' in path else '?'}{query}", body)
        assert (answer.status_code, answer.json()["error"]["code"]) == (400, "key_in_url")


@pytest.mark.parametrize(
    "header",
    ["", "Bearer", "Bearer ", "Basic {key}", "Token {key}", "{key}", "Bearer {key} x", "Bearer  '{key}'",
     "Bearer ' OR 1=1 --", "Bearer pi_\x00", "Bearer " + "pi_" + "x" * 100_000, "Bearer pi_é\ud800"],
)  # fmt: skip
def test_only_the_bearer_header_counts(ours: Place, header: str) -> None:
    client = Client(raise_request_exception=False)
    value = header.format(key=ours.reader.token)
    answer = client.get("/api/v1/sessions", HTTP_AUTHORIZATION=value)
    assert (answer.status_code, answer.json()["error"]["code"]) == (401, "unauthorized")


def test_the_scheme_may_be_written_in_any_case(ours: Place) -> None:
    answer = Client().get("/api/v1/sessions", HTTP_AUTHORIZATION=f"bearer {ours.reader.token}")
    assert answer.status_code == 200


METHODS = ("GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE", "TRACE", "PROPFIND")


@pytest.mark.parametrize("call", CALLS)
def test_a_wrong_method_is_405_in_our_own_words(ours: Place, filled: dict[str, str], call: str) -> None:
    path = CALLS[call][1].format(**filled)
    right = {method for method, other, _ in CALLS.values() if other == CALLS[call][1]}
    for method in METHODS:
        if method in right:
            continue
        answer = ours.reader.call(method, path)
        assert answer.status_code == 405, (method, path)
        assert set(answer.headers["Allow"].split(", ")) == right
        assert method == "HEAD" or answer.json()["error"]["code"] == "method_not_allowed"


@pytest.mark.parametrize(
    "path",
    ["/api", "/api/", "/api/v1", "/api/v1/", "/api/v2/turns", "/api/v1/turns/", "/api/v1/nope", "/api/v1/turns/a/b/c",
     "/api/V1/turns", "/api/v1//turns", "/api/v1/turns/%2e%2e/%2e%2e", "/api/v1/..;/admin",
     "/api/v1/%00", "/api/v1/turns%2Fbatch%2Fx", "/api/v1/docs/", "/api/v1/é"],
)  # fmt: skip
@pytest.mark.parametrize("method", ["GET", "POST", "PUT", "DELETE"])
def test_unknown_paths_are_404_in_our_own_words(ours: Place, path: str, method: str) -> None:
    answer = ours.reader.client.generic(method, path, headers=ours.reader.headers())
    assert (answer.status_code, answer.json()["error"]["code"]) == (404, "not_found"), path
    assert not Turn.objects.exists()


@pytest.mark.parametrize("name", sorted(OPEN.keys() - {"api-unknown"}))
def test_what_is_open_answers_without_a_key(ours: Place, filled: dict[str, str], name: str) -> None:
    answer = Client().get(OPEN[name])
    assert answer.status_code == 200
    assert b"voyage" not in answer.content
    assert b"<script" not in answer.content
    assert b"style=" not in answer.content
    assert Client().post(OPEN[name]).status_code == 405


def test_no_answer_sets_a_cookie_or_may_be_cached(ours: Place, filled: dict[str, str]) -> None:
    for call in CALLS:
        answer = ask(ours.reader, call, filled)
        assert not answer.cookies
        assert "no-store" in answer.headers["Cache-Control"]
        assert answer.headers["X-Content-Type-Options"] == "nosniff"


def test_no_answer_holds_a_key_or_its_hash(ours: Place, filled: dict[str, str]) -> None:
    for call in CALLS:
        content = ask(ours.reader, call, filled).content.decode()
        assert ours.reader.token is not None
        assert ours.reader.token[3:] not in content
        assert "digest" not in content or call in ("api-get_turn", "api-turn_named_batch", "api-read", "api-get_history",
                                                   "api-get_changes", "api-get_versions")  # fmt: skip
