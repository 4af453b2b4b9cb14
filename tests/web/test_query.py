"""The filter field: chips and addresses."""

from hypothesis import given
from hypothesis import strategies as st

from inspector.store.queries.language import parsed
from inspector.web.query import address, field, with_token


def test_a_value_with_spaces_survives_its_address() -> None:
    query = parsed([], 'agent:"the big one"')
    assert address(query.tokens, "") == "?f=agent%3A%22the+big+one%22"


def test_a_chip_adds_its_token_and_takes_it_away_again() -> None:
    query = parsed(["agent:weather"], "")
    assert with_token(query, "agent", "weather") == "?"
    assert with_token(query, "agent", "other") == "?f=agent%3Aother"


def test_of_actions_rules_and_kinds_of_findings_several_may_be_asked_for() -> None:
    query = parsed(["has:error", "agent:weather"], "")
    assert with_token(query, "has", "failure") == "?f=has%3Aerror&f=agent%3Aweather&f=has%3Afailure"
    assert with_token(query, "has", "error") == "?f=agent%3Aweather"


def test_chips_and_tokens_keep_what_else_the_address_says() -> None:
    query = parsed(["agent:weather"], "storm")
    assert with_token(query, "agent", "other", {"a": "t1"}) == "?f=agent%3Aother&q=storm&a=t1"
    drawn = field(query, "/", {"a": "t1"})
    assert drawn["tokens"][0].without == "?q=storm&a=t1"
    assert drawn["more"] == {"a": "t1"}


def test_the_field_explains_what_is_wrong_unless_the_page_knows_worse() -> None:
    query = parsed([], "has:bugs")
    assert "has:error" in field(query, "/")["problem"]
    assert field(query, "/", problem="No such thing.")["problem"] == "No such thing."
    assert field(parsed([], "plain"), "/")["problem"] == ""


@given(st.lists(st.text(max_size=80), max_size=20), st.text(max_size=3000))
def test_any_query_has_an_address(texts: list[str], line: str) -> None:
    query = parsed(texts, line)
    address(query.tokens, query.text)
