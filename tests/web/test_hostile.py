"""Content in every field stays content."""

import json
from typing import Any

import pytest

from tests.web.cast import Cast
from tests.web.pages import page_of

EVIL = "\"'><script>alert(1)</script><img src=x onerror=alert(1)>{{7|add:7}}{% debug %}</title>"


def hostile(session: str, number: int) -> dict[str, Any]:
    return {
        "id": f"{session}-{number}",
        "session": EVIL,
        "agent": EVIL,
        "model": EVIL,
        "provider": EVIL,
        "finish_reason": EVIL,
        "error": {"type": EVIL, "message": EVIL},
        "tags": {EVIL: EVIL},
        "metadata": {EVIL: [EVIL]},
        "unknown field " + EVIL: EVIL,
        "tools": [
            {
                "type": "function",
                "function": {
                    "name": EVIL,
                    "description": EVIL,
                    "parameters": {"properties": {EVIL: {"type": EVIL}}},
                },
            }
        ],
        "messages": [
            {
                "role": "user",
                "name": EVIL,
                "content": f"## {EVIL}\n<{EVIL}>\n{EVIL} {number}\n<a {EVIL}>x</a>\n",
            },
            {
                "role": "assistant",
                "content": "",
                "tool_calls": [
                    {
                        "id": EVIL,
                        "type": "function",
                        "function": {"name": EVIL, "arguments": json.dumps({EVIL: EVIL})},
                    }
                ],
            },
            {"role": "tool", "tool_call_id": EVIL, "content": EVIL},
        ],
        "response": f"<response><reasoning>{EVIL}</reasoning>"
        f'<action_call name="{EVIL}">{json.dumps({EVIL: EVIL})}</action_call>'
        f'<output type="{EVIL}">{EVIL}</output>{EVIL}</response>',
        "results": [{"call": 0, "value": EVIL}],
    }


def check(response: Any, path: str) -> None:
    assert response.status_code == 200, path
    html = response.content.decode()
    assert "<script>" not in html, path
    page = page_of(response)
    for tag, attributes in page.elements:
        assert tag not in {"img", "iframe", "object", "embed", "style"}, (path, tag)
        assert not [name for name in attributes if name.startswith("on")], (path, tag, attributes)
        assert (attributes.get("href") or "").lstrip().lower()[:11] != "javascript:", path
        if tag == "script":
            assert (attributes["src"] or "").startswith("/static/"), path
    assert "7|add:7" in html or "alert" not in html, path


@pytest.fixture
def evil(cast: Cast) -> Cast:
    for number in (1, 2):
        cast.post(hostile("evil", number))
    cast.project.name = EVIL[:100]
    cast.project.kinds = {EVIL: "memory"}
    cast.project.save()
    return cast


def test_every_page_escapes_every_field(evil: Cast) -> None:
    row = evil.owner.get("/p/harbour-desk/t/evil-1/").context["row"]
    p = "/p/harbour-desk/"
    paths = [
        "/?all=1",
        p,
        f"{p}s/{row.session.short_id}/",
        *(
            f"{p}t/evil-2/{query}"
            for query in (
                "",
                "?open=all",
                "?tab=raw",
                "?tab=changes",
                "?tab=response",
                "?tab=metadata",
                "sections/0",
            )
        ),
        f"{p}compare/evil-1/evil-2/",
        f"{p}compare/evil-1/evil-2/?view=split",
        f"{p}search/?q=alert",
        f"{p}search/?q=alert&mode=exact",
        f"{p}share/?turn=evil-2&section=0",
        f"{p}settings/",
        f"{p}start/",
        f"{p}shares/",
    ]
    for path in paths:
        check(evil.owner.get(path), path)


def test_every_query_is_escaped(cast: Cast) -> None:
    p = "/p/harbour-desk/"
    cast.post({"id": "a", "prompt": "alert"})
    for path in (p, f"{p}search/"):
        for data in (
            {"q": EVIL},
            {"f": f"agent:{EVIL}"},
            {"cursor": EVIL},
            {"q": "\x00"},
            {"f": "agent:\x00"},
            {"q": "a" * 5000},
        ):
            response = cast.owner.get(path, data)
            assert response.status_code in (200, 400), (path, data)
            assert b"<script>alert" not in response.content
    assert b"<script>alert" not in cast.anonymous.get("/sign-in/", {"next": EVIL}).content


def test_shared_pages_escape_too(evil: Cast) -> None:
    made = evil.owner.post(
        "/p/harbour-desk/share/",
        {"turn": "evil-2", "scope": "session", "label": EVIL, "days": "7", "mask": "secrets"},
    )
    check(made, "share")
    url = made.context["made"]["url"].replace("http://testserver", "")
    for path in (url, f"{url}t/evil-2/", f"{url}t/evil-2/?tab=metadata", f"{url}compare/evil-1/evil-2/"):
        check(evil.anonymous.get(path), path)


@pytest.mark.parametrize(
    "text", ["\x00", "\ud800", "\u202e\u2066", "\x1b[31m", "e" + "\u0301" * 100, "\r\n\r", "\U000e0041"]
)
def test_odd_characters_are_shown_and_never_fail(text: str, cast: Cast) -> None:
    body = {
        "id": "odd",
        "session": f"s{text}",
        "agent": f"a{text}",
        "prompt": f"## {text}\n{text}\n",
        "response": text,
    }
    cast.post(body)
    row = cast.owner.get("/p/harbour-desk/t/odd/").context["row"]
    p = "/p/harbour-desk/"
    for path in (
        p,
        f"{p}s/{row.session.short_id}/",
        f"{p}t/odd/",
        f"{p}t/odd/?tab=raw",
        f"{p}t/odd/?tab=metadata",
        f"{p}t/odd/sections/0/text",
        f"{p}search/?q=odd",
    ):
        assert cast.owner.get(path).status_code == 200, path
