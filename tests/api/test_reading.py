"""Asking through the door: turns, changes, sessions, lineage, search, versions."""

from typing import Any

import pytest

from inspector.api.shapes import SHAPES
from inspector.store.models import Turn
from tests.api.conftest import Place, read_all

pytestmark = pytest.mark.django_db


def prompt(*lines: str) -> str:
    return "# Role\nYou steer a boat.\n\n# Log\n" + "\n".join(lines) + "\n"


@pytest.fixture
def voyage(ours: Place) -> str:
    """Three turns of one session, read; its short id."""
    for number, lines in enumerate((("calm",), ("calm", "storm ahead"), ("storm ahead", "reefed")), 1):
        turn = {"id": f"t{number}", "session": "voyage", "agent": "helm", "model": "m1"}
        turn |= {"prompt": prompt(*lines), "response": f"Aye {number}, lighthouse."}
        answer = ours.poster.post("/turns", turn)
        assert answer.status_code == 201
    read_all()
    return str(answer.json()["session_id"])


def test_a_turn_is_answered_with_every_field_of_the_reference(ours: Place, voyage: str) -> None:
    answer = ours.reader.get("/turns/t2").json()
    assert SHAPES["Turn"]["properties"].keys() <= answer.keys()
    assert SHAPES["Section"]["properties"].keys() <= answer["sections"][0].keys()
    assert SHAPES["Response"]["properties"].keys() <= answer["response"].keys()
    assert SHAPES["Prefix"]["properties"].keys() <= answer["since_previous"]["prefix"].keys()
    assert answer["state"] == "read"
    assert answer["since_previous"]["turn"] == "t1"
    assert answer["session_id"] == voyage


def test_a_pending_turn_says_so(ours: Place) -> None:
    ours.poster.post("/turns", {"id": "t1", "prompt": "Hi", "agent": "helm"})
    answer = ours.reader.get("/turns/t1").json()
    assert (answer["state"], answer["sections"], answer["agent"]) == ("pending", None, "helm")
    assert SHAPES["Turn"]["properties"].keys() <= answer.keys()
    refused = ours.reader.get("/turns/t1/changes/t1")
    assert (refused.status_code, refused.json()["error"]["code"]) == (409, "not_read")


def test_an_unreadable_turn_is_visible_with_its_reason(ours: Place) -> None:
    ours.poster.post("/turns", {"id": "t1", "prompt": "Hi"})
    Turn.objects.update(state="unreadable", problem="It is written in water.", due=False)
    answer = ours.reader.get("/turns/t1").json()
    assert (answer["state"], answer["problem"]) == ("unreadable", "It is written in water.")
    assert ours.reader.get("/turns/t1/record").status_code == 200


def test_texts_are_exact(ours: Place, voyage: str) -> None:
    whole = ours.reader.get("/turns/t2/text")
    assert whole.content.decode() == prompt("calm", "storm ahead")
    assert whole.headers["Content-Type"] == "text/plain; charset=utf-8"
    assert ours.reader.get("/turns/t2/text", section="log").content == b"# Log\ncalm\nstorm ahead\n"
    for query in ({"message": 1}, {"message": -1}, {"section": "nowhere"}):
        assert ours.reader.get("/turns/t2/text", **query).status_code == 404


def test_changes_of_any_two_turns(ours: Place, voyage: str) -> None:
    answer = ours.reader.get("/turns/t1/changes/t3").json()
    changed = {section["path"]: section["change"] for section in answer["sections"]}
    assert changed == {"role": "same", "log": "changed"}
    assert answer["prefix"]["break"]["section"] == "log"
    assert ours.reader.get("/turns/t3/changes/t1", whitespace="ignore").status_code == 200


def test_sessions_are_listed_newest_first_page_by_page(ours: Place, voyage: str) -> None:
    for name in ("second", "third"):
        ours.poster.post("/turns", {"session": name, "prompt": "Hi"})
    found: list[str] = []
    cursor = ""
    while True:
        page = ours.reader.get("/sessions", limit=2, **({"cursor": cursor} if cursor else {})).json()
        found += [session["key"] for session in page["sessions"]]
        if not page["next"]:
            break
        cursor = page["next"]
    assert found == ["third", "second", "voyage"]


@pytest.mark.parametrize(
    ("query", "count"),
    [({}, 1), ({"agent": "helm"}, 1), ({"agent": "cook"}, 0), ({"model": "m1"}, 1), ({"model": "m2"}, 0),
     ({"q": "voy"}, 1), ({"q": "zzz"}, 0), ({"action": "sail"}, 0), ({"rule": "unknown-action"}, 0),
     ({"since": "2001-01-01T00:00:00Z"}, 1), ({"until": "2001-01-01T00:00:00"}, 0)],
)  # fmt: skip
def test_sessions_can_be_narrowed(ours: Place, voyage: str, query: dict[str, Any], count: int) -> None:
    assert len(ours.reader.get("/sessions", **query).json()["sessions"]) == count


def test_a_session_and_its_turns(ours: Place, voyage: str) -> None:
    session = ours.reader.get(f"/sessions/{voyage}").json()
    assert (session["key"], session["turns"], session["models"]) == ("voyage", 3, ["m1"])
    page = ours.reader.get(f"/sessions/{voyage}/turns", limit=2).json()
    assert [turn["id"] for turn in page["turns"]] == ["t1", "t2"]
    rest = ours.reader.get(f"/sessions/{voyage}/turns", cursor=page["next"]).json()
    assert [turn["id"] for turn in rest["turns"]] == ["t3"]
    assert SHAPES["TurnSummary"]["properties"].keys() <= page["turns"][0].keys()
    assert "storm" not in str(page)


def test_lists_open_no_record_and_no_reading(
    ours: Place, voyage: str, django_assert_max_num_queries: Any
) -> None:
    ours.reader.get("/sessions")  # the key's first use is noted
    with django_assert_max_num_queries(2) as seen:
        ours.reader.get("/sessions")
    with django_assert_max_num_queries(3) as more:
        ours.reader.get(f"/sessions/{voyage}/turns")
    for query in [*seen.captured_queries, *more.captured_queries]:
        assert "inspector_record" not in query["sql"]
        assert "inspector_outline" not in query["sql"]


def test_each_line_is_traced_to_its_turn(ours: Place, voyage: str) -> None:
    lines = ours.reader.get("/turns/t3/blame").json()
    assert [(entry["line"], entry["end_line"], entry["turn"], entry["seq"]) for entry in lines] == [
        (1, 3, "t1", 1),
        (4, 4, "t1", 1),
        (5, 5, "t2", 2),
        (6, 7, "t3", 3),
    ]


def test_a_sections_versions(ours: Place, voyage: str) -> None:
    log = ours.reader.get(f"/sessions/{voyage}/history", section="log").json()
    assert [(version["from_seq"], version["to_seq"], version["turn"]) for version in log] == [
        (1, 1, "t1"), (2, 2, "t2"), (3, 3, "t3"),
    ]  # fmt: skip
    role = ours.reader.get(f"/sessions/{voyage}/history", section="role").json()
    assert [(version["from_seq"], version["to_seq"]) for version in role] == [(1, 3)]
    assert ours.reader.get(f"/sessions/{voyage}/history", section="nowhere").json() == []


def test_where_a_text_was(ours: Place, voyage: str) -> None:
    storm = ours.reader.get(f"/sessions/{voyage}/presence", q="storm ahead").json()
    assert [turn["present"] for turn in storm["turns"]] == [False, True, True]
    assert (storm["entered"], storm["left"]) == (2, None)
    said = ours.reader.get(f"/sessions/{voyage}/presence", q="lighthouse").json()
    assert all(turn["only_in_response"] for turn in said["turns"])
    assert said["verdict"] == "only-said"


def test_presence_looks_through_more_turns_than_are_held_at_once(ours: Place) -> None:
    turns = [{"session": "long", "prompt": f"word{number} stays"} for number in range(70)]
    ours.poster.post("/turns/batch", turns)
    while Turn.objects.filter(due=True).exists():
        read_all()
    session = ours.reader.get("/sessions").json()["sessions"][0]["id"]
    found = ours.reader.get(f"/sessions/{session}/presence", q="word40 ").json()
    assert [turn["seq"] for turn in found["turns"] if turn["present"]] == [41]
    assert (found["entered"], found["left"]) == (41, 42)


def test_search_finds_the_turn_that_introduced_the_words(ours: Place, voyage: str) -> None:
    hits = ours.reader.get("/search", q="storm").json()
    assert [(hit["turn"], hit["part"], hit["section"]) for hit in hits] == [("t2", "prompt", "log")]
    assert "storm" in hits[0]["snippet"]
    assert ours.reader.get("/search", q="storm", agent="cook").json() == []
    exact = ours.reader.get("/search", q="rm ahea", mode="exact")
    assert [hit["turn"] for hit in exact.json()] == ["t2"]
    assert " of " in exact.headers["X-Searched"]


def test_more_hits_are_a_link_away(ours: Place, voyage: str) -> None:
    first = ours.reader.get("/search", q="lighthouse", limit=2)
    assert len(first.json()) == 2
    address = first.headers["Link"].split(">")[0].removeprefix("</api/v1")
    rest = ours.reader.call("GET", address)
    assert len(rest.json()) == 1
    assert "Link" not in rest.headers


def test_versions_name_first_and_last_turn(ours: Place, voyage: str) -> None:
    versions = ours.reader.get("/versions", kind="instructions").json()["versions"]
    role = next(version for version in versions if version["path"] == "role")
    assert (role["first_turn"], role["last_turn"], role["count"]) == ("t1", "t3", 3)
    assert SHAPES["Version"]["properties"].keys() <= role.keys()


def test_versions_come_in_pages_last_seen_first(ours: Place) -> None:
    for number in range(5):
        ours.poster.post("/turns", {"session": "s", "prompt": f"# Instructions\nObey rule {number}.\n"})
    read_all()
    found: list[Any] = []
    cursor: dict[str, str] = {}
    while True:
        page = ours.reader.get("/versions", kind="instructions", limit=2, **cursor).json()
        assert len(page["versions"]) <= 2
        found += [version["digest"] for version in page["versions"]]
        if page["next"] is None:
            break
        cursor = {"cursor": page["next"]}
    whole = ours.reader.get("/versions", kind="instructions").json()
    assert found == [version["digest"] for version in whole["versions"]]
    assert (len(set(found)), whole["next"]) == (5, None)
    assert ours.reader.get("/versions", cursor="rubbish").status_code == 400
