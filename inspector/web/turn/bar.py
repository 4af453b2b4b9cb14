"""The head of a turn's pages: where it stands in its session, its facts, its tabs."""

from dataclasses import dataclass, replace
from datetime import datetime
from urllib.parse import urlencode

from django.urls import reverse

from inspector.store.models import Project
from inspector.store.models import Turn as Row
from inspector.store.queries import turns_of
from inspector.store.queries.turns import before
from inspector.turns.turn import Reading, Turn
from inspector.web.links import Links

AROUND = 5
"""Turns on each side in the stepper."""
TABS = (
    ("", "Sections"),
    ("raw", "Raw"),
    ("changes", "Changes"),
    ("response", "Response"),
    ("offered", "Offered"),
    ("metadata", "Metadata"),
)


@dataclass(frozen=True, slots=True)
class Step:
    """A turn in the stepper."""

    seq: int
    href: str
    here: bool
    css: str
    words: str


@dataclass(frozen=True, slots=True)
class Tab:
    """A view of the turn."""

    name: str
    href: str
    here: bool
    count: int | None


@dataclass(frozen=True, slots=True)
class Bar:
    """All of the head. Empty addresses are not drawn."""

    title: str
    of: int | None
    steps: list[Step]
    previous: str
    next: str
    watch: str
    """Asked for the next turn while there is none."""
    previous_seq: int | None
    model: str
    at: datetime
    response_tokens: int
    took: float | None
    shared: int | None
    compare: str
    share: str
    tabs: list[Tab]
    finish: str
    problem: str
    removed: int
    waiting: bool
    line: int | None


def step(row: Row, links: Links, here: int) -> Step:
    """One turn of the stepper, with the gravest of its findings."""
    css = "v-err" if row.errors else "v-warn" if row.warnings else ""
    words = "has errors" if row.errors else "has warnings" if row.warnings else ""
    return Step(row.seq, links.turn(row.key), row.seq == here, css, words)


def tabs(links: Links, chosen: str, reading: Reading | None, *, changes: bool) -> list[Tab]:
    """The tabs with their counts; a tab that has nothing to show still says so."""
    since = reading.since_previous if reading else None
    response = reading.response if reading else None
    counts = {
        "": sum(1 for section in reading.sections if section.depth == 0) if reading else None,
        "changes": len(since.changed_paths) if since else None,
        "response": len(response.calls) + len(response.outputs) if response else None,
        "offered": len(reading.contract.actions) + len(reading.contract.outputs) if reading else None,
    }
    shown = TABS if changes else tuple(tab for tab in TABS if tab[0] != "changes")
    return [
        Tab(name, f"{links.base}?tab={tab}" if tab else links.base, tab == chosen, counts.get(tab))
        for tab, name in shown
    ]


def took(row: Row) -> float | None:
    """Milliseconds from start to end, when both are known."""
    if row.started_at is None or row.ended_at is None:
        return None
    return (row.ended_at - row.started_at).total_seconds() * 1000


def plain_bar(row: Row, reading: Reading | None, turn: Turn | None, links: Links, tab: str) -> Bar:
    """The head of a turn that stands alone: no neighbours, nothing to compare or share."""
    since = reading.since_previous if reading else None
    first = (
        next((f for f in reading.findings if f.where.part == "prompt" and f.where.line), None)
        if reading
        else None
    )
    return Bar(
        title=f"Turn {row.seq}",
        of=None,
        steps=[],
        previous="",
        next="",
        watch="",
        previous_seq=None,
        model=turn.model or "" if turn else row.model,
        at=row.started_at or row.received_at,
        response_tokens=reading.response.tokens if reading and reading.response else 0,
        took=took(row),
        shared=since.prefix.shared_tokens if since else None,
        compare="",
        share="",
        tabs=tabs(links, tab, reading, changes=False),
        finish=turn.finish_reason or "" if turn else "",
        problem=turn.error.message if turn and turn.error else "",
        removed=since.sections.removed if since else 0,
        waiting=row.state == Row.State.PENDING,
        line=first.where.line if first else None,
    )


def member_bar(
    project: Project, row: Row, reading: Reading | None, turn: Turn | None, links: Links, tab: str
) -> Bar:
    """The head for members: with neighbours, comparison and sharing."""
    bar = plain_bar(row, reading, turn, links, tab)
    around = list(turns_of(row.session).filter(seq__gte=row.seq - AROUND, seq__lte=row.seq + AROUND))
    index = next((i for i, each in enumerate(around) if each.pk == row.pk), 0)
    previous = before(row)
    compare = (
        reverse("comparison", args=[project.slug, previous.key, row.key]) if previous and reading else ""
    )
    following = around[index + 1] if index + 1 < len(around) else None
    return replace(
        bar,
        of=row.session.turn_count,
        steps=[step(each, links, row.seq) for each in around],
        previous=links.turn(around[index - 1].key) if index else "",
        next=links.turn(following.key) if following else "",
        watch="" if following else reverse("next-turn", args=[project.slug, row.key]),
        previous_seq=previous.seq if previous else None,
        compare=compare,
        share=f"{reverse('share', args=[project.slug])}?{urlencode({'turn': row.key})}" if reading else "",
        tabs=tabs(links, tab, reading, changes=True),
    )
