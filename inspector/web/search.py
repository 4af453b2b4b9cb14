"""Search: a hit is the turn that introduced the words."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.safestring import SafeString
from django.views.decorators.http import require_safe

from inspector.store.errors import BadQuery
from inspector.store.models import Project, Session
from inspector.store.queries import project_for
from inspector.store.queries.language import Query, filters
from inspector.store.readings import readings_of
from inspector.store.search import Hit, SearchPage, search
from inspector.web.crumbs import Crumb
from inspector.web.facets import Chip, Facet, facets, suggestions
from inspector.web.faults import translated
from inspector.web.fragments import page_or_fragment
from inspector.web.highlight import Span
from inspector.web.kinds import KindCard, card
from inspector.web.markup import worded
from inspector.web.person import signed_in
from inspector.web.query import address, field, kept, query_of
from inspector.web.titles import trail

LIMIT = 25


@dataclass(frozen=True, slots=True)
class HitRow:
    """One place."""

    card: KindCard | None
    """None for a response."""
    title: str
    where: str
    href: str
    snippet: SafeString


@dataclass(frozen=True, slots=True)
class Group:
    """The places of one session."""

    title: str
    href: str
    hits: list[HitRow]


def row_of(project: Project, hit: Hit, kind: str, title: str) -> HitRow:
    """A hit as it is listed."""
    page = reverse("turn", args=[project.slug, hit.turn.key])
    if hit.part == "prompt":
        href = f"{page}?line={hit.line}#L{hit.line}"
        where = f"introduced in turn {hit.turn.seq}, line {hit.line}"
    else:
        title, href = "Response", f"{page}?tab=response#R{hit.line}"
        where = f"turn {hit.turn.seq}, line {hit.line}"
    snippet = worded([Span("", hit.snippet)], hit.marks, "mark")
    shown = card(kind) if hit.part == "prompt" else None
    return HitRow(shown, title, where, href, snippet)


def sections_of(hits: Sequence[Hit]) -> dict[tuple[int, str], tuple[str, str]]:
    """Kind and name of the section of each hit, by turn and path."""
    turns = list({hit.turn.pk: hit.turn for hit in hits if hit.section}.values())
    wanted = {(hit.turn.pk, hit.section) for hit in hits}
    return {
        (turn.pk, section.path): (section.kind, trail(reading.sections, index))
        for turn, reading in zip(turns, readings_of(turns), strict=True)
        if reading is not None
        for index, section in enumerate(reading.sections)
        if (turn.pk, section.path) in wanted
    }


def groups_of(project: Project, hits: Sequence[Hit]) -> list[Group]:
    """Hits by session, in the order in which they were found."""
    sections = sections_of(hits)
    groups: dict[int, Group] = {}
    for hit in hits:
        session: Session = hit.turn.session
        if session.pk not in groups:
            href = reverse("session", args=[project.slug, session.short_id])
            groups[session.pk] = Group(session.key, href, [])
        kind, title = sections.get((hit.turn.pk, hit.section or ""), ("other", hit.section or "Prompt"))
        groups[session.pk].hits.append(row_of(project, hit, kind, title))
    return list(groups.values())


def found(request: HttpRequest, project: Project, query: Query, mode: str) -> tuple[SearchPage, str]:
    """The page of hits, and what was wrong with the question."""
    if not query.text.strip():
        return SearchPage((), None), ""
    narrowed = filters(Query(query.tokens, ""))
    cursor = request.GET.get("cursor")
    try:
        if mode == "exact":
            return search(project, query.text, narrowed, LIMIT, cursor, "exact"), ""
        return search(project, query.text, narrowed, LIMIT, cursor), ""
    except BadQuery as error:
        return SearchPage((), None), str(error)


def summary_of(page: SearchPage, query: Query) -> str:
    """What was found, honestly."""
    if not query.text.strip():
        return ""
    words = f"{len(page.hits)}{'+' if page.next else ''} place{'' if len(page.hits) == 1 else 's'}"
    if page.searched is not None and page.total is not None and page.searched < page.total:
        return f"{words}; searched {page.searched:,} of {page.total:,} turns"
    return words


def modes(query: Query, mode: str) -> Facet:
    """By words, or for the very text."""
    return Facet(
        "Look for",
        [
            Chip("Words", address(query.tokens, query.text), mode == "words"),
            Chip("The exact text", address(query.tokens, query.text, {"mode": "exact"}), mode == "exact"),
        ],
    )


@require_safe
@signed_in
@translated
def results(request: HttpRequest, slug: str) -> HttpResponse:
    """The page of hits with ways to narrow them."""
    project = project_for(request.user, slug)
    query = query_of(request)
    mode = "exact" if request.GET.get("mode") == "exact" else "words"
    more = {"mode": mode} if mode == "exact" else {}
    page, problem = found(request, project, query, mode)
    here = reverse("search", args=[slug])
    context = {
        "project": project,
        "crumbs": [Crumb("Sessions", reverse("sessions", args=[slug])), Crumb("Search")],
        "search_text": query.text,
        "query": field(
            query,
            here,
            more,
            suggestions=suggestions(project),
            label="Query",
            placeholder='words, "a phrase" or begin*',
            button="Search",
            problem=problem,
        ),
        "groups": groups_of(project, page.hits),
        "summary": summary_of(page, query),
        "asked": bool(query.text.strip()),
        "filtered": bool(query.tokens),
        "facets": [modes(query, mode), *facets(project, query, more)],
        "older": kept(request, cursor=page.next) if page.next else "",
    }
    return page_or_fragment(request, "search/search.html", context)
