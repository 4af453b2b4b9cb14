"""The turn that brought each line of a prompt."""

import re

import pytest

from inspector.store.models import Turn
from inspector.web.turn import blame
from tests.web.cast import Cast
from tests.web.pages import page_of

BASE = "/p/harbour-desk/t/turn-3/"


def gutter(html: str) -> dict[int, str]:
    """Line -> turn, where a gutter says so."""
    found = re.findall(r'id="L(\d+)"><a class="code__who"[^>]*data-n="(turn \d+)"', html)
    return {int(line): turn for line, turn in found}


def test_each_line_names_the_turn_that_brought_it(cast: Cast, turns: list[Turn]) -> None:
    response = cast.viewer.get(f"{BASE}?blame=1&open=all")
    html = response.content.decode()
    lines = gutter(html)
    row = {text: n for n, text in enumerate(response.context["view"].turn.messages[0].text.split("\n"), 1)}
    assert lines[row["10:03 UTC"]] == "turn 3"
    assert lines[row["- skipper 1: a berth for the night, please"]] == "turn 2"
    assert lines[row["- skipper 2: a berth for the night, please"]] == "turn 3"
    assert lines[1] == "turn 1"
    assert "age-1" in html
    assert "age-5" in html
    at = row["- skipper 1: a berth for the night, please"]
    assert f'href="/p/harbour-desk/t/turn-2/?line={at}#L{at}"' in html


def test_it_is_off_until_it_is_asked_for(cast: Cast, turns: list[Turn]) -> None:
    page = cast.viewer.get(BASE)
    assert b"code__who" not in page.content
    assert "?blame=1" in page_of(page).links
    assert "?blame=1" not in page_of(cast.viewer.get(f"{BASE}?blame=1")).links


def test_parts_of_a_page_with_it_have_it_too(cast: Cast, turns: list[Turn]) -> None:
    part = cast.viewer.get(f"{BASE}sections/0?blame=1", headers={"HX-Request": "true"})
    assert b"code__who" in part.content
    assert b"<html" not in part.content


def test_a_later_piece_names_its_turn_on_its_first_line(cast: Cast) -> None:
    text = "".join(f"line {n}\n" for n in range(1_000))
    cast.post({"id": "big", "session": "big", "prompt": f"<log>\n{text}</log>\n"})
    part = cast.viewer.get(
        "/p/harbour-desk/t/big/sections/0?blame=1&from=300", headers={"HX-Request": "true"}
    )
    assert gutter(part.content.decode()) == {300: "turn 1"}


def test_a_prompt_that_is_too_large_says_so(
    cast: Cast, turns: list[Turn], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(blame, "LETTERS", 100)
    page = page_of(cast.viewer.get(f"{BASE}?blame=1"))
    assert "too many to follow line by line" in page.words


def test_a_limited_look_back_says_so(cast: Cast, turns: list[Turn], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(blame, "TURNS", 2)
    page = page_of(cast.viewer.get(f"{BASE}?blame=1"))
    assert "Looked back to turn 2: lines marked so may be older." in page.words


def test_a_sub_agent_s_turns_bring_nothing_to_others(cast: Cast, turns: list[Turn]) -> None:
    cast.post({"id": "sub", "session": "harbour:1", "agent": "pilot", "prompt": "## Local time\n10:04 UTC\n"})
    response = cast.viewer.get("/p/harbour-desk/t/sub/?blame=1")
    assert set(gutter(response.content.decode()).values()) == {"turn 4"}


def test_pages_with_it_stay_small(cast: Cast) -> None:
    for number in range(3):
        text = "".join(f'{n if n % 3 else number} <b>"x"</b>\n' for n in range(3_000))
        cast.post({"id": f"b{number}", "session": "b", "prompt": f"## Log\n{text}"})
    for query in ("?blame=1", "?blame=1&open=all", "sections/0?blame=1"):
        response = cast.viewer.get(f"/p/harbour-desk/t/b2/{query}")
        assert len(response.content) <= 300_000, query
        assert page_of(response).count <= 3_000, query
