"""The shared prefix of each turn of a session, for members."""

from collections.abc import Sequence
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.views.decorators.http import require_safe

from inspector.store.models import Session
from inspector.store.models import Turn as Row
from inspector.store.queries import session_for, turns_of
from inspector.store.readings import readings_of
from inspector.turns.turn import Reading
from inspector.web.crumbs import crumbs
from inspector.web.faults import translated
from inspector.web.fragments import page_or_fragment
from inspector.web.history.page import query
from inspector.web.learnt_values import few, innermost, learnt_up_to, value_rows
from inspector.web.numbers import number
from inspector.web.person import signed_in
from inspector.web.session.prefix_page import PrefixRow, row_of, summary_of
from inspector.web.titles import trail

ROWS = 40


@require_safe
@signed_in
@translated
def prefixes(request: HttpRequest, slug: str, short_id: str) -> HttpResponse:
    """What each turn shares with the one before, where that ends and why."""
    session = session_for(request.user, slug, short_id)
    after = number(request, "after") or 0
    rows = list(turns_of(session).filter(seq__gt=after)[: ROWS + 1])
    shown = rows[:ROWS]
    read = readings_of(shown)

    def href(key: str) -> str:
        return reverse("turn", args=[slug, key])

    context: dict[str, Any] = {
        "frame": "base.html",
        "project": session.project,
        "crumbs": crumbs(session.project, session, "Prefix cache"),
        "session": session,
        "rows": rows_of(slug, shown, read, session.agent),
        "summary": summary_of(
            shown, {row.pk: reading for row, reading in zip(shown, read, strict=True)}, href
        ),
        "later": shown[-1].seq if len(rows) > ROWS else None,
        "after": after,
        "total": session.turn_count,
    }
    if shown:
        context |= values_context(session, shown[-1])
    return page_or_fragment(request, "session/prefixes.html", context)


def values_context(session: Session, row: Row) -> dict[str, Any]:
    """What changes by itself in the turns up to this one."""
    row.session = session
    learnt = learnt_up_to(row)
    if learnt.latest is None:
        return {}
    history = reverse("history", args=[session.project.slug, session.short_id])
    turn = reverse("turn", args=[session.project.slug, learnt.latest.id])
    sections = learnt.latest.reading.sections
    at = {section.path: index for index, section in enumerate(sections)}
    values = []
    for path, pattern in innermost(learnt):
        line = sections[at[path]].line + pattern.line
        where = f"{history}?{query(path, learnt.latest.seq)}"
        values += value_rows(trail(sections, at[path]), pattern, f"{turn}?line={line}#L{line}", where)
    shown, left = few(values)
    return {"values": shown, "values_left": left, "with_section": True, "learnt": learnt}


def rows_of(slug: str, rows: Sequence[Row], read: Sequence[Reading | None], agent: str) -> list[PrefixRow]:
    """The table."""
    found = []
    for row, reading in zip(rows, read, strict=True):
        since = reading.since_previous if reading else None
        compare = reverse("comparison", args=[slug, since.turn, row.key]) if since else ""
        found.append(row_of(row, reading, compare, lambda key: reverse("turn", args=[slug, key]), agent))
    return found
