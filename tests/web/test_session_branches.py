"""Sub-agents on a session's page, and choosing a turn of another session to compare with."""

import pytest

from inspector.store.models import Turn
from inspector.web.figures.branches import BRANCH, TRUNK, branches
from tests.web.cast import Cast
from tests.web.pages import page_of

pytestmark = pytest.mark.django_db(transaction=True)


def test_a_session_without_sub_agents_has_no_branches() -> None:
    assert branches([False, False]) == []
    assert branches([]) == []


def test_a_branch_leaves_the_trunk_and_comes_back() -> None:
    first, out, back = branches([False, True, False])
    assert [each.x for each in (first, out, back)] == [TRUNK, BRANCH, TRUNK]
    assert [each.hollow for each in (first, out, back)] == [False, True, False]
    assert f"C{TRUNK} 36 {BRANCH} 26" in first.path
    assert f"C{BRANCH} 14 {TRUNK} 6" in back.path
    assert "M12 -20" not in first.path
    assert "M12 20V60" not in back.path


def test_a_sub_agent_s_turn_stands_on_a_branch_and_says_who_called_it(cast: Cast) -> None:
    parent = cast.post({"id": "p1", "session": "s", "agent": "desk", "prompt": "a"})
    cast.post({"id": "p2", "session": "s", "agent": "clerk", "parent": "p1", "prompt": "b"})
    page = page_of(cast.viewer.get(f"/p/harbour-desk/s/{parent.session.short_id}/"))
    assert sum(1 for _, at in page.elements if at.get("class") == "lane") == 2
    assert "called in turn 1" in page.words


def test_two_sessions_are_compared_by_choosing_one_turn_in_each(cast: Cast) -> None:
    old = cast.post({"id": "old", "session": "one", "prompt": "# A\none"})
    new = cast.post({"id": "new", "session": "two", "prompt": "# A\ntwo"})
    here = page_of(cast.viewer.get(f"/p/harbour-desk/s/{old.session.short_id}/"))
    assert any(at.get("formaction") == "/p/harbour-desk/" for _, at in here.elements)
    listed = page_of(cast.viewer.get("/p/harbour-desk/?a=old"))
    there = f"/p/harbour-desk/s/{new.session.short_id}/?from=old"
    assert there in listed.links
    chosen = page_of(cast.viewer.get(there))
    assert "A is turn 1 of one" in chosen.words
    answer = cast.viewer.get("/p/harbour-desk/compare/?a=old&b=new")
    assert answer["Location"] == "/p/harbour-desk/compare/old/new/"


def test_a_turn_of_another_project_can_not_be_chosen(cast: Cast, turns: list[Turn]) -> None:
    assert "Comparing" not in page_of(cast.stranger.get(f"/p/elsewhere/?a={turns[0].key}")).words


def test_a_short_session_is_shown_again_as_soon_as_it_is_read(cast: Cast) -> None:
    turn = cast.post({"session": "s", "prompt": "a"}, read=False)
    news = f"/p/harbour-desk/s/{turn.session.short_id}/news?after={turn.pk}&unread=1"
    assert cast.viewer.get(news).status_code == 204
    Turn.objects.filter(pk=turn.pk).update(state="read")
    assert cast.viewer.get(news)["HX-Refresh"] == "true"
    assert cast.viewer.get(news.removesuffix("&unread=1")).status_code == 204
