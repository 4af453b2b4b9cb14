"""Asking across sessions: where words stand, and which instruction, action and format texts there were."""

from dataclasses import replace
from typing import Any, Literal

from django.http import HttpRequest, HttpResponse
from ninja import Query, Router

from inspector.api import answers, schemas
from inspector.api.keys import ApiRequest
from inspector.api.replies import json_reply
from inspector.api.sessions import Narrowing
from inspector.store import queries, search
from inspector.store.models import Project
from inspector.store.search import Hit

router = Router(tags=["Search"])


class Searched(Narrowing):
    """The search's own parameters."""

    q: str
    cursor: str | None = None
    limit: int = 50
    mode: Literal["words", "exact"] = "words"


@router.get("/search", **schemas.GET_SEARCH)
def get_search(request: ApiRequest, query: Query[Searched]) -> HttpResponse:
    """Where words stand: a hit is the turn that introduced them.

    Words, `"phrases"` and prefixes (`rout*`), beside terms such as `agent:weather has:error`; with
    `mode=exact` any text, just as it is, in as many turns as time allows; `X-Searched` says how many of how
    many. The header `Link: <…>; rel="next"` leads to more.
    """
    project = request.auth.project
    is_exact = query.mode == "exact"
    filters = query.filters("" if is_exact else query.q)
    text = query.q if is_exact else filters.q
    page = search.search(project, text, replace(filters, q=""), query.limit, query.cursor, query.mode)
    response = json_reply([_hit(request, project, hit) for hit in page.hits])
    if page.next:
        rest = request.GET.copy()
        rest["cursor"] = page.next
        response.headers["Link"] = f'<{request.path}?{rest.urlencode()}>; rel="next"'
    if page.searched is not None:
        response.headers["X-Searched"] = f"{page.searched} of {page.total}"
    return response


@router.get("/versions", **schemas.GET_VERSIONS)
def get_versions(
    request: ApiRequest,
    kind: Literal["instructions", "actions", "format"] | None = None,
    cursor: str | None = None,
    limit: int = 100,
) -> HttpResponse:
    """The project's distinct instruction, action and format texts, last seen first, with first and last turn.

    `next` is the cursor of the next page.
    """
    project = request.auth.project
    page = queries.versions_page(project, kind, cursor, limit)
    rows = [answers.version_answer(request, project, row) for row in page.items]
    return json_reply({"versions": rows, "next": page.next})


def _hit(request: HttpRequest, project: Project, hit: Hit) -> dict[str, Any]:
    turn = hit.turn
    return {
        "turn": turn.key,
        "seq": turn.seq,
        "session": turn.session.key,
        "session_id": turn.session.short_id,
        "part": hit.part,
        "section": hit.section,
        "line": hit.line,
        "snippet": hit.snippet,
        "marks": [list(mark) for mark in hit.marks],
        "url": answers.turn_url(request, project, turn.key),
    }
