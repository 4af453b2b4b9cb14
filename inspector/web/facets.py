"""The chips beside a query field: each adds or takes away one token."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.core.cache import cache

from inspector.store.models import Project
from inspector.store.queries import facets_of
from inspector.store.queries.filters import Facets
from inspector.store.queries.language import Query
from inspector.web.query import with_token

CHIPS = 6
KEPT = 15
"""Seconds."""
HAS_CHIPS = ("error", "warning", "broken-prefix", "failure")
HAS_LABELS = ("✕ error", "▲ warning", "prefix broken", "provider failed")
SINCE = ("1h", "24h", "7d")


@dataclass(frozen=True, slots=True)
class Chip:
    """One token to add or to take away."""

    name: str
    href: str
    here: bool
    count: int | None = None


@dataclass(frozen=True, slots=True)
class Facet:
    """Chips of one name."""

    name: str
    chips: list[Chip]


def chips(query: Query, name: str, values: Sequence[str], labels: Sequence[str] = ()) -> list[Chip]:
    """A chip per value; one that is chosen stays although it is not among the first."""
    chosen = query.value(name)
    shown = list(values[:CHIPS])
    if chosen and chosen not in shown:
        shown.append(chosen)
    names = dict(zip(values, labels, strict=False)) if labels else {}
    return [
        Chip(names.get(value, value)[:60], with_token(query, name, value), value == chosen) for value in shown
    ]


def known_of(project: Project) -> Facets:
    """What the project's filters can be set to; asked anew when the answer is a quarter of a minute old."""
    key = f"facets:{project.pk}"
    found = cache.get(key)
    if not isinstance(found, Facets):
        found = facets_of(project)
        cache.set(key, found, KEPT)
    return found


def facets(project: Project, query: Query, *, times: Sequence[str] = SINCE) -> list[Facet]:
    """What this project's sessions can be narrowed by; empty ones are left out."""
    known = known_of(project)
    found = [
        Facet("Agent", chips(query, "agent", known.agents)),
        Facet("Has", chips(query, "has", HAS_CHIPS, HAS_LABELS)),
        Facet("Rule", chips(query, "rule", known.rules)),
        Facet("Action", chips(query, "action", known.actions)),
        Facet("Model", chips(query, "model", known.models)),
        Facet("Since", chips(query, "since", times)),
    ]
    return [facet for facet in found if facet.chips]
