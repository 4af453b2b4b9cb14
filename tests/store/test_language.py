"""The line of terms and text that pages and API take."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspector.store.errors import BadQuery
from inspector.store.queries.filters import HAS
from inspector.store.queries.language import MOST, asked, filters, moment, parsed, problems, since

NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)


def test_tokens_and_free_text_are_told_apart() -> None:
    query = parsed([], 'agent:weather "two words" has:error plain nonsense:x')
    assert query.tokens == (("agent", "weather"), ("has", "error"))
    assert query.text == '"two words" plain nonsense:x'


def test_free_text_keeps_its_own_spaces() -> None:
    assert parsed([], "  two  spaces ").text == "two  spaces"
    assert parsed([], "two  spaces agent:a and\ta tab").text == "two  spaces and\ta tab"


def test_a_value_in_quotes_may_hold_spaces() -> None:
    assert parsed([], 'agent:"the big one"').tokens == (("agent", "the big one"),)


def test_quotes_make_text_of_what_looks_like_a_term() -> None:
    query = parsed([], '"agent:weather" "models:x"')
    assert (query.tokens, query.text) == ((), '"agent:weather" "models:x"')
    assert problems(query) == []


def test_of_what_a_turn_has_once_the_last_counts_and_of_the_rest_all() -> None:
    found = filters(
        parsed(["agent:a", "has:error"], "agent:b has:failure tag:x tag:y=z rule:stray-text"), NOW
    )
    assert found.agent == "b"
    assert (found.has, found.tags, found.rules) == (("error", "failure"), ("x", "y=z"), ("stray-text",))
    assert parsed([], "agent:a agent:b").tokens == (("agent", "b"),)


def test_all_that_can_be_asked_reaches_the_store() -> None:
    found = filters(parsed([], "since:2h until:1h action:send model:m session:abc has:broken-prefix x"), NOW)
    assert (found.since, found.until) == (NOW - timedelta(hours=2), NOW - timedelta(hours=1))
    assert (found.actions, found.model, found.session, found.q) == (("send",), "m", "abc", "x")
    assert found.has == ("broken-prefix",)


@pytest.mark.parametrize("value", ["", "h", "1", "-1h", "1y", "99999h", "١h", "1 h"])
def test_what_is_no_span_is_no_filter(value: str) -> None:
    assert since(value, NOW) is None


def test_a_day_and_a_time_are_moments_and_words_are_none() -> None:
    assert moment("2026-11-29", NOW) == datetime(2026, 11, 29, tzinfo=UTC)
    assert moment("2026-11-29T06:00+02:00", NOW) == datetime(2026, 11, 29, 4, tzinfo=UTC)
    assert moment("yesterday", NOW) is None
    assert moment("0001-01-01T00:00+23:00", NOW) is None


@pytest.mark.parametrize(
    ("typed", "explained"),
    [
        ("since:yesterday", "since:2h"),
        ("until:0001-01-01T00:00+23:00", "until:2h"),
        ("has:bugs", "has:broken-prefix"),
        ("rule:wrong-typ", "wrong-type"),
        ("actions:send", "action:"),
        ("agnet:weather", "agent:"),
        ("agent: weather", "without a space"),
        (" ".join(f"tag:t{number}" for number in range(MOST + 1)), f"at most {MOST}"),
    ],
)
def test_a_bad_term_is_explained(typed: str, explained: str) -> None:
    assert explained in " ".join(problems(parsed([], typed)))
    with pytest.raises(BadQuery, match=explained.replace("|", "")):
        asked(typed)


@pytest.mark.parametrize(
    "typed",
    ['rule:wrong-type has:error since:2h https://example.org "a: b" plain', "tags: none", '{"agent": "x"}',
     "Traceback: line 4", "a::b", "12:30", *(f"has:{name}" for name in HAS)],
)  # fmt: skip
def test_good_terms_and_plain_text_need_no_explanation(typed: str) -> None:
    assert problems(parsed([], typed)) == []


def test_terms_that_come_on_their_own_may_hold_anything() -> None:
    assert asked("x", [("agent", 'a "b" c'), ("tag", "")]).agent == 'a "b" c'
    assert asked("agent:b", [("agent", "a")]).agent == "b"
    with pytest.raises(BadQuery, match="has:"):
        asked("", [("has", "bugs")])


@given(st.lists(st.text(max_size=80), max_size=20), st.text(max_size=3000))
def test_any_input_is_understood_somehow(texts: list[str], line: str) -> None:
    query = parsed(texts, line)
    assert len(query.tokens) <= MOST
    filters(query, NOW)
    assert len(problems(query)) <= 3
