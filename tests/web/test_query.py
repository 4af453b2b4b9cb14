"""The filter field."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspector.web.query import address, filters, moment, parsed, problems_of, since, with_token

NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)


def test_tokens_and_free_text_are_told_apart() -> None:
    query = parsed([], 'agent:weather "two words" has:error plain nonsense:x')
    assert query.tokens == (("agent", "weather"), ("has", "error"))
    assert query.text == '"two words" plain nonsense:x'


def test_a_value_in_quotes_may_hold_spaces_and_survives_its_address() -> None:
    query = parsed([], 'agent:"the big one"')
    assert query.tokens == (("agent", "the big one"),)
    assert address(query.tokens, "") == "?f=agent%3A%22the+big+one%22"


def test_a_chip_adds_its_token_and_takes_it_away_again() -> None:
    query = parsed(["agent:weather"], "")
    assert with_token(query, "agent", "weather") == "?"
    assert with_token(query, "agent", "other") == "?f=agent%3Aother"


def test_filters_are_what_the_store_knows() -> None:
    found = filters(parsed([], "has:warning since:2h action:send model:m rule:stray-text x"), NOW)
    assert (found.severity, found.action, found.model, found.rule, found.q) == (
        "warning",
        "send",
        "m",
        "stray-text",
        "x",
    )
    assert found.since == NOW - timedelta(hours=2)


@pytest.mark.parametrize("value", ["", "h", "1", "-1h", "1y", "99999h", "١h", "1 h"])
def test_what_is_no_span_is_no_filter(value: str) -> None:
    assert since(value, NOW) is None


def test_a_day_and_a_time_are_moments_and_words_are_none() -> None:
    assert moment("2026-11-29", NOW) == datetime(2026, 11, 29, tzinfo=UTC)
    assert moment("2026-11-29T06:00+02:00", NOW) == datetime(2026, 11, 29, 4, tzinfo=UTC)
    assert moment("yesterday", NOW) is None
    assert moment("0001-01-01T00:00+23:00", NOW) is None


def test_all_that_the_query_can_ask_reaches_the_store() -> None:
    found = filters(parsed([], "has:broken-prefix until:1h tag:room=blue session:abc"), NOW)
    assert (found.broken_prefix, found.until, found.tag) == (True, NOW - timedelta(hours=1), "room=blue")
    assert filters(parsed([], "has:finding"), NOW).finding


@pytest.mark.parametrize(
    ("typed", "explained"),
    [
        ("since:yesterday", "since:2h"),
        ("has:bugs", "has:broken-prefix"),
        ("rule:wrong-typ", "wrong-type"),
        ("actions:send", "action:"),
    ],
)
def test_a_bad_term_is_explained(typed: str, explained: str) -> None:
    assert explained in problems_of(parsed([], typed))


def test_good_terms_and_plain_text_need_no_explanation() -> None:
    typed = 'rule:wrong-type has:error since:2h https://example.org "a: b" plain'
    assert problems_of(parsed([], typed)) == ""


@given(st.lists(st.text(max_size=80), max_size=20), st.text(max_size=3000))
def test_any_input_is_understood_somehow(texts: list[str], field: str) -> None:
    query = parsed(texts, field)
    assert len(query.tokens) <= 12
    filters(query, NOW)
    problems_of(query)
    address(query.tokens, query.text)
