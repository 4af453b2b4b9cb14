"""The distinct instructions, action lists and format texts of a project, and two of them compared."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from django.db.models import Count
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.views.decorators.http import require_safe

from inspector.store.errors import Damaged, NotFound
from inspector.store.models import Project, SectionVersion, Turn
from inspector.store.queries import project_for, versions_page
from inspector.store.texts import opened
from inspector.store.versions import KINDS
from inspector.turns.changes.hunks import Limits, hunks
from inspector.turns.changes.numbered import Numbered
from inspector.turns.errors import TurnError
from inspector.web.comparison.rows import Room, rows_of
from inspector.web.crumbs import crumbs
from inspector.web.facets import Chip
from inspector.web.faults import translated
from inspector.web.fragments import page_or_fragment
from inspector.web.history.page import Diff, query
from inspector.web.history.versions import lines_of
from inspector.web.kinds import KindCard, card
from inspector.web.numbers import number
from inspector.web.person import signed_in

ROWS = 50
NODES = 1_000
"""Elements of a comparison."""
LETTERS = 80_000
NAMES = {"instructions": "Instructions", "actions": "Action lists", "format": "Response formats"}


@dataclass(frozen=True, slots=True)
class VersionRow:
    """One distinct text."""

    version: SectionVersion
    card: KindCard
    first: str
    last: str
    """Addresses of the first and the last turn that show it; empty when that turn was deleted."""
    text: str
    """Where it can be read."""
    against: str
    """Compared with the version before it of the same section."""


@dataclass(frozen=True, slots=True)
class Compared:
    """Two of them, the older one first."""

    old: SectionVersion
    new: SectionVersion
    diff: Diff | None
    """None: one of the texts is gone."""


@require_safe
@signed_in
@translated
def versions(request: HttpRequest, slug: str) -> HttpResponse:
    """The list, and above it the comparison of the two that were chosen."""
    project = project_for(request.user, slug)
    kind = request.GET.get("kind", "") if request.GET.get("kind") in KINDS else ""
    cursor = request.GET.get("cursor")
    found = versions_page(project, kind or None, cursor, ROWS)
    counts = dict(
        SectionVersion.objects.filter(project=project)
        .values_list("kind")
        .annotate(count=Count("pk"))
        .order_by()
    )
    total = counts.get(kind, 0) if kind else sum(counts.values())
    context: dict[str, Any] = {
        "frame": "base.html",
        "project": project,
        "crumbs": crumbs(project, None, "Versions"),
        "chips": chips_of(kind, counts),
        "kind": kind,
        "rows": rows_of_list(project, found.items, kind),
        "compared": compared(project, number(request, "a"), number(request, "b")),
        "total": total,
        "newest": address(kind) if cursor else "",
        "older": address(kind, found.next) if found.next else "",
    }
    return page_or_fragment(request, "versions/versions.html", context)


def address(kind: str, cursor: str = "") -> str:
    """A page of the list."""
    pairs = {"kind": kind, "cursor": cursor}
    return "?" + urlencode({name: value for name, value in pairs.items() if value})


def chips_of(kind: str, counts: dict[str, int]) -> list[Chip]:
    """The kinds with their counts."""
    kinds = [Chip(NAMES[name], f"?kind={name}", kind == name, counts.get(name, 0)) for name in KINDS]
    return [Chip("All", "?", not kind, sum(counts.values())), *kinds]


def rows_of_list(project: Project, found: Sequence[SectionVersion], kind: str) -> list[VersionRow]:
    """The list; each with the next older one of the same agent and section, if that is on the page."""
    older: dict[tuple[str, str, str], SectionVersion] = {}
    rows: list[VersionRow] = []
    for version in reversed(found):
        place = (version.agent, version.kind, version.path)
        before = older.get(place)
        rows.append(row_of(project, version, before, kind))
        older[place] = version
    return rows[::-1]


def row_of(project: Project, version: SectionVersion, before: SectionVersion | None, kind: str) -> VersionRow:
    """One of the list."""
    last = version.last_turn
    text = ""
    if last is not None:
        history = reverse("history", args=[project.slug, last.session.short_id])
        text = f"{history}?{query(version.path, last.seq)}"
    against = "?" + urlencode({"kind": kind, "a": before.pk, "b": version.pk}) if before else ""
    return VersionRow(
        version,
        card(version.kind),
        turn_href(project, version.first_turn),
        turn_href(project, last),
        text,
        against,
    )


def turn_href(project: Project, turn: Turn | None) -> str:
    """A turn's page."""
    return reverse("turn", args=[project.slug, turn.key]) if turn else ""


def compared(project: Project, old_id: int | None, new_id: int | None) -> Compared | None:
    """The texts of two versions compared; None when not two of them were chosen."""
    if old_id is None or new_id is None:
        return None
    chosen = SectionVersion.objects.filter(project=project).select_related("first_turn", "last_turn")
    found = chosen.in_bulk([old_id, new_id])
    if old_id not in found or new_id not in found:
        raise NotFound("No such version.")
    old, new = found[old_id], found[new_id]
    before, after = text_of(old), text_of(new)
    if before is None or after is None:
        return Compared(old, new, None)
    limits = Limits.fresh()
    rows, left = rows_of(hunks(before, after, limits), False, Room(NODES, LETTERS))
    return Compared(old, new, Diff(rows, left, limits.coarse))


def text_of(version: SectionVersion) -> Numbered | None:
    """The lines of a version's text as its last turn shows it, or its first; None when both are gone."""
    for turn in (version.last_turn, version.first_turn):
        found = lines_in(turn, version) if turn is not None else None
        if found is not None:
            return found
    return None


def lines_in(turn: Turn, version: SectionVersion) -> Numbered | None:
    """The lines of a version's text in one turn."""
    try:
        (read,) = opened([turn])
    except (NotFound, Damaged, TurnError):
        return None
    for section in read.reading.sections:
        if section.digest == version.digest and section.message < len(read.turn.messages):
            lines = lines_of(read.turn.messages[section.message].text[section.start : section.end])
            return Numbered(lines, list(range(section.line, section.line + len(lines))))
    return None
