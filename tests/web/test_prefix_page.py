"""The shared prefix over a session."""

import pytest

from inspector.store.models import Turn
from inspector.web.cached import disagreement
from tests.web.cast import Cast
from tests.web.pages import page_of
from tests.web.test_hostile import check, hostile

LONG = "The harbour has forty berths, and each has a number.\n" * 40


def prompt(minute: int) -> str:
    return f"# Role\nYou are the harbour master.\n\n## Local time\n10:{minute:02d} UTC\n\n## Berths\n{LONG}"


@pytest.fixture
def base(cast: Cast) -> str:
    for minute in (1, 2, 3):
        turn = cast.post(
            {
                "id": f"c{minute}",
                "session": "clock",
                "prompt": prompt(minute),
                "response": "ok",
                "usage": {"input_tokens": 500, "cache_read_tokens": 0},
            }
        )
    return f"/p/harbour-desk/s/{turn.session.short_id}/"


def test_the_session_s_page_says_what_broke_the_prefix_and_what_it_cost(cast: Cast, base: str) -> None:
    response = cast.viewer.get(base)
    summary = response.context["summary"]
    assert (summary.compared, summary.broken) == (2, 2)
    assert [(reason.section, reason.words, reason.turns) for reason in summary.reasons] == [
        ("Local time", "a clock changed", 2)
    ]
    assert summary.gain > 500
    page = page_of(response)
    assert "Local time : a clock changed." in page.words
    assert "more could be reused" in page.words
    assert f"{base}prefix/" in page.links


def test_turn_by_turn_there_is_the_line_the_cause_and_the_comparison(cast: Cast, base: str) -> None:
    page = page_of(cast.viewer.get(f"{base}prefix/"))
    assert "A clock changed in Local time line 5" in page.words
    assert "/p/harbour-desk/t/c3/?line=5#L5" in page.links
    assert "/p/harbour-desk/compare/c2/c3/" in page.links
    assert "Broken in 2 of 2 turns" in page.words


def test_the_provider_s_count_stands_beside_ours(cast: Cast, base: str) -> None:
    page = page_of(cast.viewer.get(base))
    assert "the provider reported 0 cached tokens" in page.words
    compared = page_of(cast.viewer.get("/p/harbour-desk/compare/c2/c3/"))
    assert "The provider reported 0 cached tokens , our count is" in compared.words


def test_prompts_that_go_on_are_not_broken(cast: Cast) -> None:
    for number in (1, 2):
        turn = cast.post({"id": f"a{number}", "session": "append", "prompt": "# Log\n" + "line\n" * number})
    base = f"/p/harbour-desk/s/{turn.session.short_id}/"
    assert "nothing is billed again" in page_of(cast.viewer.get(base)).words
    assert "not broken" in page_of(cast.viewer.get(f"{base}prefix/")).words


def test_a_session_of_one_turn_has_no_prefix_to_tell_of(cast: Cast) -> None:
    turn = cast.post({"id": "one", "session": "one", "prompt": "x"})
    response = cast.viewer.get(f"/p/harbour-desk/s/{turn.session.short_id}/")
    assert response.context["summary"] is None
    assert "Prefix cache" not in page_of(response).words


@pytest.mark.parametrize(
    ("shared", "reported", "words"),
    [
        (5_000, None, ""),
        (5_000, 4_992, ""),
        (5_000, 9_000, "another request"),
        (5_000, 0, "caching is off"),
        (5_000, 1_024, "whole blocks"),
        (600, 0, "nothing under 1,024"),
        (20, 0, ""),
    ],
)
def test_where_the_counts_disagree_it_is_said_why(shared: int, reported: int | None, words: str) -> None:
    note = disagreement(shared, reported)
    assert (words in note) if words else note == ""


def test_a_long_session_is_paged(cast: Cast) -> None:
    for number in range(90):
        text = "".join(f"## Part {n}\n{number if n % 5 == 0 else n}\n" for n in range(30))
        turn = cast.post({"id": f"l{number}", "session": "long", "prompt": text}, read=number == 89)
    base = f"/p/harbour-desk/s/{turn.session.short_id}/prefix/"
    for query in ("", "?after=40", "?after=80", "?after=1000"):
        response = cast.viewer.get(base + query)
        assert response.status_code == 200
        assert page_of(response).count <= 3_000
        assert len(response.content) <= 300_000
    assert "?after=40" in page_of(cast.viewer.get(base)).links
    session = cast.viewer.get(base.removesuffix("prefix/"))
    assert page_of(session).count <= 3_000


def test_hostile_turns_are_escaped(cast: Cast, turns: list[Turn]) -> None:
    for number in (1, 2):
        turn = cast.post(hostile("evil", number))
    path = f"/p/harbour-desk/s/{turn.session.short_id}/prefix/"
    check(cast.viewer.get(path), path)


RULES = "You are the harbour master.\n" + LONG


def kept(text: str) -> dict[str, object]:
    return {"type": "text", "text": text, "cache_control": {"type": "ephemeral"}}


def post_kept(cast: Cast, number: int, clock: str, cached: int) -> Turn:
    request = {
        "model": "claude-x",
        "max_tokens": 9,
        "system": [kept(RULES), {"type": "text", "text": f"It is {clock}.\n"}],
        "messages": [{"role": "user", "content": [kept("Is berth 4 free?")]}],
    }
    usage = {"input_tokens": 600, "cache_read_tokens": cached}
    return cast.post({"id": f"k{number}", "session": "kept", "request": request, "usage": usage})


def test_breakpoints_are_told_with_what_they_found(cast: Cast) -> None:
    post_kept(cast, 1, "10:31", 0)
    turn = post_kept(cast, 2, "10:32", 0)
    words = page_of(cast.viewer.get("/p/harbour-desk/compare/k1/k2/")).words
    assert "hit The turn before kept the prompt up to here." in words
    assert "partly hit Read up to the breakpoint at" in words
    assert "the first difference lies between." in words
    base = f"/p/harbour-desk/s/{turn.session.short_id}/"
    assert "1 of 2 breakpoints hit" in page_of(cast.viewer.get(base)).words
    response = cast.viewer.get(f"{base}prefix/")
    assert "1 of 2 breakpoints hit" in page_of(response).words
    assert b'class="tick tick--hit"' in response.content


def test_two_values_that_change_are_worth_moving_together(cast: Cast) -> None:
    for minute in (1, 2):
        turn = cast.post(
            {
                "id": f"v{minute}",
                "session": "two",
                "prompt": f"# Now\n10:0{minute} UTC\n\n# Berths\n{LONG}\n# Tick\nTurn {minute}\n\n"
                f"# Rules\n{LONG}",
            }
        )
    base = f"/p/harbour-desk/s/{turn.session.short_id}/"
    words = "With all sections last that change by themselves,"
    assert words in page_of(cast.viewer.get(base)).words
    assert "all +" in page_of(cast.viewer.get(f"{base}prefix/")).words
    compared = page_of(cast.viewer.get("/p/harbour-desk/compare/v1/v2/")).words
    assert "With all that change by themselves last (Now, Tick):" in compared


@pytest.mark.parametrize(
    ("shared", "reported", "readable", "words"),
    [
        (9_000, 3_000, 3_000, "let it read 3,000 of the 9,000 tokens"),
        (9_000, 9_000, 9_000, ""),
        (9_000, 2_000, 6_000, "less than the 6,000 tokens that its breakpoints allow"),
        (9_000, 0, 6_000, "reused nothing"),
        (500, 0, 0, "let it read 0 of the 500 tokens"),
    ],
)
def test_breakpoints_explain_what_the_provider_reused(
    shared: int, reported: int, readable: int, words: str
) -> None:
    note = disagreement(shared, reported, readable)
    assert words in note
    assert bool(note) == bool(words)


def post_crew(cast: Cast, number: int, mood: str) -> Turn:
    prompt = f"# Now\n10:3{number} UTC\n\n# Crew\nThe mood of the crew is {mood} today.\n\n# Berths\n{LONG}"
    return cast.post({"id": f"m{number}", "session": "crew", "prompt": prompt})


def test_what_changes_by_itself_is_learnt_over_the_session(cast: Cast) -> None:
    for number, mood in enumerate(("calm", "cheerful", "tired"), 1):
        turn = post_crew(cast, number, mood)
    base = f"/p/harbour-desk/s/{turn.session.short_id}/"
    page = page_of(cast.viewer.get(f"{base}prefix/"))
    assert "Changes by itself learnt from 3 turns up to turn 3" in page.words
    assert "Crew The mood of the crew is tired today. words 2 of 2 turns cheerful, calm" in page.words
    assert "/p/harbour-desk/t/m3/?line=5#L5" in page.links
    section = page_of(cast.viewer.get(f"{base}history/?section=crew"))
    assert "Changes by itself" in section.words
    assert "words 2 of 2 turns" in section.words


def test_a_comparison_ignores_what_the_session_taught(cast: Cast) -> None:
    for number, mood in enumerate(("calm", "cheerful", "tired"), 1):
        post_crew(cast, number, mood)
    address = "/p/harbour-desk/compare/m2/m3/"
    assert "The mood of the crew is" in page_of(cast.viewer.get(address)).words
    ignored = page_of(cast.viewer.get(f"{address}?volatile=0")).words
    assert "The mood of the crew is" not in ignored
    assert "only what is ignored differs" in ignored


def test_two_turns_teach_nothing(cast: Cast) -> None:
    for number, mood in enumerate(("calm", "cheerful"), 1):
        turn = post_crew(cast, number, mood)
    page = page_of(cast.viewer.get(f"/p/harbour-desk/s/{turn.session.short_id}/prefix/"))
    assert "Changes by itself" not in page.words
