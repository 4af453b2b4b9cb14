"""A turn's pages and parts for members."""

from dataclasses import replace
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.views.decorators.http import require_safe

from inspector.store.errors import Damaged, NotFound
from inspector.store.models import Project
from inspector.store.models import Turn as Row
from inspector.store.queries import neighbours, turn_for
from inspector.store.queries.turns import before
from inspector.store.readings import read_turn_of
from inspector.store.records import record_of
from inspector.turns.errors import TurnError
from inspector.turns.turn import ReadTurn
from inspector.web.comparison.page import changes_of, comparison_context, part_of
from inspector.web.comparison.refusals import is_breaking, refused_of
from inspector.web.crumbs import crumbs
from inspector.web.downloads import as_text, download
from inspector.web.faults import translated
from inspector.web.fragments import nothing_new, page_or_fragment, refresh
from inspector.web.learnt_values import learnt_up_to
from inspector.web.links import Links
from inspector.web.numbers import number
from inspector.web.person import is_owner, signed_in
from inspector.web.turn.bar import member_bar
from inspector.web.turn.blame import blamed_by
from inspector.web.turn.facts import metadata_context, offered_context
from inspector.web.turn.page import sections_context, strip_of
from inspector.web.turn.panels import PART_LINES, PromptView, part
from inspector.web.turn.raw import raw
from inspector.web.turn.replies import ReplyView
from inspector.web.turn.unchanged import since_of
from inspector.web.turn.ways import ways_of

TABS = {"", "raw", "changes", "response", "offered", "metadata"}


def links_of(project: Project, key: str) -> Links:
    """Addresses of a turn for members."""
    base = reverse("turn", args=[project.slug, key])
    return Links(base, base[: -len(key) - 1])


def read_or_none(row: Row) -> ReadTurn | None:
    """The turn with its reading; None while there is none."""
    try:
        return read_turn_of(row)
    except (NotFound, Damaged, TurnError):
        return None


def frame(request: HttpRequest, row: Row, read: ReadTurn | None, tab: str) -> dict[str, Any]:
    """What all pages of a turn share."""
    project, links = row.project, links_of(row.project, row.key)
    reading = read.reading if read else None
    view = PromptView.of(read.turn, read.reading) if read else None
    return {
        "frame": "base.html",
        "project": project,
        "crumbs": crumbs(project, row.session, f"Turn {row.seq}"),
        "session_title": row.session.key,
        "row": row,
        "reading": reading,
        "links": links,
        "rules": True,
        "bar": member_bar(project, row, reading, read.turn if read else None, links, tab),
        "strip": strip_of(view) if view else None,
        "view": view,
    }


@require_safe
@signed_in
@translated
def turn(request: HttpRequest, slug: str, key: str) -> HttpResponse:
    """A turn, by one of its tabs."""
    row = turn_for(request.user, slug, key)
    read = read_or_none(row)
    tab = request.GET.get("tab", "") if request.GET.get("tab", "") in TABS else ""
    context = frame(request, row, read, tab)
    if read is None:
        context["may_delete"] = is_owner(request, row.project)
        return page_or_fragment(request, "turn/unread.html", context)
    if not tab:
        context |= origins_context(request, row, context["view"], context["links"])
    context |= tab_context(request, tab, row, read, context["view"], context["links"])
    return page_or_fragment(request, f"turn/{tab or 'sections'}.html", context, part=part_of(context))


def origins_context(request: HttpRequest, row: Row, view: PromptView, links: Links) -> dict[str, Any]:
    """Where the prompt's text comes from: since when each section is as it is; each line's turn if asked."""
    view = replace(view, since=since_of(row, view.reading))
    blamed = blamed_by(row, view.reading, links) if request.GET.get("blame") == "1" else None
    if blamed is not None:
        view = replace(view, brought=blamed.lines)
    history = reverse("history", args=[row.project.slug, row.session.short_id])
    return {"history": history, "view": view, "blamed": blamed}


def tab_context(
    request: HttpRequest, tab: str, row: Row, read: ReadTurn, view: PromptView, links: Links
) -> dict[str, Any]:
    """What one tab shows."""
    marked, first = number(request, "line"), number(request, "from")
    if tab == "raw":
        api = request.build_absolute_uri(f"/api/v1/turns/{row.key}")
        return {"raw": raw(view, first or 1, marked), "api": api}
    if tab == "response":
        return response_context(view, links, first or 1, marked)
    if tab == "metadata":
        named = [("Turn", row.key), ("Session", row.session.key), ("Parent", row.parent_key)]
        return metadata_context(read, named) | {"may_delete": is_owner(request, row.project)}
    if tab == "offered":
        return offered_context(read, links.base)
    if tab == "changes":
        return changes_context(request, row, read)
    return sections_context(view, links, ways_of(request, may_blame=True), start=first or 0, marked=marked)


def response_context(view: PromptView, links: Links, first: int, marked: int | None) -> dict[str, Any]:
    """The response's own tab."""
    reply = ReplyView(view.reading, links, view.turn).reply(whole=True, first=first, marked=marked)
    return {"reply": reply, "whole": True}


def changes_context(request: HttpRequest, row: Row, read: ReadTurn) -> dict[str, Any]:
    """Against the turn before; nothing for a first turn."""
    earlier = before(row)
    old = read_or_none(earlier) if earlier else None
    if old is None:
        return {"changes": None}
    base = reverse("turn", args=[row.project.slug, row.key])
    changes = changes_of(request, old, read, lambda: learnt_up_to(row).patterns)
    context = comparison_context(request, changes, old, read, f"{base}?tab=changes&", base)
    return context | {"refused": refused_of(earlier, read) if earlier and is_breaking(changes) else None}


@require_safe
@signed_in
@translated
def section(request: HttpRequest, slug: str, key: str, index: int) -> HttpResponse:
    """One section alone, and the part that a panel loads when it is opened."""
    row = turn_for(request.user, slug, key)
    read = read_turn_of(row)
    context = frame(request, row, read, "")
    context |= origins_context(request, row, context["view"], context["links"])
    return section_page(request, context, index)


def section_page(request: HttpRequest, context: dict[str, Any], index: int) -> HttpResponse:
    """The section's page, or its lines for htmx."""
    view: PromptView = context["view"]
    if index >= len(view.reading.sections):
        raise NotFound("No such section.")
    first, ways = number(request, "from"), ways_of(request, may_blame="history" in context)
    panel = part(replace(view, pretty=ways.pretty), index, first, number(request, "line"))
    begin = panel.line if first is None else max(panel.line, first)
    earlier = max(panel.line, begin - PART_LINES) if begin > panel.line else None
    context |= {"panel": panel, "before": earlier, "shown_from": begin, "ways": ways}
    return page_or_fragment(request, "turn/section.html", context, part="lines")


@require_safe
@signed_in
@translated
def section_text(request: HttpRequest, slug: str, key: str, index: int) -> HttpResponse:
    """The section's exact text: what Copy copies."""
    read = read_turn_of(turn_for(request.user, slug, key))
    if index >= len(read.reading.sections):
        raise NotFound("No such section.")
    return as_text(PromptView.of(read.turn, read.reading).text(read.reading.sections[index]))


@require_safe
@signed_in
@translated
def message_text(request: HttpRequest, slug: str, key: str, index: int) -> HttpResponse:
    """A message's exact text: what Copy copies."""
    messages = read_turn_of(turn_for(request.user, slug, key)).turn.messages
    if index >= len(messages):
        raise NotFound("No such message.")
    return as_text(messages[index].text)


@require_safe
@signed_in
@translated
def record(request: HttpRequest, slug: str, key: str) -> HttpResponse:
    """The bytes as they were posted."""
    row = turn_for(request.user, slug, key)
    return download(record_of(row), f"turn-{row.seq}.json")


@require_safe
@signed_in
@translated
def state(request: HttpRequest, slug: str, key: str) -> HttpResponse:
    """Asked by a page that waits for its reading: 204, or reload."""
    row = turn_for(request.user, slug, key)
    return nothing_new() if row.state == Row.State.PENDING else refresh()


@require_safe
@signed_in
@translated
def next_turn(request: HttpRequest, slug: str, key: str) -> HttpResponse:
    """Asked by the latest turn's page: 204, or the button that leads on."""
    row = turn_for(request.user, slug, key)
    following = neighbours(row).next
    if following is None:
        return nothing_new()
    href = links_of(row.project, following.key).base
    return page_or_fragment(request, "turn/_next.html", {"href": href})
