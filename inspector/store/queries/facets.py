"""What a list of sessions can be narrowed by, and how many of its sessions each choice would leave."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import NamedTuple

from django.db.models import Q

from inspector.store.models import Finding, Project, Turn
from inspector.store.queries.filters import BROKEN_PREFIX, Filters, sessions_matching

LOOKED_AT = 500
"""Sessions that are counted at most, the latest ones."""
MOST = 200
"""Choices of one kind."""
NOTHING = Filters()

Counted = tuple[tuple[str, int], ...]
"""Names with the number of sessions that have them, most first."""


class Looked(NamedTuple):
    """What is looked at of a session."""

    pk: int
    turn_count: int
    tokens: int
    errors: int
    warnings: int
    infos: int
    actions: list[str]
    model_names: list[str]
    last_at: datetime


@dataclass(frozen=True, slots=True)
class Facets:
    """The sessions that filters leave, counted."""

    sessions: int
    """At most ``LOOKED_AT``: there may be more."""
    turns: int = 0
    tokens: int = 0
    agents: Counted = ()
    rules: Counted = ()
    actions: Counted = ()
    models: Counted = ()
    has: Mapping[str, int] = field(default_factory=dict)
    """By the names that filters know."""
    active: tuple[datetime, ...] = ()
    """When each was last active, latest first."""

    @property
    def is_all(self) -> bool:
        """Every session was looked at."""
        return self.sessions < LOOKED_AT

    def since(self, moment: datetime) -> int:
        """How many were active since then."""
        return sum(1 for at in self.active if at >= moment)


def facets_of(project: Project, filters: Filters = NOTHING) -> Facets:
    """What these sessions can be narrowed by, looking at the latest ones. Raises BadQuery."""
    sessions = sessions_matching(project, filters).newest()
    latest = [Looked(*row) for row in sessions.values_list(*Looked._fields)[:LOOKED_AT]]
    keys = [session.pk for session in latest]
    return Facets(
        len(latest),
        sum(session.turn_count for session in latest),
        sum(session.tokens for session in latest),
        _agents(keys),
        _rules(project, keys),
        _counted(name for session in latest for name in session.actions),
        _counted(name for session in latest for name in session.model_names),
        _has(latest, keys),
        tuple(session.last_at for session in latest),
    )


def _agents(keys: list[int]) -> Counted:
    found = Turn.objects.filter(session__in=keys).values_list("session", "agent").order_by().distinct()
    return _counted(agent for _, agent in found)


def _rules(project: Project, keys: list[int]) -> Counted:
    found = Finding.objects.filter(project=project, session__in=keys).values_list("rule", "session")
    return _counted(rule for rule, _ in found.order_by().distinct())


def _has(latest: list[Looked], keys: list[int]) -> dict[str, int]:
    """Of ``HAS``: what sessions have columns for, and what only their turns tell."""
    return {
        "error": sum(1 for session in latest if session.errors),
        "warning": sum(1 for session in latest if session.warnings),
        "info": sum(1 for session in latest if session.infos),
        "finding": sum(1 for session in latest if session.errors or session.warnings or session.infos),
        "broken-prefix": _with_a_turn(keys, BROKEN_PREFIX),
        "failure": _with_a_turn(keys, Q(failed=True)),
    }


def _with_a_turn(keys: list[int], test: Q) -> int:
    return Turn.objects.filter(test, session__in=keys).order_by().values("session").distinct().count()


def _counted(names: Iterable[str]) -> Counted:
    counts = Counter(name for name in names if name)
    return tuple(sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))[:MOST])
