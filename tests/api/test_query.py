"""The same line finds the same sessions through the API and on the page."""

from typing import Any
from urllib.parse import unquote

import pytest
from django.test import Client

from tests.api.conftest import Place, read_all

pytestmark = pytest.mark.django_db

CALL = '<response><action_call name="tide_table">{"port": 7}</action_call></response>'
PROMPT = """<available-actions>
<action name="tide_table"><schema>{"type": "object"}</schema></action>
</available-actions>
<task>Find a berth%s.</task>"""
TURNS: tuple[dict[str, Any], ...] = (
    {"id": "a1", "session": "calls", "agent": "pilot", "model": "big", "prompt": PROMPT % "",
     "response": CALL,
     "tags": {"room": "blue", "shift": "night"}},
    {"id": "b1", "session": "fails", "agent": "cook", "model": "small", "prompt": "Boil the lobster.",
     "error": "overloaded", "tags": {"room": "red"}},
    {"id": "c1", "session": "breaks", "agent": "pilot", "model": "big", "prompt": "One thing. " * 40},
    {"id": "c2", "session": "breaks", "agent": "pilot", "model": "big", "prompt": "Quite another. " * 40},
)  # fmt: skip
LINES = [
    ("", {"calls", "fails", "breaks"}),
    ("agent:pilot", {"calls", "breaks"}),
    ("model:small", {"fails"}),
    ("action:tide_table", {"calls"}),
    ("session:fails", {"fails"}),
    ("tag:room=blue", {"calls"}),
    ("tag:red", {"fails"}),
    ("tag:room=blue tag:night", {"calls"}),
    ("tag:room=blue tag:red", set()),
    ("has:failure", {"fails"}),
    ("has:broken-prefix", {"breaks"}),
    ("has:failure has:broken-prefix", set()),
    ("agent:pilot berth", {"calls"}),
    ('"agent:pilot"', set()),
    ("since:1h", {"calls", "fails", "breaks"}),
    ("until:1h", set()),
    ("lobster", {"fails"}),
    ("brea", {"breaks"}),
    ("rule:provider-error", {"fails"}),
]


@pytest.fixture
def filled(ours: Place, theirs: Place) -> dict[str, str]:
    """Short ids of our sessions by key; another project has the same turns."""
    keys = {}
    for turn in TURNS:
        keys[turn["session"]] = ours.poster.post("/turns", turn).json()["session_id"]
        theirs.poster.post("/turns", turn)
    read_all()
    return keys


@pytest.mark.parametrize(("line", "found"), LINES)
def test_a_line_means_the_same_to_the_api_and_on_the_page(
    ours: Place, filled: dict[str, str], line: str, found: set[str]
) -> None:
    listed = ours.reader.get("/sessions", q=line).json()["sessions"]
    assert {session["key"] for session in listed} == found
    assert {session["id"] for session in listed} <= set(filled.values())
    client = Client()
    client.force_login(ours.owner)
    page = client.get("/p/ours/", {"q": line})
    assert {row.session.key for row in page.context["rows"]} == found
    assert {row.session.short_id for row in page.context["rows"]} <= set(filled.values())


def test_a_session_is_found_by_its_id_too(ours: Place, theirs: Place, filled: dict[str, str]) -> None:
    (session,) = ours.reader.get("/sessions", q=f"session:{filled['calls']}").json()["sessions"]
    assert session["key"] == "calls"
    assert theirs.reader.get("/sessions", session=filled["calls"]).json()["sessions"] == []


@pytest.mark.parametrize(
    "terms",
    [{"tag": "room=blue"}, {"has": "failure"}, {"session": "calls"}, {"since": "2h", "agent": "cook"}],
)
def test_each_term_can_be_a_parameter_of_its_own(
    ours: Place, filled: dict[str, str], terms: dict[str, str]
) -> None:
    line = " ".join(f"{name}:{value}" for name, value in terms.items())
    assert ours.reader.get("/sessions", **terms).json() == ours.reader.get("/sessions", q=line).json()
    assert len(ours.reader.get("/sessions", **terms).json()["sessions"]) == 1


def test_a_search_takes_the_same_terms(ours: Place, filled: dict[str, str]) -> None:
    def turns(**query: str) -> set[str]:
        return {hit["turn"] for hit in ours.reader.get("/search", **query).json()}

    assert turns(q="berth") == {"a1"}
    assert turns(q="berth tag:room=blue has:finding") == turns(q="berth", tag="room=blue", has="finding")
    assert (
        turns(q="berth tag:room=red")
        == turns(q="berth agent:cook")
        == turns(q="berth", has="failure")
        == set()
    )
    assert turns(q="the lobster", mode="exact", tag="red") == {"b1"}
    # For the very text, nothing of it is a term.
    assert turns(q="agent:cook", mode="exact") == set()


@pytest.mark.parametrize("path", ["/sessions", "/search"])
@pytest.mark.parametrize(
    ("query", "explained"),
    [
        ({"q": "x has:bugs"}, "has:broken-prefix"),
        ({"q": "x", "has": "bugs"}, "has:broken-prefix"),
        ({"q": "x since:yesterday"}, "since:2h"),
        ({"q": "x", "until": "soon"}, "until:2h"),
        ({"q": "x rule:wrong-typ"}, "do you mean wrong-type?"),
        ({"q": "x agnet:cook"}, "do you mean agent:?"),
        ({"q": "x agent: cook"}, "without a space"),
        ({"q": "x" * 1001}, "at most 1000"),
    ],
)
def test_what_cannot_be_understood_is_explained(
    ours: Place, path: str, query: dict[str, str], explained: str
) -> None:
    answer = ours.reader.get(path, **query)
    assert (answer.status_code, answer.json()["error"]["code"]) == (400, "bad_query")
    assert explained in unquote(answer.json()["error"]["message"])
    client = Client()
    client.force_login(ours.owner)
    line = " ".join([query["q"], *(f"{name}:{value}" for name, value in query.items() if name != "q")])
    for page in ("/p/ours/", "/p/ours/search/", "/p/ours/turns/"):
        assert explained in client.get(page, {"q": line}).context["query"]["problem"]
