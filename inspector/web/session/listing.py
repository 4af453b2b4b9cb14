"""The sessions of a project."""

from dataclasses import dataclass
from datetime import timedelta

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_safe

from inspector.store.errors import BadQuery
from inspector.store.models import Project, Session
from inspector.store.queries import Facets, Filters, Page, project_for, sessions_page
from inspector.store.queries.language import Query, filters
from inspector.web.comparison.chosen import chosen_of
from inspector.web.crumbs import Crumb
from inspector.web.facets import facets, known_of, suggestions
from inspector.web.faults import translated
from inspector.web.fragments import nothing_new, page_or_fragment
from inspector.web.news import latest, newer
from inspector.web.numbers import number
from inspector.web.person import signed_in
from inspector.web.query import address, field, kept, query_of
from inspector.web.session.sizes import Sizes, sizes_of
from inspector.web.start import start_context
from inspector.web.tags import short

LIMIT = 50
LIVE = timedelta(minutes=2)
"""A session whose latest turn is younger than this is shown as live."""
PLACEHOLDER = 'agent:weather has:error action:getWeather since:1h "part of its key"'


@dataclass(frozen=True, slots=True)
class SessionRow:
    """One session of the list."""

    session: Session
    href: str
    css: str
    status: str
    models: str
    actions: str
    actions_more: int
    actions_all: str
    sizes: Sizes | None


def status_of(session: Session) -> tuple[str, str]:
    """Class and word."""
    if timezone.now() - session.last_at < LIVE:
        return "live", "Live"
    return "wait", "Idle"


def row_of(project: Project, session: Session, sizes: Sizes | None) -> SessionRow:
    """A session as the list shows it."""
    css, status = ("err", "Failed") if sizes and sizes.failed else status_of(session)
    names = [str(name) for name in session.actions]
    return SessionRow(
        session,
        reverse("session", args=[project.slug, session.short_id]),
        css,
        status,
        ", ".join(str(name) for name in session.model_names[:3]),
        " ".join(name[:40] for name in names[:2]),
        max(0, len(names) - 2),
        " ".join(names[:30]),
        sizes,
    )


def page_of(project: Project, query: Query, cursor: str | None) -> tuple[Page[Session], str]:
    """The page, and what was wrong with the question."""
    try:
        return sessions_page(project, filters(query), cursor, LIMIT), ""
    except BadQuery as error:
        return sessions_page(project, Filters(), None, LIMIT), str(error)


def totals_of(known: Facets, filtered: bool) -> list[tuple[str, str]]:
    """The head line's figures."""
    more = "" if known.is_all else "+"
    sessions = f"{known.sessions:,}{more} session{'' if known.sessions == 1 else 's'}"
    return [
        ("Matching" if filtered else "In all", sessions),
        ("Turns", f"{short(known.turns)}{more}"),
        ("Prompt tokens", f"{short(known.tokens)}{more}"),
    ]


@require_safe
@signed_in
@translated
def sessions(request: HttpRequest, slug: str) -> HttpResponse:
    """The list with its filters; an empty project shows how to begin."""
    project = project_for(request.user, slug)
    query, cursor = query_of(request), request.GET.get("cursor")
    page, problem = page_of(project, query, cursor)
    filtered = bool(query.tokens or query.text or cursor)
    here = reverse("sessions", args=[slug])
    grown = sizes_of(page.items)
    chosen = chosen_of(request, project, "a")
    more = {"a": chosen.key} if chosen else {}
    counted = Query(query.tokens, "" if problem else query.text)
    context = {
        "project": project,
        "crumbs": [Crumb("Sessions")],
        "rows": [row_of(project, session, grown.get(session.pk)) for session in page.items],
        "filtered": filtered,
        "query": field(
            query,
            here,
            more,
            suggestions=suggestions(project),
            label="Add a filter or part of a session's key",
            placeholder=PLACEHOLDER,
            button="Filter",
            problem=problem,
        ),
        "facets": facets(project, counted, more, counted=True) if page.items or filtered else [],
        "totals": totals_of(known_of(project, counted), filtered) if page.items else [],
        "chosen": chosen,
        "turns_href": reverse("found-turns", args=[slug]) + address(query.tokens, query.text),
        "older": kept(request, cursor=page.next) if page.next else "",
        "newest": here + address(query.tokens, query.text, more) if cursor else "",
        "cursor": latest(project),
    }
    if not page.items and not filtered:
        context |= start_context(request, project)
    return page_or_fragment(request, "session/sessions.html", context)


@require_safe
@signed_in
@translated
def news(request: HttpRequest, slug: str) -> HttpResponse:
    """Asked every two seconds: 204, or the pill that counts new turns."""
    project = project_for(request.user, slug)
    count = newer(project, number(request, "after") or 0)
    if not count:
        return nothing_new()
    words = f"{count} new turn{'' if count == 1 else 's'}" if count < 100 else "99+ new turns"
    return page_or_fragment(request, "_news.html", {"href": reverse("sessions", args=[slug]), "words": words})
