"""Projects never meet: not in addresses, parts of pages, lists, chips, nor in any statement."""

import re
from dataclasses import fields
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from inspector.store.models import Session, Turn
from tests.web.cast import Cast
from tests.web.pages import page_of
from tests.web.test_access import ROUTES, Things, things

__all__ = ["things"]

NAMED = [
    name for name, route in ROUTES.items() if re.search(r"{(turn|old|session|share|key|person)}", route.path)
]
OF_PROJECT = [name for name in NAMED if not name.startswith("shared")]


def path_of(name: str, things: Things) -> str:
    return ROUTES[name].path.format(**{each.name: getattr(things, each.name) for each in fields(Things)})


@pytest.mark.parametrize("name", OF_PROJECT)
def test_our_ids_are_not_there_in_another_project(name: str, cast: Cast, things: Things) -> None:
    path = path_of(name, things).replace("harbour-desk", "elsewhere")
    before = (Turn.objects.count(), Session.objects.count())
    for method in ("get", "post"):
        for headers in ({}, {"HX-Request": "true"}):
            answer = getattr(cast.stranger, method)(path, headers=headers)
            assert answer.status_code in (404, 405), (method, headers)
            assert things.session.encode() not in answer.content.replace(path.encode(), b"")
    assert cast.stranger.get(path).status_code == (405 if ROUTES[name].method == "post" else 404)
    assert (Turn.objects.count(), Session.objects.count()) == before


SECRETS = {"agent": "zebraagent", "model": "zebramodel", "session": "zebrasession"}
TURN = {
    **SECRETS,
    "id": "zebraturn",
    "prompt": "<instructions>zebrawords</instructions>",
    "tags": {"zebratag": "zebravalue"},
    "response": '<response><action_call name="zebraaction">{}</action_call></response>',
}
PAGES = (
    *(
        "",
        "turns/",
        "search/?q=zebrawords",
        "search/?q=zebrawords&mode=exact",
        "versions/",
        "shares/",
        "settings/",
    ),
    *("?q=agent:zebraagent", "?q=tag:zebratag", "?q=session:zebrasession", "?q=zebrawords", "news?after=0"),
)


@pytest.mark.parametrize("page", PAGES)
def test_nothing_of_another_project_is_listed_counted_or_suggested(page: str, cast: Cast) -> None:
    cast.post(TURN, project=cast.other)
    assert "zebra" in str(cast.stranger.get("/p/elsewhere/").content)
    cast.post({"id": "ours", "session": "s", "prompt": "Hi"})
    asked = f"/p/harbour-desk/{page}"
    answer = cast.owner.get(asked)
    assert answer.status_code in (200, 204)
    html = answer.content.decode()
    for typed in re.findall(r"zebra\w+", page):
        # What was asked for is said again; nothing else of it may be known.
        html = html.replace(typed, "")
    assert "zebra" not in html
    if answer.status_code == 200 and "q=" in page:
        assert not answer.context.get("rows")
        assert not answer.context.get("groups")


EXEMPT = {'SELECT MAX("inspector_words"."id") AS "last" FROM "inspector_words"'}
"""How far the index goes; says nothing of what is in it."""
TENANTS = re.compile(
    r'"inspector_(session|turn|finding|sectionversion|share|key|audit|words|record|outline)"'
)
BOUND = re.compile(
    r'"(project_id|session_id|turn_id|source_id|share_id|first_turn_id|last_turn_id|shown_by_id)" (=|IN)'
    r'|"(id|pk)" (=|IN)|"digest" ='
)


def unbound(statement: str) -> bool:
    """Whether a statement asks a table of tenants without saying whose rows."""
    where = statement.partition(" WHERE ")[2]
    return bool(TENANTS.search(statement)) and not statement.startswith("INSERT") and not BOUND.search(where)


@pytest.mark.parametrize("name", [name for name in ROUTES if name != "theme"])
def test_every_statement_says_whose_rows_it_wants(name: str, cast: Cast, things: Things) -> None:
    path = path_of(name, things)
    with CaptureQueriesContext(connection) as captured:
        getattr(cast.owner, ROUTES[name].method)(path)
        getattr(cast.anonymous, ROUTES[name].method)(path)
    statements = [query["sql"] for query in captured]
    assert {statement for statement in statements if unbound(statement)} <= EXEMPT


@pytest.mark.parametrize(
    ("statement", "expected"),
    [
        ('SELECT * FROM "inspector_session" WHERE "inspector_session"."short_id" = %s', True),
        ('SELECT * FROM "inspector_turn" ORDER BY "id"', True),
        ('SELECT * FROM "inspector_turn" WHERE "inspector_turn"."project_id" = 1', False),
        ('SELECT * FROM "inspector_project"', False),
    ],
)
def test_a_statement_without_bounds_is_noticed(statement: str, expected: bool) -> None:
    assert unbound(statement) is expected


def test_a_shared_page_says_nothing_that_a_preview_would_repeat(cast: Cast, things: Things) -> None:
    for path in (f"/s/{things.token}/", f"/s/{things.token}/t/{things.turn}/"):
        answer = cast.anonymous.get(path, headers={"User-Agent": "Slackbot-LinkExpanding 1.0"})
        page = page_of(answer)
        head: list[tuple[str, dict[str, Any]]] = [(tag, at) for tag, at in page.elements if tag == "meta"]
        assert not [
            at for _, at in head if "property" in at or at.get("name") in ("description", "twitter:card")
        ]
        title = re.search(r"<title>(.*?)</title>", answer.content.decode())
        assert title
        assert not {"Harbour", "harbour-desk", things.token, "Objective"} & set(re.split(r"[\s,·]", title[1]))
