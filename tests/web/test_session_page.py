"""What a session's page says of the session as a whole."""

import pytest

from tests.web.cast import Cast
from tests.web.pages import page_of

pytestmark = pytest.mark.django_db(transaction=True)


def words_of(cast: Cast, payload: dict[str, str]) -> str:
    turn = cast.post(payload)
    return page_of(cast.viewer.get(f"/p/harbour-desk/s/{turn.session.short_id}/")).words


def test_a_session_started_when_its_first_turn_did_by_the_agent_s_clock(cast: Cast) -> None:
    payload = {"session": "s", "prompt": "a", "started_at": "2024-05-06T07:08:09Z"}
    assert "6 May 2024, 07:08:09 UTC" in words_of(cast, payload)


def test_without_a_clock_of_the_agent_s_it_started_when_we_heard_of_it(cast: Cast) -> None:
    turn = cast.post({"session": "s", "prompt": "a"})
    words = page_of(cast.viewer.get(f"/p/harbour-desk/s/{turn.session.short_id}/")).words
    assert f"{turn.session.first_at:%H:%M:%S} UTC" in words
