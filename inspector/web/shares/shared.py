"""Shared pages: no sign-in, read-only, exactly the link's scope, nothing of whoever looks."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_safe

from inspector.sharing import links as sharing_links
from inspector.sharing import reading, scope
from inspector.sharing.errors import LinkGone, OutOfScope, TooManyMisses
from inspector.sharing.links import Visit
from inspector.store.errors import Damaged, NotFound
from inspector.store.models import Share
from inspector.store.models import Turn as Row
from inspector.turns.errors import TurnError
from inspector.turns.turn import ReadTurn
from inspector.web.comparison.page import changes_of, comparison_context, part_of
from inspector.web.downloads import as_text
from inspector.web.figures.chart import MOST
from inspector.web.fragments import page_or_fragment, wants_fragment
from inspector.web.links import Links
from inspector.web.numbers import number
from inspector.web.session.page import ROWS, turns_context
from inspector.web.tags import day
from inspector.web.throttle import address_of
from inspector.web.turn.bar import plain_bar
from inspector.web.turn.facts import metadata_context, offered_context
from inspector.web.turn.page import sections_context, strip_of
from inspector.web.turn.panels import PART_LINES, PromptView, part
from inspector.web.turn.raw import raw
from inspector.web.turn.views import response_context, section_page
from inspector.web.turn.ways import ways_of

View = Callable[..., HttpResponse]
TABS = {"", "raw", "response", "offered", "metadata"}
Opened = Callable[[HttpRequest, str], Share]


def visit_of(request: HttpRequest) -> Visit:
    """Who looks, as far as the request tells."""
    return Visit(address_of(request), request.headers.get("User-Agent", ""))


def guarded(view: View) -> View:
    """Gives the view its share; a link that opens nothing looks the same whatever the reason."""

    @wraps(view)
    def answer(request: HttpRequest, token: str, *args: Any, **named: Any) -> HttpResponse:
        # Parts of a page and the links of scanners that only ask for the head are no view.
        opens = request.method == "GET" and not wants_fragment(request) and view.__name__ == "shared"
        try:
            share = (sharing_links.open_link if opens else sharing_links.find)(token, visit_of(request))
            response = view(request, share, *args, **named)
        except (LinkGone, OutOfScope, NotFound, Damaged, TurnError):
            response = render(request, "shared/gone.html", status=404)
        except TooManyMisses:
            response = render(request, "shared/gone.html", status=429)
            response.headers["Retry-After"] = "60"
        response.headers["Vary"] = "HX-Request"
        return response

    return require_safe(answer)


def frame(share: Share, token: str) -> dict[str, Any]:
    """What all shared pages have in common."""
    return {"frame": "shared/base.html", "shared": True, "share": share, "session_title": "shared"}


def links_of(token: str, share: Share, row: Row) -> Links:
    """Addresses under the link."""
    if share.scope != Share.Scope.SESSION:
        return Links(reverse("shared", args=[token]))
    base = reverse("shared-turn", args=[token, row.key])
    return Links(base, base[: -len(row.key) - 1])


@guarded
def shared(request: HttpRequest, share: Share) -> HttpResponse:
    """What the link shows."""
    token = token_of(request)
    if share.scope == Share.Scope.SESSION:
        return session_page(request, share, token)
    if share.scope == Share.Scope.COMPARISON:
        old, new = reading.compared(share)
        return comparison_page(request, share, token, old, new, "?")
    if share.scope == Share.Scope.SECTION:
        return lone_section(request, share, token)
    return turn_page(request, share, token, scope.turn_of(share))


def token_of(request: HttpRequest) -> str:
    """The token of this address; the path is the only place where it is."""
    return request.path.split("/")[2]


def turn_page(request: HttpRequest, share: Share, token: str, row: Row) -> HttpResponse:
    """A turn, by one of its tabs, cut and masked."""
    read = reading.read_turn(share, row)
    tab = request.GET.get("tab", "") if request.GET.get("tab", "") in TABS else ""
    context, view, links = turn_frame(share, token, row, read, tab)
    marked, first = number(request, "line"), number(request, "from")
    if tab == "raw":
        context["raw"] = raw(view, first or 1, marked)
    elif tab == "response":
        context |= response_context(view, links, first or 1, marked)
    elif tab == "offered":
        context |= offered_context(read, links.base)
    elif tab == "metadata":
        context |= metadata_context(read)
    else:
        ways = ways_of(request, may_blame=False)
        context |= sections_context(view, links, ways, start=first or 0, marked=marked)
    return page_or_fragment(request, f"turn/{tab or 'sections'}.html", context)


def turn_frame(
    share: Share, token: str, row: Row, read: ReadTurn, tab: str
) -> tuple[dict[str, Any], PromptView, Links]:
    """What a shared turn's pages have in common."""
    links = links_of(token, share, row)
    view = PromptView.of(read.turn, read.reading)
    context = frame(share, token) | {
        "reading": read.reading,
        "links": links,
        "bar": plain_bar(row, read.reading, read.turn, links, tab),
        "strip": strip_of(view),
        "view": view,
        "up": reverse("shared", args=[token]) if share.scope == Share.Scope.SESSION else "",
    }
    return context, view, links


@guarded
def turn(request: HttpRequest, share: Share, key: str) -> HttpResponse:
    """A turn of a shared session."""
    return turn_page(request, share, token_of(request), shared_row(share, key))


def shared_row(share: Share, key: str | None) -> Row:
    """The turn that the link shows under this address."""
    if key is None and share.scope == Share.Scope.SESSION:
        raise OutOfScope
    return scope.turn_of(share, key)


@guarded
def section(request: HttpRequest, share: Share, index: int, key: str | None = None) -> HttpResponse:
    """A section of a shared turn, and the part that its panel loads."""
    row = shared_row(share, key)
    read = reading.read_turn(share, row)
    context, _, _ = turn_frame(share, token_of(request), row, read, "")
    return section_page(request, context, index)


@guarded
def section_text(request: HttpRequest, share: Share, index: int, key: str | None = None) -> HttpResponse:
    """A section's text, masked: what Copy copies."""
    read = reading.read_turn(share, shared_row(share, key))
    if index >= len(read.reading.sections):
        raise OutOfScope
    return as_text(PromptView.of(read.turn, read.reading).text(read.reading.sections[index]))


def lone_section(request: HttpRequest, share: Share, token: str) -> HttpResponse:
    """The one section of a section's link; its turn stays at home."""
    shown = reading.section(share)
    view = PromptView.of(shown.turn.turn, shown.turn.reading)
    index = shown.turn.reading.sections.index(shown.section)
    first = number(request, "from")
    panel = part(view, index, first, number(request, "line"))
    begin = panel.line if first is None else max(panel.line, first)
    earlier = max(panel.line, begin - PART_LINES) if begin > panel.line else None
    return page_or_fragment(
        request, "shared/section.html", frame(share, token) | {"panel": panel, "before": earlier}
    )


def comparison_page(
    request: HttpRequest, share: Share, token: str, old: ReadTurn, new: ReadTurn, here: str
) -> HttpResponse:
    """Two turns, cut and masked alike."""
    base = ""
    if share.scope == Share.Scope.SESSION:
        base = reverse("shared-turn", args=[token, new.id])
    context = frame(share, token) | {
        "facts": [],
        "up": reverse("shared", args=[token]) if base else "",
    }
    context |= comparison_context(request, changes_of(request, old, new), old, new, here, base)
    return page_or_fragment(request, "comparison/comparison.html", context, part=part_of(context))


@guarded
def comparison(request: HttpRequest, share: Share, old_key: str, new_key: str) -> HttpResponse:
    """Two turns of a shared session."""
    old, new = reading.compared(share, old_key, new_key)
    return comparison_page(request, share, token_of(request), old, new, "?")


@guarded
def choose(request: HttpRequest, share: Share) -> HttpResponse:
    """From two radio buttons to the comparison."""
    return comparison(request, token_of(request), request.GET.get("a", ""), request.GET.get("b", ""))


def session_page(request: HttpRequest, share: Share, token: str) -> HttpResponse:
    """The session up to where it was when the link was made."""
    turns = scope.turns_of(share)
    after = number(request, "after") or 0
    shown = list(turns.filter(seq__gt=after)[: ROWS + 1])
    following = shown[ROWS - 1].seq if len(shown) > ROWS else None
    total = turns.count()
    charted = list(turns.order_by("-seq")[:MOST])[::-1]

    def href(key: str) -> str:
        return reverse("shared-turn", args=[token, key])

    context = frame(share, token) | {
        "session": share.session,
        "heading": share.label or "Shared session",
        "facts": [("Turns", f"{total:,}"), ("Shared", day(share.created_at))],
        "total": total,
        "older": f"?after={following}" if following else "",
        "newest": "?" if after else "",
        "compare_action": reverse("shared-compare", args=[token]),
        "chips": [],
    }
    listed = shown[:ROWS]
    cover = reading.names_covered(share, listed)
    context |= turns_context(listed, charted, href, share.session.agent, cover)
    return page_or_fragment(request, "session/session.html", context)
