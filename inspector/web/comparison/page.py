"""What a comparison shows: for members and for visitors of a share alike."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest

from inspector.turns.changes import compare
from inspector.turns.changes.change import Changes, Window
from inspector.turns.learnt import Pattern
from inspector.turns.turn import Prefix, ReadTurn, Section
from inspector.web.cached import disagreement
from inspector.web.comparison.break_words import cause_between, unbroken_words
from inspector.web.comparison.cache_marks import MarkRow, mark_rows, marks_note
from inspector.web.comparison.drawn import PANELS, counted, drawn
from inspector.web.comparison.excerpts import Excerpt, excerpts
from inspector.web.comparison.gap import gap_of
from inspector.web.figures.strip import Strip, Weight, joined, strip, weights
from inspector.web.numbers import number
from inspector.web.slugs import slugs
from inspector.web.tags import percent

type Patterns = Mapping[str, tuple[Pattern, ...]]

MOST = 60
"""Pieces of a bar."""
NAMED = 4
"""Sections that are named of those that could be moved."""
CHOICES = (("view", "split"), ("ws", "0"), ("volatile", "0"))
"""Options of the address, and what switches each on."""


@dataclass(frozen=True, slots=True)
class PrefixPanel:
    """The shared prefix in words and strips."""

    share: str
    css: str
    cause: str
    section: str
    slug: str
    old: Strip
    new: Strip
    moved: Strip | None
    """The newer prompt with one section last, when that would let more of it be reused."""
    moved_title: str
    all_moved: str
    """The sections that change by themselves, where it helps to move them all."""
    marks: list[MarkRow]
    marks_note: str
    excerpts: tuple[Excerpt, Excerpt] | None
    """Both sides of the first difference, the older one first."""


@dataclass(frozen=True, slots=True)
class Option:
    """A way of looking at it: a link that keeps the others."""

    name: str
    href: str
    here: bool


@dataclass(frozen=True, slots=True)
class Options:
    """All of them."""

    split: bool
    views: list[Option]
    chips: list[Option]
    alone: str
    """What the address of one section alone begins with."""


def prefix_panel(changes: Changes, old: ReadTurn, new: ReadTurn) -> PrefixPanel:
    """The prefix of these two."""
    prefix: Prefix = changes.prefix
    paths = [section.path for section in changes.sections]
    names = dict(zip(paths, slugs(paths), strict=True))
    path = prefix.broken_at.section if prefix.broken_at else None
    changed = {section.path for section in changes.sections if section.change != "same"}
    css = "ok" if prefix.ratio >= 0.8 else "warn" if prefix.ratio >= 0.3 else "err"
    return PrefixPanel(
        percent(prefix.shared_tokens, prefix.tokens),
        css,
        cause_between(prefix.broken_at, old, new),
        title_of(changes, path),
        names.get(path, "") if path in changed else "",
        strip(weights(old.reading.sections, most=MOST), old.reading.tokens, old.reading.tokens, height=16),
        strip(
            weights(new.reading.sections, most=MOST),
            prefix.shared_tokens,
            prefix.tokens,
            height=16,
            marks=prefix.breakpoints,
        ),
        moved_strip(new, prefix),
        title_of(changes, prefix.if_moved.section) if prefix.if_moved else "",
        all_moved_words(changes),
        mark_rows(prefix),
        marks_note(prefix),
        excerpts(new, prefix.broken_at) if prefix.broken_at else None,
    )


def all_moved_words(changes: Changes) -> str:
    """``Clock, Ticket and 3 more``; empty where moving them all is no better than moving one."""
    everything = changes.prefix.if_all_moved
    if everything is None:
        return ""
    names = [title_of(changes, path) for path in everything.sections]
    shown, more = names[:NAMED], len(names) - NAMED
    return ", ".join(shown) + (f" and {more} more" if more > 0 else "")


def moved_strip(new: ReadTurn, prefix: Prefix) -> Strip | None:
    """The bar of the newer prompt as it would be with the section at the break last."""
    sections = new.reading.sections
    moved = next((s for s in sections if prefix.if_moved and s.path == prefix.if_moved.section), None)
    if moved is None or prefix.if_moved is None:
        return None
    bar = [
        Weight(top.kind, top.title, top.tokens - (moved.tokens if holds(top, moved) else 0))
        for top in sections
        if top.depth == 0 and top.path != moved.path
    ]
    bar.append(Weight(moved.kind, moved.title, moved.tokens))
    few = bar if len(bar) <= MOST else joined(bar, MOST)
    return strip(few, prefix.if_moved.shared_tokens, prefix.tokens, height=16)


def holds(outer: Section, inner: Section) -> bool:
    """Whether one section lies in the other."""
    return outer.message == inner.message and outer.start <= inner.start and inner.end <= outer.end


def title_of(changes: Changes, path: str | None) -> str:
    """A section by the names of what it lies in: ``Context State › game:1``."""
    titles = {section.path: section.title for section in changes.sections}
    if path is None:
        return ""
    parent = titles.get(path.rsplit("/", 1)[0]) if "/" in path else None
    own = titles.get(path, path)
    return f"{parent} › {own}" if parent else own


def options_of(request: HttpRequest, here: str) -> Options:
    """The options as links; ``here`` is the address up to where more of the query may follow."""
    chosen = {name: request.GET.get(name) == value for name, value in CHOICES}

    def href(**changed: bool) -> str:
        wanted = chosen | changed
        return here + "&".join(f"{name}={value}" for name, value in CHOICES if wanted[name])

    chips = [
        Option("Ignore whitespace", href(ws=not chosen["ws"]), chosen["ws"]),
        Option("Ignore volatile values", href(volatile=not chosen["volatile"]), chosen["volatile"]),
    ]
    if number(request, "only") is not None:
        chips.append(Option("This section alone", href(), True))
    views = [
        Option("Unified", href(view=False), not chosen["view"]),
        Option("Split", href(view=True), chosen["view"]),
    ]
    alone = href() + ("&" if href() != here else "")
    return Options(chosen["view"], views, chips, alone)


def changes_of(
    request: HttpRequest, old: ReadTurn, new: ReadTurn, learnt: Callable[[], Patterns] = dict
) -> Changes:
    """The comparison that the options ask for; of two turns in a row the prefix as their session knows it.

    ``learnt`` finds what changes by itself, by a section's path; it is asked when that is to be ignored.
    """
    volatile = request.GET.get("volatile") == "0"
    since = new.reading.since_previous
    return compare(
        old,
        new,
        ignore_whitespace=request.GET.get("ws") == "0",
        ignore_volatile=volatile,
        learnt=learnt() if volatile else {},
        window=Window(number(request, "skip") or 0, PANELS, number(request, "only")),
        known=since.prefix if since and since.turn == old.id else None,
    )


def comparison_context(
    request: HttpRequest, changes: Changes, old: ReadTurn, new: ReadTurn, here: str, new_base: str
) -> dict[str, Any]:
    """The page; ``new_base`` is the newer turn's address, empty when the reader may not go there."""
    options = options_of(request, here)
    # Who may only see the comparison sees no more of the prompt than it shows.
    opened = gap_of(request, new, options.split) if new_base else None
    return (opened or {}) | {
        "changes": changes,
        "old": old,
        "new": new,
        "prefix": prefix_panel(changes, old, new),
        "cached_note": cached_note(changes.prefix),
        "unbroken": unbroken_words(old, new),
        "options": options,
        "drawn": drawn(
            changes, split=options.split, only=number(request, "only"), skip=number(request, "skip") or 0
        ),
        "counted": counted(changes.summary),
        "new_base": new_base,
    }


def cached_note(prefix: Prefix) -> str:
    """Where the provider's count of cached tokens disagrees with ours."""
    return disagreement(prefix.shared_tokens, prefix.reported_cached_tokens, prefix.readable_tokens)


def part_of(context: Mapping[str, Any]) -> str | None:
    """The part of the page that is meant when htmx asks: the opened gap."""
    return "gap" if context.get("opened") else None
