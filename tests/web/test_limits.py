"""A page stays small whatever a turn holds: ≤ 300 KB and ≤ 3,000 elements."""

from typing import Any

import pytest

from tests.web.cast import Cast
from tests.web.pages import page_of
from tests.web.prompts import prompt

LINE = 'The ferry <b>leaves</b> {"at": 10, "to": "the island"} and comes back in the evening.\n'
ARGUMENTS = "{" + ", ".join(f'"k{k}": [1, "x"]' for k in range(30)) + "}"
CALLS = "".join(f'<action_call name="a{n}">{ARGUMENTS}</action_call>\n' for n in range(150))
ITEM = '{"a": 1, "b": "c", "d": [true, null, "{{x}}"]},\n'
BIG: dict[str, dict[str, Any]] = {
    "one megabyte": {"prompt": "## Log\n" + LINE * 12_000 + "\n## Question\nWhen?\n", "response": "At ten."},
    "one line": {"prompt": '<a b="' * 200_000, "response": "x" * 1_000_000},
    "two thousand messages": {
        "messages": [{"role": ("user", "assistant")[n % 2], "content": f"{n} {LINE}"} for n in range(2_000)],
        "response": "ok",
    },
    "four hundred messages": {
        "messages": [{"role": ("user", "assistant")[n % 2], "content": LINE * 12} for n in range(400)],
        "response": "ok",
    },
    "forty contexts": {
        "prompt": "<contexts>\n"
        + "".join(f'<context type="boat" key="{n}">\n{LINE * 6}</context>\n' for n in range(40))
        + "</contexts>\n",
        "response": "<response>"
        + "".join(f'<action_call name="a{n}">{{"x": {n}, "y": [1, 2]}}</action_call>' for n in range(80))
        + "</response>",
    },
    "many sections": {
        "prompt": "".join(f"## Part {n}\n{LINE * 2}\n" for n in range(300)),
        "response": "ok",
    },
    "many findings": {"prompt": "{{x}} \u202e undefined\n" * 2_000, "response": "<x>" * 1_000},
    "many calls of many arguments": {"prompt": "x", "response": f"<response>{CALLS}</response>"},
    "json response": {"prompt": "x", "response": f"[{ITEM * 2_000}1]"},
    "much metadata": {
        "prompt": "x",
        "metadata": {str(n): [n, None, True] for n in range(3_000)},
        "tags": {f"tag {n}": "x" for n in range(100)},
        "beyond": [{"a": n} for n in range(3_000)],
    },
    "many arguments": {
        "prompt": "x",
        "response": '<response><action_call name="a">{'
        + ", ".join(f'"k{n}": "{LINE.strip()[:9]}"' for n in range(2_000))
        + "}</action_call></response>",
    },
}


@pytest.mark.parametrize("name", BIG)
def test_the_pages_of_a_big_turn_are_small(name: str, cast: Cast) -> None:
    cast.post({"id": "big", "session": "big", **BIG[name]})
    for query in ("", "?open=all", "?line=70", "?tab=raw", "?tab=response", "?tab=metadata", "sections/0"):
        response = cast.viewer.get(f"/p/harbour-desk/t/big/{query}")
        assert response.status_code == 200, query
        assert len(response.content) <= 300_000, query
        assert page_of(response).count <= 3_000, query


def test_a_long_response_can_be_read_to_its_end(cast: Cast) -> None:
    cast.post({"id": "big", "prompt": "x", "response": "\n".join(f"line {n}" for n in range(1, 1_001))})
    path, seen = "/p/harbour-desk/t/big/?tab=response", 0
    while path:
        page = page_of(cast.viewer.get(path))
        seen += sum(1 for name in page.ids if name.startswith("R"))
        path = next((link for link in page.links if "&from=" in link and "#raw" in link), "")
    assert seen == 1_000


def test_a_finding_far_down_a_response_leads_to_its_line(cast: Cast) -> None:
    call = '<action_call name="nothing">{}</action_call>'
    cast.post({"id": "far", "prompt": prompt(), "response": f"<response>{chr(10) * 700}{call}</response>"})
    page = page_of(cast.viewer.get("/p/harbour-desk/t/far/"))
    link = next(link for link in page.links if link.endswith("#R701"))
    assert "R701" in page_of(cast.viewer.get(link)).ids


def test_what_is_cut_is_counted_and_linked(cast: Cast) -> None:
    cast.post({"id": "big", **BIG["many sections"]})
    page = page_of(cast.viewer.get("/p/harbour-desk/t/big/"))
    assert "1–24 of 300" in page.words
    assert "300 sections" in page.words
    assert "?from=24" in page.links
    assert "Part 299" in page_of(cast.viewer.get("/p/harbour-desk/t/big/?from=288")).words


def test_a_big_section_is_closed_and_loads_in_pieces(cast: Cast) -> None:
    cast.post({"id": "big", **BIG["one megabyte"]})
    page = page_of(cast.viewer.get("/p/harbour-desk/t/big/"))
    assert "Show 12,002 lines" in page.words
    seen, path = 0, "/p/harbour-desk/t/big/sections/0"
    for _ in range(3):
        part = page_of(cast.viewer.get(path, headers={"HX-Request": "true"}))
        seen += sum(1 for name in part.ids if name.startswith("L"))
        path = next(link for link in part.links if "?from=" in link)
    assert f"?from={seen + 1}" in path


def test_a_page_of_sessions_and_a_session_of_many_turns_are_small(cast: Cast) -> None:
    for number in range(60):
        cast.post({"session": "long", "prompt": f"## A\n{number}\n## B\nb\n", "response": "ok"}, read=False)
    cast.post({"id": "last", "session": "long", "prompt": "x"})
    row = cast.owner.get("/p/harbour-desk/t/last/").context["row"]
    page = cast.viewer.get(f"/p/harbour-desk/s/{row.session.short_id}/")
    assert page_of(page).count <= 3_000
    assert "25 of 61 turns on this page" in page_of(page).words
    assert page_of(cast.viewer.get("/p/harbour-desk/")).count <= 3_000


@pytest.mark.parametrize("view", ["", "?view=split", "?only=0"])
def test_a_comparison_of_big_prompts_is_small(view: str, cast: Cast) -> None:
    old = "".join(f"## Part {n}\n{LINE * 4}old {n}\n" for n in range(150))
    cast.post({"id": "old", "session": "s", "prompt": old})
    cast.post({"id": "new", "session": "s", "prompt": old.replace("old", "new")})
    response = cast.viewer.get(f"/p/harbour-desk/compare/old/new/{view}")
    assert len(response.content) <= 300_000
    assert page_of(response).count <= 3_000


@pytest.mark.parametrize(
    "path", ["/sign-in/", "/s/x/", "/nope", "/p/harbour-desk/", "/p/harbour-desk/search/", "/?all=1&x=1"]
)
def test_more_parameters_than_anybody_may_send_are_no_fault_of_ours(path: str, cast: Cast) -> None:
    many = "&".join("f=agent:x" for _ in range(300))
    for client in (cast.owner, cast.anonymous):
        client.raise_request_exception = False
        response = client.get(f"{path}?{many}")
        assert response.status_code < 500
