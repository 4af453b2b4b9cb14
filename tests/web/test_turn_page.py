"""The page of a turn."""

import html
import json
import re
from typing import Any

import pytest

from inspector.store.models import Turn
from tests.web.cast import Cast
from tests.web.pages import page_of
from tests.web.prompts import payload, prompt

BASE = "/p/harbour-desk/t/turn-2/"


def test_it_shows_outline_sections_response_and_findings(cast: Cast, turns: list[Turn]) -> None:
    page = page_of(cast.viewer.get(BASE))
    for words in (
        "Turn 2 of 3",
        "Primary Objective",
        "bookBerth",
        "The skipper wants two nights.",
        "Reasoning",
        "Rejected",
        "Not offered",
        "number expected",
        "calls[0].berth",
    ):
        assert words in page.words, words
    assert "/rules/wrong-type" in page.links
    assert "/p/harbour-desk/compare/turn-1/turn-2/" in page.links


def test_every_line_of_the_prompt_has_its_anchor_once(cast: Cast, turns: list[Turn]) -> None:
    page = page_of(cast.viewer.get(f"{BASE}?open=all"))
    lines = {int(name[1:]) for name in page.ids if name[:1] == "L" and name[1:].isdigit()}
    assert lines >= set(range(1, prompt(2).count("\n") + 1))
    assert [name for name, count in page.ids.items() if count > 1] == []


def test_changed_sections_are_open_and_unchanged_ones_closed(cast: Cast, turns: list[Turn]) -> None:
    page = page_of(cast.viewer.get(BASE))
    state: dict[str, bool] = {}
    current = ""
    for tag, at in page.elements:
        if tag == "section" and (at.get("id") or "").startswith("s-"):
            current = at["id"] or ""
        elif tag == "details" and current:
            state.setdefault(current, "open" in at)
    assert state["s-local-time"]
    assert state["s-recent-history"]
    assert not state["s-primary-objective"]


def test_a_line_of_the_address_is_opened_and_marked(cast: Cast, turns: list[Turn]) -> None:
    response = cast.viewer.get(f"{BASE}?line=4")
    assert b'is-marked" id="L4"' in response.content


@pytest.mark.parametrize(
    "query", ["?line=999999999999", "?line=-1", "?line=x", "?from=99999", "?tab=nope", "?line=0"]
)
def test_a_senseless_address_still_shows_the_turn(query: str, cast: Cast, turns: list[Turn]) -> None:
    response = cast.viewer.get(BASE + query)
    assert response.status_code == 200
    assert "Turn 2" in page_of(response).words


@pytest.mark.parametrize(
    ("tab", "words"),
    [
        ("raw", "You are the harbour master's assistant."),
        ("changes", "Shared prefix"),
        ("response", "Raw response"),
        ("offered", "bookBerth"),
        ("metadata", "tide-2"),
    ],
)
def test_each_tab_shows_its_part(tab: str, words: str, cast: Cast, turns: list[Turn]) -> None:
    page = page_of(cast.viewer.get(f"{BASE}?tab={tab}"))
    assert words in page.words
    assert ("a", True) in [(tag, at.get("aria-current") == "page") for tag, at in page.elements]


def test_a_first_turn_has_nothing_to_compare_with(cast: Cast, turns: list[Turn]) -> None:
    page = page_of(cast.viewer.get("/p/harbour-desk/t/turn-1/?tab=changes"))
    assert "Nothing to compare with" in page.words


def test_a_viewer_is_not_offered_what_only_members_may_do_by_mistake(cast: Cast, turns: list[Turn]) -> None:
    assert cast.viewer.get("/p/harbour-desk/share/?turn=turn-2").status_code == 403


def test_findings_stand_under_their_lines_in_the_response(cast: Cast, turns: list[Turn]) -> None:
    response = cast.viewer.get(f"{BASE}?tab=response")
    assert b'class="code__line is-err" id="R3"' in response.content
    assert b"code__flag v-err" in response.content


def test_a_pending_turn_waits_and_then_reloads(cast: Cast) -> None:
    cast.post(payload(1), read=False)
    page = cast.viewer.get("/p/harbour-desk/t/turn-1/")
    assert "Not read yet" in page_of(page).words
    assert cast.viewer.get("/p/harbour-desk/t/turn-1/state").status_code == 204
    cast.post(payload(2))
    ready = cast.viewer.get("/p/harbour-desk/t/turn-1/state")
    assert ready["HX-Refresh"] == "true"
    assert "Primary Objective" in page_of(cast.viewer.get("/p/harbour-desk/t/turn-1/")).words


def test_an_unreadable_turn_says_why_and_gives_its_record(cast: Cast, turns: list[Turn]) -> None:
    Turn.objects.filter(key="turn-3").update(state=Turn.State.UNREADABLE, problem="The <wire> is unknown.")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("inspector.web.turn.views.read_or_none", lambda row: None)
        page = page_of(cast.viewer.get("/p/harbour-desk/t/turn-3/"))
    assert "Unreadable" in page.words
    assert "The <wire> is unknown." in page.words
    assert "/p/harbour-desk/t/turn-3/record" in page.links


def test_the_record_comes_back_as_it_was_posted(cast: Cast, turns: list[Turn]) -> None:
    response = cast.viewer.get(f"{BASE}record")
    assert b"harbour master" in response.content
    assert response["Content-Disposition"] == 'attachment; filename="turn-2.json"'
    assert response["X-Content-Type-Options"] == "nosniff"


def test_a_section_s_text_is_exact(cast: Cast, turns: list[Turn]) -> None:
    texts = [cast.viewer.get(f"{BASE}sections/{n}/text").content.decode() for n in range(30)]
    assert "## Primary Objective\nAnswer skippers and book berths.\n\n" in texts
    assert cast.viewer.get(f"{BASE}sections/999").status_code == 404


def test_the_next_button_appears_when_the_next_turn_comes(cast: Cast, turns: list[Turn]) -> None:
    path = "/p/harbour-desk/t/turn-3/next"
    assert cast.viewer.get(path).status_code == 204
    cast.post(payload(4))
    assert "/p/harbour-desk/t/turn-4/" in page_of(cast.viewer.get(path)).links


def test_a_turn_without_response_says_so(cast: Cast) -> None:
    cast.post({"id": "quiet", "prompt": "Hello"})
    assert "No response yet" in page_of(cast.viewer.get("/p/harbour-desk/t/quiet/")).words


def test_a_turn_without_prompt_says_so(cast: Cast) -> None:
    cast.post({"id": "lonely", "response": "Hello"})
    assert "This turn has no prompt." in page_of(cast.viewer.get("/p/harbour-desk/t/lonely/")).words


def test_native_calls_and_empty_messages_are_shown(cast: Cast) -> None:
    call = {"id": "c1", "type": "function", "function": {"name": "lookUp", "arguments": '{"a": 1}'}}
    messages = [
        {"role": "user", "content": "Find it"},
        {"role": "assistant", "content": "", "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "c1", "content": "found"},
    ]
    cast.post({"id": "native", "messages": messages, "response": "ok"})
    page = page_of(cast.viewer.get("/p/harbour-desk/t/native/"))
    assert "Message 2" in page.words
    assert "lookUp" in page.words


def test_a_value_leads_to_the_line_that_shows_it(cast: Cast) -> None:
    call = {"id": "c1", "type": "function", "function": {"name": "lookUp", "arguments": '{"berth": 4711}'}}
    messages = [{"role": "user", "content": "Is it free?\nI mean berth 4711."}]
    cast.post({"id": "shown", "messages": messages, "response": {"role": "assistant", "tool_calls": [call]}})
    page = page_of(cast.viewer.get("/p/harbour-desk/t/shown/"))
    assert "/p/harbour-desk/t/shown/?line=2#L2" in page.links


def test_a_message_is_copied_whole(cast: Cast) -> None:
    text = '{"rows": [1, 12345678901234567890], "b": "x"}'
    turn = cast.post({"id": "j", "session": "s", "messages": [{"role": "user", "content": text}]})
    base = f"/p/harbour-desk/t/{turn.key}/"
    assert cast.viewer.get(f"{base}messages/0/text").content.decode() == text
    assert cast.viewer.get(f"{base}messages/1/text").status_code == 404


def test_a_response_and_what_is_in_it_are_copied_as_they_were_sent(cast: Cast) -> None:
    said = '<reasoning>Hm.</reasoning><action_call name="note">{"text":  "a<b"}</action_call>'
    response = f'{said}<output name="text"> hi\n</output></response>'
    cast.post({"id": "said", "prompt": "Go", "prefill": "<response>", "response": response})
    base = "/p/harbour-desk/t/said/"
    page = cast.viewer.get(base).content.decode()
    for query, text in (("", response), ("?call=0", '{"text":  "a<b"}'), ("?output=0", " hi\n")):
        answer = cast.viewer.get(f"{base}response/text{query}")
        assert answer.content.decode() == text
        assert answer["Content-Type"].startswith("text/plain")
        assert f'data-copy="{base}response/text{query}"' in page
    for query in ("?call=1", "?call=-1", "?call=%C2%B2", "?output="):
        assert cast.viewer.get(f"{base}response/text{query}").status_code == 404
    cast.post({"id": "quiet", "prompt": "Hello"})
    assert cast.viewer.get("/p/harbour-desk/t/quiet/response/text").status_code == 404


def test_text_of_an_argument_breaks_where_its_lines_do(cast: Cast) -> None:
    call = {"id": "c", "function": {"name": "run", "arguments": json.dumps({"code": "a = 1\nb\\n\n"})}}
    response = {"role": "assistant", "content": "I run it.", "tool_calls": [call]}
    cast.post({"id": "code", "prompt": "Go", "response": response})
    page = cast.viewer.get("/p/harbour-desk/t/code/").content.decode()
    assert "a = 1\\n\nb\\\\n\\n" in html.unescape(page)
    assert '<details class="call" open id="raw-response">' in page


def test_json_is_laid_out_as_a_view_where_it_is_asked_for(cast: Cast) -> None:
    text = 'Look: {"rows": [1, 12345678901234567890], "berths": ["north", "south", "east"]}\nafter'
    turn = cast.post({"id": "j", "session": "s", "messages": [{"role": "user", "content": text}]})
    base = f"/p/harbour-desk/t/{turn.key}/"
    for path in (base, f"{base}sections/0"):
        assert not over_lines(cast, path)
        assert over_lines(cast, f"{path}?pretty=1")
        page = page_of(cast.viewer.get(f"{path}?pretty=1"))
        assert "a view, not the text" in page.words
        assert "12345678901234567890" in page.words
        assert {"L1", "L2"} <= set(page.ids), path
    assert over_lines(cast, f"{base}sections/0?pretty=1", headers={"HX-Request": "true"})


def over_lines(cast: Cast, path: str, **more: Any) -> bool:
    """Whether a line of the prompt is shown over several."""
    lines = re.findall(
        r'<div class="code__line.*?<code>(.*?)</code>', cast.viewer.get(path, **more).content.decode(), re.S
    )
    return any("\n" in line for line in lines)


def test_each_way_of_showing_keeps_the_others(cast: Cast, turns: list[Turn]) -> None:
    links = page_of(cast.viewer.get(f"{BASE}?open=all&pretty=1")).links
    assert {"?pretty=1", "?open=all", "?open=all&blame=1&pretty=1"} <= set(links)


def test_a_message_of_one_section_has_no_heading_that_is_seen(cast: Cast) -> None:
    call = {
        "id": "c1",
        "type": "function",
        "function": {"name": "lookUp", "arguments": '{"q": "%s"}' % ("x" * 300)},
    }
    messages = [
        {"role": "system", "content": "Be kind."},
        {"role": "user", "content": "Find it"},
        {"role": "assistant", "content": "", "tool_calls": [call]},
    ]
    cast.post({"id": "talk", "messages": messages, "response": "ok"})
    html = cast.viewer.get("/p/harbour-desk/t/talk/").content.decode()
    assert html.count('<div class="message visually-hidden"><h2>Message 2</h2>') == 1
    assert "message 2</span>" in html
    assert '<div class="message"><h2>Message 3</h2>' in html


def test_long_calls_of_the_prompt_are_folded(cast: Cast) -> None:
    def call(name: str, words: str) -> dict[str, object]:
        function = {"name": name, "arguments": json.dumps({"q": words})}
        return {"id": name, "type": "function", "function": function}

    calls = [call("brief", "x"), call("endless", "x" * 5_000)]
    cast.post({"id": "calls", "messages": [{"role": "assistant", "content": "", "tool_calls": calls}]})
    page = page_of(cast.viewer.get("/p/harbour-desk/t/calls/"))
    folds = [at for tag, at in page.elements if tag == "details"]
    assert sum(1 for at in folds if "open" in at) == 1
    assert "3,009 characters more in the record" in page.words


def test_addresses_of_sections_ask_for_nothing_where_nothing_was_chosen(cast: Cast) -> None:
    text = "# One\n" + "a line\n" * 3000 + "# Two\n" + "a line\n" * 3000
    turn = cast.post({"id": "long", "session": "s", "messages": [{"role": "user", "content": text}]})
    page = cast.viewer.get(f"/p/harbour-desk/t/{turn.key}/").content.decode()
    pretty = cast.viewer.get(f"/p/harbour-desk/t/{turn.key}/?pretty=1").content.decode()
    assert f'href="/p/harbour-desk/t/{turn.key}/sections/1"' in page
    assert 'sections/1?"' not in page
    assert f'href="/p/harbour-desk/t/{turn.key}/sections/1?pretty=1"' in pretty
