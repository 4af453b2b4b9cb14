"""Projects, sessions, one session, search, start, rules and the theme."""

import re

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from inspector.store.models import Member, Project, Turn
from inspector.turns.findings import RULES
from inspector.web.session.sizes import sizes
from tests.web.cast import Cast
from tests.web.pages import page_of
from tests.web.prompts import payload

P = "/p/harbour-desk/"


def test_the_only_project_is_the_front_page(cast: Cast) -> None:
    assert cast.viewer.get("/")["Location"] == P
    assert "Harbour desk" in page_of(cast.viewer.get("/?all=1")).words


def test_a_new_project_belongs_to_who_made_it_and_shows_how_to_begin(cast: Cast) -> None:
    response = cast.stranger.post("/", {"name": "Harbour desk"}, follow=True)
    assert response.request["PATH_INFO"] == "/p/harbour-desk-2/start/"
    assert Member.objects.get(project__slug="harbour-desk-2").role == "owner"
    assert cast.stranger.post("/", {"name": " \x00 "}).status_code == 400
    assert Project.objects.filter(slug="project").count() == 0


def test_an_empty_project_shows_how_to_post_and_notices_the_first_turn(cast: Cast) -> None:
    page = page_of(cast.viewer.get(P))
    assert "Waiting for the first turn" in page.words
    assert "curl http://testserver/api/v1/turns" in page.words
    watch = next(at["hx-get"] or "" for _, at in page.elements if "start/news" in (at.get("hx-get") or ""))
    assert cast.viewer.get(watch).status_code == 204
    turn = cast.post(payload(1), read=False)
    assert cast.viewer.get(watch)["HX-Redirect"] == f"{P}s/{turn.session.short_id}/"


def test_sessions_are_listed_with_their_figures(cast: Cast, turns: list[Turn]) -> None:
    page = page_of(cast.viewer.get(P))
    for words in ("harbour:1", "harbour", "tide-2", "bookBerth", "Live", "ago"):
        assert words in page.words, words


def test_chips_say_how_many_sessions_they_would_leave(cast: Cast, turns: list[Turn]) -> None:
    cast.post(payload(9, session="alone", agent="cook", model="tide-9"))
    chips = chips_of(cast, P)
    assert (chips["harbour"], chips["cook"], chips["tide-2"]) == (1, 1, 1)
    assert chips["1h"] == 2
    # Another agent takes the place of the chosen one: its chip still counts all of its sessions.
    narrowed = chips_of(cast, f"{P}?f=agent:harbour")
    assert (narrowed["cook"], narrowed["1h"]) == (1, 1)
    assert "tide-9" not in narrowed
    assert "1 session" in page_of(cast.viewer.get(f"{P}?f=agent:harbour")).words


def chips_of(cast: Cast, address: str) -> dict[str, int]:
    """Name and count of each chip of a page."""
    html = cast.viewer.get(address).content.decode()
    found = re.findall(
        r'<a class="chip"[^>]*><span class="clip">([^<]+)</span> <span class="n">([\d,]+)', html
    )
    return {name: int(count) for name, count in found}


def test_the_field_suggests_terms_of_this_project(cast: Cast, turns: list[Turn]) -> None:
    for path in ("", "turns/", "search/"):
        page = page_of(cast.viewer.get(P + path))
        terms = {at.get("value") for tag, at in page.elements if tag == "option"}
        assert {"agent:harbour", "action:bookBerth", "has:error", "model:tide-2", "since:1h"} <= terms, path


def test_choosing_b_elsewhere_survives_filters_and_pages(cast: Cast, turns: list[Turn]) -> None:
    key = turns[0].key
    page = page_of(cast.viewer.get(f"{P}?a={key}"))
    filters = [link for link in page.links if link.startswith("?f=")]
    assert filters
    assert all(f"a={key}" in link for link in filters)
    session = page_of(cast.viewer.get(f"{P}s/{turns[0].session.short_id}/?from={key}"))
    narrowed = [link for link in session.links if "show=" in link]
    assert narrowed
    assert all(f"from={key}" in link for link in narrowed)


def test_looking_for_the_exact_text_survives_filters(cast: Cast, turns: list[Turn]) -> None:
    page = page_of(cast.viewer.get(f"{P}search/?q=berth&mode=exact"))
    assert all("mode=exact" in link for link in page.links if link.startswith("?f="))
    kept = [at for tag, at in page.elements if tag == "input" and at.get("name") == "mode"]
    assert [at.get("value") for at in kept] == ["exact"]


def test_sessions_show_how_prompts_grew_and_how_much_was_reused(cast: Cast, turns: list[Turn]) -> None:
    page = page_of(cast.viewer.get(P))
    labels = [
        at.get("aria-label") or "" for tag, at in page.elements if tag == "svg" and at.get("role") == "img"
    ]
    assert any(label.startswith("Prompt size over the latest turns") for label in labels)
    assert any(tag == "polyline" for tag, _ in page.elements)


def test_a_session_whose_latest_turn_failed_says_so(cast: Cast) -> None:
    cast.post(payload(1, error="rate limited"))
    assert "Failed" in page_of(cast.viewer.get(P)).words
    cast.post(payload(2))
    assert "Failed" not in page_of(cast.viewer.get(P)).words


def test_reuse_is_counted_over_turns_that_had_one_before() -> None:
    found = sizes([(100, None, False), (200, 150, False), (100, 0, False)])
    assert (found.shared, found.compared, found.is_low) == (150, 300, False)
    assert sizes([(100, None, False)]).shared is None
    assert sizes([(100, None, False), (100, 1, False)]).is_low


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("f=agent:harbour", True),
        ("f=agent:other", False),
        ("f=has:error", True),
        ("f=rule:wrong-type", True),
        ("f=rule:nothing", False),
        ("f=action:bookBerth", True),
        ("f=since:1h", True),
        ("q=harbour", True),
        ("q=nowhere", False),
        ("q=agent:harbour", True),
    ],
)
def test_sessions_can_be_narrowed(query: str, found: bool, cast: Cast, turns: list[Turn]) -> None:
    page = page_of(cast.viewer.get(f"{P}?{query}"))
    assert any("/s/" in link for link in page.links) is found
    assert ("No session matches." in page.words) is not found


def test_a_token_can_be_removed_again(cast: Cast, turns: list[Turn]) -> None:
    page = page_of(cast.viewer.get(f"{P}?f=agent:harbour&f=has:error"))
    assert "?f=has%3Aerror" in page.links


def test_a_broken_cursor_is_explained(cast: Cast, turns: list[Turn]) -> None:
    assert "cursor" in page_of(cast.viewer.get(f"{P}?cursor=nonsense")).words


def test_the_pill_counts_new_turns_and_is_quiet_without(cast: Cast, turns: list[Turn]) -> None:
    page = page_of(cast.viewer.get(P))
    watch = next(at["hx-get"] or "" for _, at in page.elements if at.get("id") == "news")
    assert cast.viewer.get(watch).status_code == 204
    cast.post(payload(4), read=False)
    news = cast.viewer.get(watch)
    assert "1 new turn" in page_of(news).words
    assert page_of(news).links == [P]


def test_lists_never_open_a_record(cast: Cast, turns: list[Turn]) -> None:
    with CaptureQueriesContext(connection) as queries:
        cast.viewer.get(P)
        cast.viewer.get(f"{P}s/{turns[0].session.short_id}/")
    assert not [query["sql"] for query in queries if "inspector_record" in query["sql"]]
    assert len(queries) < 60


def test_a_session_shows_composition_and_turns(cast: Cast, turns: list[Turn]) -> None:
    page = page_of(cast.viewer.get(f"{P}s/{turns[0].session.short_id}/"))
    for words in (
        "What the prompt is made of",
        "Same numbers as a table",
        "Turn 3",
        "bookBerth",
        "first turn",
        "Compare A with B",
    ):
        assert words in page.words, words
    rects = [at for tag, at in page.elements if tag == "rect" and (at.get("class") or "").startswith("k-")]
    assert len(rects) > 10
    radios = [at for tag, at in page.elements if tag == "input" and at.get("type") == "radio"]
    assert [at["value"] for at in radios if "checked" in at] == ["turn-2", "turn-3"]


@pytest.mark.parametrize(("show", "count"), [("findings", 3), ("broken", 0), ("nonsense", 3)])
def test_turns_can_be_narrowed(show: str, count: int, cast: Cast, turns: list[Turn]) -> None:
    page = page_of(cast.viewer.get(f"{P}s/{turns[0].session.short_id}/?show={show}"))
    rows = [at for tag, at in page.elements if tag == "input" and at.get("name") == "a"]
    assert len(rows) == count or show == "broken"


def test_a_session_s_pill_counts_its_own_turns_only(cast: Cast, turns: list[Turn]) -> None:
    page = page_of(cast.viewer.get(f"{P}s/{turns[0].session.short_id}/"))
    watch = next(at["hx-get"] or "" for _, at in page.elements if at.get("id") == "news")
    cast.post({"session": "another", "prompt": "x"}, read=False)
    assert cast.viewer.get(watch).status_code == 204
    cast.post(payload(5), read=False)
    assert "1 new turn" in page_of(cast.viewer.get(watch)).words


def test_search_finds_the_turn_that_introduced_the_words(cast: Cast, turns: list[Turn]) -> None:
    page = page_of(cast.viewer.get(f"{P}search/?q=skipper+2"))
    assert "introduced in turn 3" in page.words
    assert any(tag == "mark" for tag, _ in page.elements)
    assert any(link.startswith(f"{P}t/turn-3/?line=") for link in page.links)


def test_search_says_when_nothing_is_found_and_when_nothing_was_asked(cast: Cast, turns: list[Turn]) -> None:
    assert "Nothing found" in page_of(cast.viewer.get(f"{P}search/?q=zeppelin")).words
    assert "Type words" in page_of(cast.viewer.get(f"{P}search/")).words


def test_search_in_a_stranger_s_project_finds_nothing_of_ours(cast: Cast, turns: list[Turn]) -> None:
    assert "Nothing found" in page_of(cast.stranger.get("/p/elsewhere/search/?q=skipper")).words
    assert "harbour" not in page_of(cast.stranger.get("/p/elsewhere/")).words


@pytest.mark.parametrize("name", [rule.name for rule in RULES])
def test_every_rule_has_its_page(name: str, cast: Cast) -> None:
    page = page_of(cast.viewer.get(f"/rules/{name}"))
    assert name in page.words
    assert len(page.words) > 200


def test_all_rules_are_listed(cast: Cast) -> None:
    assert len(
        [link for link in page_of(cast.viewer.get("/rules/")).links if link.startswith("/rules/")]
    ) == len(RULES)


def test_the_theme_is_kept_in_a_cookie(cast: Cast) -> None:
    cast.viewer.post("/theme/", {"theme": "dark", "next": P})
    assert b'data-theme="dark"' in cast.viewer.get(P).content
    cast.viewer.post("/theme/", {"theme": "auto", "next": P})
    assert b"data-theme" not in cast.viewer.get(P).content


def test_crawlers_are_sent_away(cast: Cast) -> None:
    assert cast.anonymous.get("/robots.txt").content == b"User-agent: *\nDisallow: /\n"


def test_pages_have_one_h1_a_skip_link_and_labelled_landmarks(cast: Cast, turns: list[Turn]) -> None:
    for path in (
        P,
        f"{P}s/{turns[0].session.short_id}/",
        f"{P}t/turn-2/",
        f"{P}compare/turn-1/turn-2/",
        f"{P}search/?q=berth",
        f"{P}settings/",
        "/rules/",
    ):
        page = page_of(cast.owner.get(path))
        tags = [tag for tag, _ in page.elements]
        assert tags.count("h1") == 1, path
        assert tags.count("main") == 1, path
        assert "#main" in page.links, path
        assert [name for name, count in page.ids.items() if count > 1] == [], path
        inputs = [
            at
            for tag, at in page.elements
            if tag in ("input", "select") and at.get("type") not in ("hidden", "radio", "checkbox")
        ]
        labels = {at.get("for") for tag, at in page.elements if tag == "label"}
        assert all(at.get("id") in labels for at in inputs), path
