"""The history of a session's sections."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from inspector.store.models import Turn
from inspector.web import chains
from tests.web.cast import Cast
from tests.web.pages import page_of
from tests.web.test_hostile import EVIL, check

NOTES = ["one\n", "one\ntwo\n", "one\ntwo\n", "two\nthree\n"]


def prompt(notes: str) -> str:
    return f"<role>\nYou are the harbour master.\n</role>\n<notes>\n{notes}</notes>\n"


@pytest.fixture
def session(cast: Cast) -> str:
    for number, notes in enumerate(NOTES, 1):
        turn = cast.post({"id": f"n{number}", "session": "notes", "prompt": prompt(notes), "response": "ok"})
    return f"/p/harbour-desk/s/{turn.session.short_id}/history/"


def test_every_section_is_listed_with_how_often_it_changed(cast: Cast, session: str) -> None:
    page = page_of(cast.viewer.get(session))
    assert "2 of 3 turns" in page.words
    assert "never" in page.words
    assert any("section=notes" in link and "seq=4" in link for link in page.links)


def test_a_section_shows_its_versions_its_lines_and_what_went(cast: Cast, session: str) -> None:
    response = cast.viewer.get(f"{session}?section=notes")
    page = page_of(response)
    assert "3 in 4 turns" in page.words
    assert "changed 2 of 3 turns" in page.words
    assert "2 in, 1 out" in page.words
    assert "version 3 of 3" in page.words
    assert "Lines no longer here" in page.words
    lines = response.context["lines"]
    assert [line.who for line in lines if line.who] == ["turn 1", "turn 2", "turn 4", "turn 1"]
    assert [gone.who for gone in response.context["gone"]] == ["turn 4"]
    assert "/p/harbour-desk/t/n2/?line=6#L6" in page.links


def test_the_slider_has_a_link_for_every_turn_and_keeps_the_section(cast: Cast, session: str) -> None:
    page = page_of(cast.viewer.get(f"{session}?section=notes"))
    for seq in (1, 2, 3, 4):
        assert f"{session}?section=notes&seq={seq}" in page.links
    chosen = cast.viewer.get(f"{session}?section=notes&seq=3")
    assert chosen.context["chosen"].number == 2
    here = [c.title for c in chosen.context["columns"] if c.here]
    assert here == ["turn 3"]
    assert chosen.context["chosen"].words == "turns 2–3"


def test_the_changes_of_the_chosen_version_are_drawn(cast: Cast, session: str) -> None:
    page = page_of(cast.viewer.get(f"{session}?section=notes&seq=2"))
    rows = [at.get("class") for tag, at in page.elements if tag == "tr"]
    assert rows.count("add") == 1
    assert rows.count("del") == 0
    assert "/p/harbour-desk/compare/n1/n2/" in page.links
    first = cast.viewer.get(f"{session}?section=notes&seq=1")
    assert first.context["diff"] is None
    assert "Changed in turn" not in page_of(first).words


def test_what_does_not_exist_is_not_found(cast: Cast, session: str) -> None:
    assert cast.viewer.get(f"{session}?section=nope").status_code == 404
    assert cast.viewer.get(f"{session}?section=notes&seq=99").status_code == 404
    assert cast.viewer.get(f"{session}?section=notes&seq=x").status_code == 200


def test_a_section_that_came_back_tells_so(cast: Cast, session: str) -> None:
    cast.post({"id": "n5", "session": "notes", "prompt": "<role>\nYou are the harbour master.\n</role>\n"})
    cast.post({"id": "n6", "session": "notes", "prompt": prompt(NOTES[0])})
    page = page_of(cast.viewer.get(f"{session}?section=notes"))
    assert "v4 = v1" in page.words
    assert "after 1 turn without it" in page.words
    assert cast.viewer.get(f"{session}?section=notes&seq=5").context["chosen"].number == 3


def test_other_agents_turns_are_left_out_and_counted(cast: Cast, session: str) -> None:
    cast.post({"id": "sub", "session": "notes", "agent": "other", "parent": "n4", "prompt": prompt("x\n")})
    response = cast.viewer.get(f"{session}?section=notes")
    assert response.context["chain"].others == 1
    assert len(response.context["versions"].found) == 3
    assert "other agents" in page_of(response).words
    assert cast.viewer.get(f"{session}?section=notes&seq=5").context["versions"].turns == 1


def test_a_session_without_readings_says_so(cast: Cast) -> None:
    turn = cast.post({"id": "late", "session": "late", "prompt": "x"}, read=False)
    page = page_of(cast.viewer.get(f"/p/harbour-desk/s/{turn.session.short_id}/history/"))
    assert "No turn of this session has been read yet." in page.words


def test_panels_link_to_the_history_of_their_section(cast: Cast, session: str) -> None:
    page = page_of(cast.viewer.get("/p/harbour-desk/t/n4/"))
    assert f"{session}?section=notes&seq=4" in page.links
    assert "since turn 1" in page.words


def test_a_long_session_s_history_is_small_and_asks_few_queries(cast: Cast) -> None:
    line = 'The <b>ferry</b> leaves {"at": 10, "to": "the island"} and comes back.\n'
    for number in range(70):
        text = "".join(f"{n if n % 7 else number} {line}" for n in range(400))
        turn = cast.post(
            {"id": f"l{number}", "session": "long", "prompt": prompt(text)}, read=number % 35 == 34
        )
    base = f"/p/harbour-desk/s/{turn.session.short_id}/history/"
    for query in ("", "?section=notes", "?section=notes&seq=40", "?section=notes&seq=1"):
        with CaptureQueriesContext(connection) as asked:
            response = cast.viewer.get(f"{base}{query}")
        assert response.status_code == 200
        assert len(response.content) <= 300_000, query
        assert page_of(response).count <= 3_000, query
        assert len(asked) < 25, query
    assert "versions 55–70 drawn" in page_of(cast.viewer.get(f"{base}?section=notes")).words
    assert (
        "40 versions further away are not listed." in page_of(cast.viewer.get(f"{base}?section=notes")).words
    )


def test_names_and_texts_are_escaped(cast: Cast) -> None:
    for number in (1, 2):
        turn = cast.post(
            {"id": f"e{number}", "session": EVIL, "prompt": f"## {EVIL}\n{EVIL} {number}\n## \ud800\nx\n"}
        )
    base = f"/p/harbour-desk/s/{turn.session.short_id}/history/"
    page = cast.viewer.get(base)
    check(page, base)
    links = [link for link in page_of(page).links if "section=" in link]
    assert len(links) == 2
    for link in links:
        check(cast.viewer.get(link), link)


def test_a_shared_session_has_no_way_to_histories(cast: Cast, turns: list[Turn]) -> None:
    made = cast.owner.post(
        "/p/harbour-desk/share/", {"turn": "turn-2", "scope": "session", "days": "7", "mask": "secrets"}
    )
    url = made.context["made"]["url"].replace("http://testserver", "")
    for path in (url, f"{url}t/turn-2/", f"{url}t/turn-2/?blame=1", f"{url}compare/turn-1/turn-2/"):
        response = cast.anonymous.get(path)
        assert response.status_code == 200
        text = response.content.decode()
        for word in (
            "/history/",
            "/presence/",
            "/prefix/",
            "code__who",
            "since turn",
            "Did the model see it",
        ):
            assert word not in text, (path, word)


def test_of_a_very_long_session_the_turns_around_the_asked_one_are_looked_at(
    cast: Cast, session: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(chains, "MOST", 2)
    latest = cast.viewer.get(f"{session}?section=notes").context["chain"]
    assert ([row.seq for row in latest.rows], latest.earlier, latest.later) == ([3, 4], 2, 0)
    response = cast.viewer.get(f"{session}?section=notes&seq=2")
    chain = response.context["chain"]
    assert ([row.seq for row in chain.rows], chain.earlier, chain.later) == ([1, 2], 0, 2)
    assert "2 turns looked at; 2 later turns not" in page_of(response).words
