"""The very turns that a query means, over all sessions: each with the findings that it was asked for."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.views.decorators.http import require_safe

from inspector.store.errors import BadQuery
from inspector.store.models import Project
from inspector.store.models import Turn as Row
from inspector.store.queries import project_for, turns_matching
from inspector.store.queries.language import Query, filters
from inspector.store.readings import readings_of
from inspector.turns.turn import Finding, Reading
from inspector.web.crumbs import Crumb
from inspector.web.facets import facets, suggestions
from inspector.web.faults import translated
from inspector.web.fragments import page_or_fragment
from inspector.web.numbers import number
from inspector.web.person import signed_in
from inspector.web.query import address, field, kept, query_of
from inspector.web.verdicts import FindingCard, card_of, worst_first

LIMIT = 25
SHOWN = 3
"""Findings shown of one turn."""


@dataclass(frozen=True, slots=True)
class FoundTurn:
    """One turn of the list."""

    row: Row
    href: str
    session_href: str
    findings: list[FindingCard]
    left: int
    calls: str


def wanted(reading: Reading | None, query: Query) -> list[Finding]:
    """Its findings that the query asks for; those that name the action come first."""
    rules, actions = query.values("rule"), query.values("action")
    severities = [has for has in query.values("has") if has in ("error", "warning", "info")]
    found = [
        finding
        for finding in worst_first(reading.findings if reading else ())
        if (not rules or finding.rule in rules) and (not severities or finding.severity in severities)
    ]
    return sorted(found, key=lambda finding: not all(action in finding.message for action in actions))


def row_of(project: Project, row: Row, reading: Reading | None, query: Query) -> FoundTurn:
    """A turn as it is listed."""
    base = reverse("turn", args=[project.slug, row.key])
    found = wanted(reading, query)
    return FoundTurn(
        row,
        base,
        reverse("session", args=[project.slug, row.session.short_id]),
        [card_of(finding, base) for finding in found[:SHOWN]],
        max(0, len(found) - SHOWN),
        ", ".join(dict.fromkeys(str(name)[:60] for name in row.calls[:6])),
    )


def page_of(project: Project, query: Query, before: int | None) -> tuple[Sequence[Row], str]:
    """One turn more than a page has, and what was wrong with the question."""
    try:
        turns = turns_matching(project, filters(query))
    except BadQuery as error:
        return [], str(error)
    return list((turns.filter(pk__lt=before) if before else turns)[: LIMIT + 1]), ""


@require_safe
@signed_in
@translated
def found_turns(request: HttpRequest, slug: str) -> HttpResponse:
    """The list."""
    project, query = project_for(request.user, slug), query_of(request)
    rows, problem = page_of(project, query, number(request, "before"))
    shown = rows[:LIMIT]
    here = reverse("found-turns", args=[slug])
    sessions = reverse("sessions", args=[slug])
    context = {
        "project": project,
        "crumbs": [Crumb("Sessions", sessions), Crumb("Turns")],
        "rows": [
            row_of(project, row, reading, query)
            for row, reading in zip(shown, readings_of(shown), strict=True)
        ],
        "query": field(
            query,
            here,
            suggestions=suggestions(project),
            label="Query",
            placeholder="rule:wrong-type action:getWeather agent:weather since:7d",
            button="Show turns",
            problem=problem,
        ),
        "facets": facets(project, query),
        "sessions_href": sessions + address(query.tokens, query.text),
        "older": kept(request, before=str(shown[-1].pk)) if len(rows) > LIMIT else "",
    }
    return page_or_fragment(request, "session/turns.html", context)
