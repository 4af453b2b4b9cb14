"""The list of turns that a query means."""

from urllib.parse import quote

import pytest

from inspector.store.models import Finding, Turn
from tests.web.cast import Cast
from tests.web.pages import page_of

pytestmark = pytest.mark.django_db(transaction=True)


def listed(cast: Cast, query: str) -> list[str]:
    """Keys of the turns that the list shows, in order."""
    page = page_of(cast.viewer.get(f"/p/harbour-desk/turns/?q={quote(query)}"))
    begin = "/p/harbour-desk/t/"
    links = [link for link in page.links if link.startswith(begin) and link.endswith("/")]
    return [link[len(begin) : -1] for link in links]


def test_turns_with_a_rule_s_finding_are_listed_with_the_place_of_it(cast: Cast, turns: list[Turn]) -> None:
    spoken = Finding.objects.filter(project=cast.project).order_by("pk")
    rule = spoken[0].rule
    keys = [found.turn.key for found in spoken.filter(rule=rule).order_by("-turn__pk")]
    assert keys
    assert listed(cast, f"rule:{rule}") == keys
    page = page_of(cast.viewer.get(f"/p/harbour-desk/turns/?q=rule:{rule}"))
    assert any(keys[0] in link and "#" in link for link in page.links)


def test_turns_are_narrowed_by_what_they_are_themselves(cast: Cast) -> None:
    blue = cast.post({"session": "s", "prompt": "a", "tags": {"room": "blue"}, "agent": "x"})
    red = cast.post({"session": "s", "prompt": "b", "tags": {"room": "red"}, "agent": "y"})
    assert listed(cast, "") == [red.key, blue.key]
    assert listed(cast, "tag:room=blue") == [blue.key]
    assert listed(cast, "tag:red") == [red.key]
    assert listed(cast, "agent:x") == [blue.key]
    assert listed(cast, f"session:{blue.session.short_id}") == [red.key, blue.key]
    assert listed(cast, "until:1h") == listed(cast, "since:2030-01-01") == []
    broken = cast.post({"session": "s", "prompt": "other words", "agent": "x"})
    assert listed(cast, "has:broken-prefix") == [broken.key]


def test_a_bad_term_is_explained_and_not_an_error(cast: Cast, turns: list[Turn]) -> None:
    for place in ("turns/", "", "search/"):
        answer = cast.viewer.get(f"/p/harbour-desk/{place}?q=since:soon")
        assert answer.status_code == 200
        assert "“since:soon” is no time" in page_of(answer).words


def test_nothing_of_another_project_is_listed(cast: Cast, turns: list[Turn]) -> None:
    assert cast.stranger.get("/p/harbour-desk/turns/").status_code == 404
    elsewhere = page_of(cast.stranger.get("/p/elsewhere/turns/"))
    assert "No turn matches" in elsewhere.words


def test_a_rule_s_page_leads_to_its_turns(cast: Cast) -> None:
    page = page_of(cast.viewer.get("/rules/wrong-type"))
    assert "/p/harbour-desk/turns/?f=rule%3Awrong-type" in page.links
