"""The distinct instructions, action lists and formats of a project."""

import pytest

from inspector.store.models import SectionVersion, Turn
from tests.web.cast import Cast
from tests.web.pages import page_of
from tests.web.prompts import payload, prompt
from tests.web.test_hostile import check, hostile

BASE = "/p/harbour-desk/versions/"


@pytest.fixture
def changed(cast: Cast, turns: list[Turn]) -> Cast:
    text = prompt(4).replace("Answer skippers and book berths.", "Answer skippers.\nNever book a berth.")
    cast.post(payload(4, prompt=text))
    return cast


def objectives() -> list[SectionVersion]:
    return list(SectionVersion.objects.filter(title="Primary Objective").order_by("first_at", "pk"))


def test_each_distinct_text_is_listed_with_its_turns(changed: Cast) -> None:
    response = changed.viewer.get(BASE)
    page = page_of(response)
    old, new = objectives()
    assert (old.count, new.count) == (3, 1)
    assert "3 turns" in page.words
    assert "/p/harbour-desk/t/turn-1/" in page.links
    assert f"?kind=&a={old.pk}&b={new.pk}" in page.links


def test_they_can_be_narrowed_to_a_kind(changed: Cast) -> None:
    actions = changed.viewer.get(f"{BASE}?kind=actions")
    assert {row.version.kind for row in actions.context["rows"]} == {"actions"}
    assert changed.viewer.get(f"{BASE}?kind=nonsense").context["kind"] == ""


def test_two_texts_are_compared(changed: Cast) -> None:
    old, new = objectives()
    page = page_of(changed.viewer.get(BASE, {"a": old.pk, "b": new.pk}))
    rows = [at.get("class") for tag, at in page.elements if tag == "tr"]
    assert (rows.count("del"), rows.count("add")) == (1, 2)
    assert "Never book a berth." in page.words


def test_versions_of_other_projects_are_not_found(changed: Cast) -> None:
    changed.post(payload(9), project=changed.other)
    foreign = SectionVersion.objects.filter(project=changed.other)[0]
    own = objectives()[0]
    assert changed.viewer.get(BASE, {"a": own.pk, "b": foreign.pk}).status_code == 404
    assert changed.viewer.get(BASE, {"a": own.pk, "b": 10**9}).status_code == 404
    assert changed.viewer.get(BASE, {"a": own.pk}).status_code == 200


def test_a_text_whose_turns_are_gone_says_so(changed: Cast) -> None:
    old, new = objectives()
    SectionVersion.objects.filter(pk=old.pk).update(first_turn=None, last_turn=None)
    page = page_of(changed.viewer.get(BASE, {"a": old.pk, "b": new.pk}))
    assert "can be opened any more" in page.words


def test_a_project_without_any_says_so(cast: Cast) -> None:
    assert "No such text yet." in page_of(cast.viewer.get(BASE)).words


def test_many_texts_are_paged(cast: Cast) -> None:
    for number in range(120):
        cast.post(
            {"id": f"v{number}", "session": "v", "prompt": f"# Instructions\nRule {number}.\n"},
            read=number == 119,
        )
    response = cast.viewer.get(BASE)
    assert page_of(response).count <= 3_000
    seen = {row.version.pk for row in response.context["rows"]}
    pages = [len(seen)]
    while older := response.context["older"]:
        assert older in page_of(response).links
        response = cast.viewer.get(f"{BASE}{older}")
        pages.append(len(response.context["rows"]))
        seen |= {row.version.pk for row in response.context["rows"]}
    assert (pages, len(seen)) == ([50, 50, 20], 120)
    assert cast.viewer.get(f"{BASE}?cursor=rubbish").status_code == 400


def test_hostile_texts_are_escaped(cast: Cast) -> None:
    for number in (1, 2):
        cast.post(hostile("evil", number) | {"prompt": None})
    check(cast.viewer.get(BASE), BASE)


def test_earlier_calls_that_a_new_contract_refuses_are_named(cast: Cast) -> None:
    call = '<response><action_call name="bookBerth">{"boat": "Nora", "nights": 2}</action_call></response>'
    for number in (1, 2):
        cast.post(payload(number, response=call))
    text = prompt(3).replace('"nights":{"type":"number"}', '"nights":{"type":"string"}')
    cast.post(payload(3, prompt=text))
    response = cast.viewer.get("/p/harbour-desk/compare/turn-2/turn-3/")
    page = page_of(response)
    assert "2 earlier calls of this session would now be refused" in page.words
    assert "/p/harbour-desk/t/turn-1/#call-0" in page.links
    assert [row.seq for row in response.context["refused"].rows] == [2, 1]
    assert cast.viewer.get("/p/harbour-desk/compare/turn-1/turn-2/").context["refused"] is None
    back = cast.viewer.get("/p/harbour-desk/compare/turn-3/turn-2/")
    assert "would be refused" in page_of(back).words or back.context["refused"] is not None
