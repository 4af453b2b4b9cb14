"""The history of a session's sections, for members: all of them, or one with its versions."""

from collections.abc import Sequence
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.views.decorators.http import require_safe

from inspector.store import readings
from inspector.store.errors import NotFound
from inspector.store.models import Project, Session
from inspector.store.queries import session_for
from inspector.turns.turn import Section
from inspector.web.chains import Chain, chain_of
from inspector.web.crumbs import Crumb, crumbs
from inspector.web.faults import translated
from inspector.web.fragments import page_or_fragment
from inspector.web.history.overview import PAGE, lives
from inspector.web.history.page import (
    Places,
    blame_lines,
    columns_of,
    diff_of,
    gone_lines,
    query,
)
from inspector.web.history.versions import (
    WINDOW,
    Opened,
    Sections,
    Version,
    Versions,
    open_versions,
    versions_of,
    window_of,
)
from inspector.web.kinds import card
from inspector.web.learnt_values import ValueRow, few, value_rows
from inspector.web.numbers import number
from inspector.web.person import signed_in
from inspector.web.tags import plural

CHOICES = 80
"""Sections offered in the list."""
TABLE = 30
"""Versions in the table."""


@require_safe
@signed_in
@translated
def history(request: HttpRequest, slug: str, short_id: str) -> HttpResponse:
    """One section's history, or all sections of the session when none is named."""
    session = session_for(request.user, slug, short_id)
    chain = chain_of(session, number(request, "seq"))
    sections = readings.sections_of(chain.rows)
    path = request.GET.get("section", "")
    here = reverse("history", args=[slug, short_id])
    context: dict[str, Any] = {
        "frame": "base.html",
        "project": session.project,
        "session": session,
        "chain": chain,
        "here": here,
    }
    if not path:
        context |= overview(chain, sections, number(request, "from") or 0, here)
        context["crumbs"] = crumbs(session.project, session, "Sections")
        return page_or_fragment(request, "history/sections.html", context)
    context |= section_context(chain, sections, path, number(request, "seq"), session.project, here)
    context["crumbs"] = way(session, here, str(context["title"]))
    return page_or_fragment(request, "history/section.html", context)


def way(session: Session, here: str, title: str) -> list[Crumb]:
    """Sessions, session, sections, this one."""
    above = crumbs(session.project, session, title[:80])
    return [*above[:-1], Crumb("Sections", here), above[-1]]


def overview(chain: Chain, sections: Sections, start: int, here: str) -> dict[str, Any]:
    """The table of all sections."""
    found = lives(chain.rows, sections)
    start = min(start, max(0, len(found) - 1)) // PAGE * PAGE
    last = chain.rows[-1].seq if chain.rows else 0
    shown = found[start : start + PAGE]
    return {
        "rows": [
            (life, f"{here}?{query(life.section.path, _latest(chain, life.digests) or last)}")
            for life in shown
        ],
        "total": len(found),
        "first": start + 1,
        "last": start + len(shown),
        "before": start - PAGE if start else None,
        "after": start + PAGE if start + PAGE < len(found) else None,
        "pairs": max(0, len(chain.rows) - 1),
    }


def _latest(chain: Chain, digests: list[str | None]) -> int | None:
    return next(
        (row.seq for row, digest in zip(chain.rows[::-1], digests[::-1], strict=True) if digest), None
    )


def chosen_of(versions: Versions, seq: int | None) -> int:
    """Index of the version at a turn; the one before where a turn has none; the last without a turn."""
    chosen = len(versions.found) - 1
    if seq is None:
        return chosen
    return next((v.number - 1 for v in reversed(versions.found) if v.first.seq <= seq), 0)


def section_context(
    chain: Chain, sections: Sections, path: str, seq: int | None, project: Project, here: str
) -> dict[str, Any]:
    """The page of one section. Raises NotFound."""
    wanted = next((s.path for inside in sections for s in inside or () if is_asked(s.path, path)), None)
    if wanted is None:
        raise NotFound("No turn that was looked at has this section.")
    versions = versions_of(chain.rows, sections, wanted)
    index = chosen_of(versions, seq)
    chosen = versions.found[index]
    before = versions.found[index - 1] if index else None
    places = Places(here, wanted, lambda key: reverse("turn", args=[project.slug, key]))
    opened = open_versions(versions.found, wanted, index)
    at = seq if seq is not None else chosen.last.seq
    columns, figure = columns_of(versions, chain.rows, index, at, places)
    return {
        "title": chosen.section.title,
        "card": card(chosen.section.kind),
        "path": wanted,
        "facts": facts_of(versions, chain),
        "versions": versions,
        "chosen": chosen,
        "previous": before,
        "seq": at,
        "columns": columns,
        "figure": figure,
        **steps_context(versions.found, index, places),
        "table": table_of(versions, index),
        "table_left": max(0, len(versions.found) - TABLE),
        "places": places,
        "choices": choices_of(chain, sections, chosen),
        "turn_href": places.line(chosen.first.key, chosen.section.line),
        "new_base": places.turn(chosen.first.key),
        "compare": reverse("comparison", args=[project.slug, before.last.key, chosen.first.key])
        if before
        else "",
        **(lines_context(opened, before, chosen, places) if opened else {}),
    }


def steps_context(found: Sequence[Version], index: int, places: Places) -> dict[str, Any]:
    """Where one can go from the chosen version: one on or back, and to versions beyond those shown."""
    low, high = window_of(found, index)
    far = {
        "step_back": index - 1 if index else None,
        "step_on": index + 1 if index + 1 < len(found) else None,
        "earlier": max(0, low - WINDOW // 2) if low else None,
        "later": min(high + WINDOW // 2, len(found)) - 1 if high < len(found) else None,
    }
    steps = {name: "" if at is None else places.at(found[at].first.seq) for name, at in far.items()}
    return {**steps, "shown_from": low + 1, "shown_to": high}


def is_asked(path: str, asked: str) -> bool:
    """A path is asked for as it can be written in an address."""
    return path == asked or path.encode("utf-8", "replace").decode() == asked


def lines_context(opened: Opened, before: Version | None, chosen: Version, places: Places) -> dict[str, Any]:
    """The chosen version's text, what changed in it, and what is gone."""
    lines, lines_left = blame_lines(opened, chosen, places, chosen.section.line)
    gone, gone_left = gone_lines(opened, places)
    values, values_left = few(values_of(opened, places))
    return {
        "values": values,
        "values_left": values_left,
        "opened": opened,
        "lines": lines,
        "lines_left": lines_left,
        "gone": gone,
        "gone_left": gone_left,
        "diff": diff_of(opened, before, chosen) if before else None,
        "oldest": opened.versions[0] if opened.versions[0].number > 1 else None,
    }


def values_of(opened: Opened, places: Places) -> list[ValueRow]:
    """What changes by itself in the section."""
    latest = opened.latest
    if latest is None:
        return []
    return [
        row
        for pattern in opened.patterns
        for row in value_rows("", pattern, places.line(latest.first.key, latest.section.line + pattern.line))
    ]


def facts_of(versions: Versions, chain: Chain) -> list[tuple[str, str]]:
    """The head's facts."""
    found = versions.found
    first, last = found[0].section.tokens, found[-1].section.tokens
    facts = [
        ("Versions", f"{len(found):,} in {plural(len(chain.rows), 'turn')}"),
        ("Size", f"{first:,} → {last:,} tok" if len(found) > 1 else f"{last:,} tok"),
        ("Churn", f"changed {versions.changes:,} of {plural(versions.pairs, 'turn')}"),
    ]
    steps = [version.step for version in found[1:]]
    if steps and all(steps):
        came, went = sum(s.added for s in steps if s), sum(s.removed for s in steps if s)
        facts.append(("Lines", f"{came:,} in, {went:,} out"))
    return facts


def table_of(versions: Versions, chosen: int) -> list[Version]:
    """The versions around the chosen one as a table."""
    start = max(0, min(chosen - TABLE // 2, len(versions.found) - TABLE))
    return versions.found[start : start + TABLE]


def choices_of(chain: Chain, sections: Sections, chosen: Version) -> list[Section]:
    """Other sections of the same prompt: the outer ones, and the chosen one among its own."""
    index = chain.at(chosen.first.seq)
    inside = sections[index] if index is not None else None
    offered = [s for s in inside or () if s.depth <= 1 or s.path == chosen.section.path]
    kept = (
        [s for s in offered if s.depth == 0 or s.path == chosen.section.path]
        if len(offered) > CHOICES
        else offered
    )
    return kept[:CHOICES]
