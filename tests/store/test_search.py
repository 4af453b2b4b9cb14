"""Search finds the turn that introduced the words, and never fails on what people write."""

import time
from contextlib import suppress

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from inspector.jobs import reading
from inspector.store import recent
from inspector.store.errors import BadQuery
from inspector.store.models import Project, Turn, Words
from inspector.store.queries import Filters
from inspector.store.search import finding, search
from inspector.store.terms import matching
from tests.store import made

pytestmark = pytest.mark.django_db


def found(where: Project, text: str, mode: finding.Mode = "words") -> list[str]:
    return [hit.turn.key for hit in search(where, text, mode=mode).hits]


def read(where: Project, **fields: object) -> None:
    made.turn(where, **fields)
    reading.sweep()


def test_a_hit_is_the_turn_that_introduced_the_words() -> None:
    where = made.project()
    made.run(where, 6)
    reading.sweep()
    assert found(where, "Gannet4") == ["run-5"]
    assert found(where, "harbour") == ["run-1"]
    hit = search(where, "gannet4 moored").hits[0]
    assert hit.part == "prompt"
    assert hit.section is not None
    assert "working-memory" in hit.section
    assert hit.snippet == "<entry>4: the cutter Gannet4 moored at berth 28</entry>"
    assert [hit.snippet[start:end] for start, end in hit.marks] == ["Gannet4", "moored"]
    lines = made.growing(5).split("\n")
    assert lines[hit.line - 1] == hit.snippet


def test_responses_are_found_as_such() -> None:
    where = made.project()
    read(where, id="a", response="first\nThe pilot is asleep.")
    hit = search(where, "asleep").hits[0]
    assert (hit.part, hit.line, hit.section) == ("response", 2, None)


@pytest.mark.parametrize(
    ("query", "is_found"),
    [
        ("tide", True),
        ("TIDE", True),
        ("ti", False),
        ("ti*", True),
        ('"high tide"', True),
        ('"tide high"', False),
        ("high noon", True),
        ("high midnight", False),
        ("berth_number", True),
        ("berth", True),
        ("number", True),
        ('"berth number"', True),
        ("getPilotName", True),
        ("pilot", True),
        ("INV-0042", True),
        ("0042", True),
        ('"INV-0043"', False),
        ("天気", True),
        ("予報", True),
        ("天", True),
        ("天報", False),
        ("прилив", True),
        ("ПРИ*", True),
        ("naïve", True),
        ("o'brien", True),
        ('"tide at" noon', True),
        ("before", True),
        ("after", True),
    ],
)
def test_words_phrases_prefixes_and_parts(query: str, is_found: bool) -> None:
    where = made.project()
    text = "High tide at noon. berth_number getPilotName INV-0042 今日の天気予報 прилив naïve O'Brien "
    text += "before\x00after \ud83d"
    read(where, id="a", prompt=text)
    assert found(where, query) == (["a"] if is_found else [])


def test_a_phrase_does_not_reach_from_one_stretch_into_another() -> None:
    where = made.project()
    read(where, id="a", prompt="ends with lantern", response="begins here")
    assert found(where, '"lantern begins"') == []


def test_filters_and_projects_bound_the_search() -> None:
    one, two = made.project("one"), made.project("two")
    read(one, id="a", session="s", agent="pilot", prompt="lantern")
    read(one, id="b", session="t", agent="cook", prompt="lantern")
    read(two, id="c", prompt="lantern")
    assert found(one, "lantern") == ["b", "a"]
    assert [hit.turn.key for hit in search(one, "lantern", Filters(agent="pilot")).hits] == ["a"]
    assert found(two, "lantern") == ["c"]


def test_pages_follow_each_other_without_gap_or_repeat() -> None:
    where = made.project()
    for at in range(7):
        made.turn(where, id=f"t{at}", prompt=f"lantern {at}")
    reading.sweep()
    keys: list[str] = []
    cursor = None
    while True:
        page = search(where, "lantern", limit=3, cursor=cursor)
        keys += [hit.turn.key for hit in page.hits]
        cursor = page.next
        if cursor is None:
            break
    assert keys == [f"t{at}" for at in range(6, -1, -1)]


def test_a_cursor_from_elsewhere_is_refused() -> None:
    where = made.project()
    for cursor in ("x", "W10", "eyJhIjoxfQ", "WyJhIl0", "é", "A" * 1_000, "WzFlOTk5XQ"):
        with pytest.raises(BadQuery):
            search(where, "a", cursor=cursor)


def test_an_exact_text_is_found_across_lines_and_inside_words() -> None:
    where = made.project()
    read(where, id="a", prompt="one\nthe Lantern% burns_\nbright")
    for text in ("antern%", "ANTERN", "burns_\nbri", "%", "_"):
        assert found(where, text, "exact") == ["a"], text
    hit = search(where, "antern%", mode="exact").hits[0]
    assert (hit.line, hit.snippet, hit.marks) == (2, "the Lantern% burns_", ((5, 12),))
    page = search(where, "nowhere", mode="exact")
    assert (page.hits, page.searched, page.total, page.next) == ((), 1, 1, None)


def test_a_scan_that_runs_out_of_time_says_how_far_it_came(monkeypatch: pytest.MonkeyPatch) -> None:
    where = made.project()
    for at in range(5):
        made.turn(where, id=f"t{at}", prompt=f"lantern {at}")
    reading.sweep()
    monkeypatch.setattr(finding, "SCAN_STEP", 2)
    monkeypatch.setattr(finding, "SECONDS", -1.0)
    assert search(where, "nowhere", mode="exact").searched == 0
    clock = iter([0.0, 0.1, 0.2, 0.3, 9.0, 9.0, 9.0])
    monkeypatch.setattr(finding, "SECONDS", 1.0)
    monkeypatch.setattr(time, "monotonic", lambda: next(clock, 9.0))
    page = search(where, "lantern 0", mode="exact")
    assert page.searched is not None
    assert 0 < page.searched < 5
    assert page.total == 5
    assert page.next is not None
    monkeypatch.undo()
    rest = search(where, "lantern 0", mode="exact", cursor=page.next)
    assert [hit.turn.key for hit in rest.hits] == ["t0"]


def test_a_damaged_record_spoils_no_other_hit() -> None:
    where = made.project()
    for key in ("a", "b", "c"):
        read(where, id=key, prompt=f"lantern {key}")
    row = Turn.objects.get(key="b").record
    row.data = b"rubbish"
    row.save()
    recent.decoded_records.clear()
    assert found(where, "lantern") == ["c", "a"]
    assert found(where, "lantern", "exact") == ["c", "a"]


@settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.text(st.characters(exclude_categories=()), max_size=30)
    | st.text("\"*-()^:{}+ANDORNEARnot %_\\\x00'&|!<>", max_size=12)
)
def test_no_question_fails(db: None, text: str) -> None:
    where, _ = Project.objects.get_or_create(slug="any", defaults={"name": "any"})
    for mode in ("words", "exact"):
        with suppress(BadQuery):
            assert search(where, text, mode=mode).hits == ()


@pytest.mark.parametrize(
    "prompt",
    [
        " ".join(f"word{number:x}" for number in range(250_000)),
        "x" * 1_000_000,
        "漢" * 300_000,
        "a_b" * 200_000,
        "\n".join(["same line"] * 100_000),
    ],
    ids=["distinct", "one token", "cjk", "identifiers", "lines"],
)
def test_hostile_texts_are_indexed_within_bounds(prompt: str) -> None:
    where = made.project()
    started = time.process_time()
    read(where, id="a", prompt=prompt)
    row = Turn.objects.get()
    assert row.state == "read", row.problem
    assert time.process_time() - started < 60
    assert Words.objects.count() <= 1_000
    first = prompt.split()[0][:40]
    assert found(where, first + "*")[:1] == ["a"]


def test_words_beyond_what_a_vector_numbers_are_found_as_phrases() -> None:
    where = made.project()
    read(
        where,
        id="a",
        prompt="\n".join(
            f"word{number} follows the harbour road to berth {number}" for number in range(40_000)
        ),
    )
    assert found(where, '"word39990 follows"') == ["a"]
    assert found(where, '"word39990 word39991"') == []


def test_common_words_are_found_within_filters_and_page_by_page(monkeypatch: pytest.MonkeyPatch) -> None:
    # Steps that are far shorter than what is there: 2 rows, 16, all.
    monkeypatch.setattr(matching, "NEAR", 2)
    where = made.project()
    made.run(where, 30)
    reading.sweep()
    pages = [search(where, "berth", Filters(agent=""), limit=12)]
    while pages[-1].next:
        pages.append(search(where, "berth", limit=12, cursor=pages[-1].next))
    keys = [hit.turn.key for page in pages for hit in page.hits]
    assert keys == [f"run-{number}" for number in range(30, 0, -1) if f"run-{number}" in keys]
    session = Turn.objects.get(key="run-7").session.short_id
    within = search(where, "berth", Filters(session=session), limit=100)
    assert [hit.turn.key for hit in within.hits] == keys
    assert len(keys) > 20
    assert search(where, "berth", Filters(session="nothing")).hits == ()
