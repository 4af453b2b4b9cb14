"""Security headers on every kind of answer."""

import pytest
from django.test import Client

from tests.web.cast import Cast

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; font-src 'self'; "
    "connect-src 'self'; form-action 'self'; base-uri 'none'; object-src 'none'; frame-ancestors 'none'"
)


@pytest.mark.django_db
@pytest.mark.parametrize(
    "path",
    [
        "/sign-in/",
        "/nowhere",
        "/p/harbour-desk/",
        "/s/wrong/",
        "/api/v1/turns/x",
        "/robots.txt",
        "/health/live",
    ],
)
def test_every_answer_carries_the_policy(path: str, client: Client) -> None:
    response = client.get(path)
    assert response["Content-Security-Policy"] == POLICY
    assert response["X-Content-Type-Options"] == "nosniff"
    assert response["Cross-Origin-Opener-Policy"] == "same-origin"
    assert response["Cross-Origin-Resource-Policy"] == "same-origin"
    assert response["X-Frame-Options"] == "DENY"
    assert "unsafe" not in response["Content-Security-Policy"]


def test_pages_of_people_are_not_kept_by_caches(cast: Cast) -> None:
    response = cast.owner.get("/p/harbour-desk/")
    assert response["Cache-Control"] == "private, no-store"
    assert "HX-Request" in response["Vary"]


@pytest.mark.parametrize("rest", ["", "t/one/", "t/one/record", "..;/settings/", "rubbish"])
def test_whatever_lies_below_a_link_is_told_to_nobody(rest: str, client: Client, db: None) -> None:
    response = client.get(f"/s/{'a' * 43}/{rest}")
    assert response.status_code == 404
    assert response["Referrer-Policy"] == "no-referrer"
    assert response["Cache-Control"] == "no-store"
    assert "noindex" in response["X-Robots-Tag"]


def test_an_error_within_a_view_carries_the_policy(cast: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("inspector.web.session.listing.project_for", lambda *_: 1 / 0)
    client = cast.owner
    client.raise_request_exception = False
    response = client.get("/p/harbour-desk/")
    assert response.status_code == 500
    assert response["Content-Security-Policy"] == POLICY
    assert b"Something broke here" in response.content
    assert b"ZeroDivisionError" not in response.content
