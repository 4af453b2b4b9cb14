"""When a part is answered and when the whole page."""

import pytest
from django.test import RequestFactory

from inspector.store.models import Turn
from inspector.web.fragments import wants_fragment
from tests.web.cast import Cast


@pytest.mark.parametrize(
    ("headers", "part"),
    [
        ({}, False),
        ({"HX-Request": "true"}, True),
        ({"HX-Request": "true", "HX-Boosted": "true"}, False),
        ({"HX-Request": "true", "HX-History-Restore-Request": "true"}, False),
    ],
)
def test_a_part_is_for_htmx_alone(headers: dict[str, str], part: bool) -> None:
    assert wants_fragment(RequestFactory().get("/", headers=headers)) is part


def test_a_section_answers_lines_to_htmx_and_a_page_to_everybody_else(cast: Cast, turns: list[Turn]) -> None:
    path = f"/p/harbour-desk/t/{turns[0].key}/sections/0"
    part = cast.viewer.get(path, headers={"HX-Request": "true"})
    page = cast.viewer.get(path)
    assert part.content.lstrip().startswith(b'<div class="code"')
    assert b"<html" not in part.content
    assert b"<html" in page.content
    assert "HX-Request" in part["Vary"]
    assert "HX-Request" in page["Vary"]


def test_a_part_asked_for_after_the_session_ended_is_refused_not_redirected(cast: Cast) -> None:
    response = cast.anonymous.get("/p/harbour-desk/news?after=0", headers={"HX-Request": "true"})
    assert response.status_code == 401
    assert response.content == b""
