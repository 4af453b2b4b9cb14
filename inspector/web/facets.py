"""The chips beside a query field, each adds or takes away one term; and what the field suggests."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from hashlib import blake2b
from types import MappingProxyType

from django.core.cache import cache
from django.utils import timezone

from inspector.store.models import Project
from inspector.store.queries import Facets, facets_of
from inspector.store.queries.language import NAMES, ONCE, Query, filters, moment, quoted
from inspector.web.query import address, with_token

CHIPS = 3
"""Shown of one kind; the others are behind one more chip."""
MORE = 40
KEPT = 15
"""Seconds."""
HAS = {
    "error": "✕ error",
    "warning": "▲ warning",
    "broken-prefix": "prefix broken",
    "failure": "provider failed",
}
SINCE = ("1h", "24h", "7d")
NOTHING: Mapping[str, str] = MappingProxyType({})
SUGGESTED = 24
"""Of one kind."""


@dataclass(frozen=True, slots=True)
class Chip:
    """One term to add or to take away."""

    name: str
    href: str
    here: bool
    count: int | None = None
    """How many a list would hold with it."""


@dataclass(frozen=True, slots=True)
class Facet:
    """Chips of one name."""

    name: str
    chips: list[Chip]
    more: list[Chip] = field(default_factory=list)
    """Those that are seldom wanted."""


def known_of(project: Project, query: Query) -> Facets:
    """The sessions that a query leaves, counted; asked anew when the answer is a quarter of a minute old.
    Raises BadQuery."""
    asked = blake2b(address(query.tokens, query.text).encode(), digest_size=16).hexdigest()
    key = f"facets:{project.pk}:{asked}"
    found = cache.get(key)
    if not isinstance(found, Facets):
        found = facets_of(project, filters(query))
        cache.set(key, found, KEPT)
    return found


def without(query: Query, name: str) -> Query:
    """What choosing a value of this name would narrow: of some names, another value takes its place."""
    if name not in ONCE:
        return query
    return Query(tuple(pair for pair in query.tokens if pair[0] != name), query.text)


@dataclass(frozen=True, slots=True)
class Drawer:
    """Draws the chips of one page."""

    query: Query
    more: Mapping[str, str]
    """What else the page's address keeps."""
    counted: bool

    def facet(
        self, name: str, counts: Mapping[str, int], labels: Mapping[str, str] = NOTHING, most: int = CHIPS
    ) -> Facet:
        """A chip per value; one that is chosen is always among the first."""
        chosen = self.query.values(name)
        values = [*(value for value in chosen if value not in counts), *counts]
        values.sort(key=lambda value: value not in chosen)
        chips = [
            Chip(
                labels.get(value, value)[:60],
                with_token(self.query, name, value, self.more),
                value in chosen,
                counts.get(value, 0) if self.counted else None,
            )
            for value in values[: MORE + most]
        ]
        most += len(chips) == most + 1  # a chip for one more takes the room of that one
        return Facet(name.capitalize(), chips[:most], chips[most:])


def facets(
    project: Project, query: Query, more: Mapping[str, str] = NOTHING, *, counted: bool = False
) -> list[Facet]:
    """What a list can be narrowed by; kinds without a choice are left out. ``counted``: each choice with the
    sessions that it would leave; without, the text of the query is not looked for. Raises BadQuery."""
    asked = query if counted else Query(query.tokens, "")
    queries = {name: without(asked, name) for name in NAMES}
    answers = {each: known_of(project, each) for each in set(queries.values())}
    known = {name: answers[each] for name, each in queries.items()}
    now = timezone.now()
    spans = {value: known["since"].since(at) for value in SINCE if (at := moment(value, now))}
    has = {value: known["has"].has[value] for value in HAS if known["has"].has[value]}
    draw = Drawer(query, more, counted)
    found = [
        draw.facet("agent", dict(known["agent"].agents)),
        draw.facet("has", has, HAS, len(HAS)),
        draw.facet("since", spans, most=len(SINCE)),
        draw.facet("action", dict(known["action"].actions)),
        draw.facet("rule", dict(known["rule"].rules)),
        draw.facet("model", dict(known["model"].models)),
    ]
    return [facet for facet in found if facet.chips]


def suggestions(project: Project) -> list[tuple[str, int | None]]:
    """Terms that a field may be completed with, and how many sessions have each."""
    known = known_of(project, Query((), ""))
    kinds = (
        ("agent", known.agents),
        ("has", [(name, known.has[name]) for name in HAS]),
        ("action", known.actions),
        ("rule", known.rules),
        ("model", known.models),
    )
    terms = [
        (quoted(name, value), count)
        for name, counts in kinds
        for value, count in counts[:SUGGESTED]
        if len(value) <= 80
    ]
    return [*terms, *((f"since:{span}", None) for span in SINCE)]
