"""A session's page for members."""

from collections.abc import Mapping
from typing import Any

from django.db.models import Q, QuerySet
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.http import urlencode
from django.views.decorators.http import require_safe

from inspector.store.models import Session
from inspector.store.models import Turn as Row
from inspector.store.queries import session_for, turns_of
from inspector.store.queries.filters import BROKEN_PREFIX
from inspector.store.queries.rereading import left_to_reread
from inspector.web.comparison.chosen import chosen_of
from inspector.web.crumbs import crumbs
from inspector.web.facets import Chip
from inspector.web.faults import translated
from inspector.web.figures.chart import MOST
from inspector.web.fragments import nothing_new, page_or_fragment, refresh
from inspector.web.news import latest, newer
from inspector.web.numbers import number
from inspector.web.person import is_owner, signed_in
from inspector.web.session.listing import status_of
from inspector.web.session.page import ROWS, turns_context
from inspector.web.session.prefix_page import summary_of
from inspector.web.tags import day, percent

NARROWED = {
    "findings": Q(errors__gt=0) | Q(warnings__gt=0),
    "broken": BROKEN_PREFIX,
}

FEW = 3
"""A page of so few turns is loaded again as soon as they are read: there is no place to lose on it."""


def facts_of(session: Session, turns: QuerySet[Row]) -> list[tuple[str, str]]:
    """What is known of the whole session; no turn is opened."""
    seen = list(turns.values_list("shared_tokens", "prompt_tokens", "started_at")[:2000])
    reuse = [(shared, total) for shared, total, _ in seen if shared is not None]
    # The agent's own clock, as in the turns' rows, where it told us.
    started = seen[0][2] if seen and seen[0][2] else session.first_at
    last = turns.exclude(dialect="").last()
    dialects = f"{last.dialect} {last.layout}".strip() if last else ""
    facts = [
        ("Agent", session.agent),
        ("Model", ", ".join(str(name) for name in session.model_names[:3])),
        ("Dialect", dialects),
        ("Turns", f"{session.turn_count:,}"),
        ("Tokens", f"{session.tokens:,} in / {session.response_tokens:,} out"),
        ("Started", day(started)),
        ("Prefix reuse", percent(sum(s for s, _ in reuse), sum(t for _, t in reuse)) if reuse else ""),
    ]
    return [(name, value) for name, value in facts if value]


def chips_of(turns: QuerySet[Row], chosen: str, total: int, kept: Mapping[str, str]) -> list[Chip]:
    """The table's filters with their counts; ``kept`` is what else the address says."""
    counts = {name: turns.filter(test).count() for name, test in NARROWED.items()}
    return [
        Chip("All", "?" + urlencode(kept), chosen == "", total),
        Chip(
            "With findings",
            "?" + urlencode({**kept, "show": "findings"}),
            chosen == "findings",
            counts["findings"],
        ),
        Chip(
            "Prefix broken", "?" + urlencode({**kept, "show": "broken"}), chosen == "broken", counts["broken"]
        ),
    ]


def table_of(session: Session, show: str, after: int) -> tuple[list[Row], int | None]:
    """The page's turns, and the cursor of the next one."""
    turns = turns_of(session)
    if show in NARROWED:
        turns = turns.filter(NARROWED[show])
    rows = list(turns.filter(seq__gt=after)[: ROWS + 1])
    return rows[:ROWS], rows[ROWS - 1].seq if len(rows) > ROWS else None


@require_safe
@signed_in
@translated
def session(request: HttpRequest, slug: str, short_id: str) -> HttpResponse:
    """Facts, composition and turns."""
    found = session_for(request.user, slug, short_id)
    turns = turns_of(found)
    show = request.GET.get("show", "") if request.GET.get("show") in NARROWED else ""
    after = number(request, "after") or 0
    shown, following = table_of(found, show, after)
    css, word = status_of(found)
    share = urlencode({"session": short_id, "scope": "session"})
    chosen = chosen_of(request, found.project, "from")
    kept = {"from": chosen.key} if chosen else {}
    query = kept | ({"show": show} if show else {})
    context: dict[str, Any] = {
        "frame": "base.html",
        "project": found.project,
        "crumbs": crumbs(found.project, None, found.key[:80]),
        "session": found,
        "heading": found.key,
        "may_delete": is_owner(request, found.project),
        "left_to_reread": left_to_reread(found.project, found),
        "status": {"css": css, "word": word},
        "facts": facts_of(found, turns),
        "chips": chips_of(turns, show, found.turn_count, kept),
        "total": found.turn_count,
        "older": "?" + urlencode({**query, "after": str(following)}) if following else "",
        "newest": "?" + urlencode(query) if after else "",
        "compare_action": reverse("compare", args=[slug]),
        "elsewhere": reverse("sessions", args=[slug]),
        "chosen": chosen,
        "unread": sum(1 for row in shown if row.state == Row.State.PENDING),
        "share_href": f"{reverse('share', args=[slug])}?{share}",
        "news": f"{reverse('session-news', args=[slug, short_id])}?after={latest(found.project, found)}",
    }
    charted = list(turns.order_by("-seq")[:MOST])[::-1]
    context |= turns_context(shown, charted, lambda key: reverse("turn", args=[slug, key]), found.agent)
    context |= {
        "history": reverse("history", args=[slug, short_id]),
        "presence": reverse("presence", args=[slug, short_id]),
        "prefixes": reverse("prefixes", args=[slug, short_id]),
        "summary": summary_of(charted, context["readings"], lambda key: reverse("turn", args=[slug, key])),
    }
    return page_or_fragment(request, "session/session.html", context)


@require_safe
@signed_in
@translated
def news(request: HttpRequest, slug: str, short_id: str) -> HttpResponse:
    """Asked every two seconds: 204, or the pill that counts this session's new turns."""
    found = session_for(request.user, slug, short_id)
    count = newer(found.project, number(request, "after") or 0, found)
    if not count:
        waited = number(request, "unread") and not turns_of(found).filter(state=Row.State.PENDING).exists()
        return refresh() if waited and found.turn_count <= FEW else nothing_new()
    words = f"{count} new turn{'' if count == 1 else 's'}" if count < 100 else "99+ new turns"
    href = reverse("session", args=[slug, short_id])
    return page_or_fragment(request, "_news.html", {"href": href, "words": words})
