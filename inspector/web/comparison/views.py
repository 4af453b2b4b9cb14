"""Comparing any two turns of a project."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.http import urlencode
from django.views.decorators.http import require_safe

from inspector.store.errors import BadQuery
from inspector.store.models import Turn as Row
from inspector.store.queries import project_for, turn_for, turns_of
from inspector.store.readings import read_turn_of
from inspector.turns.turn import ReadTurn
from inspector.web.comparison.page import changes_of, comparison_context, part_of
from inspector.web.comparison.refusals import is_breaking, refused_of
from inspector.web.crumbs import crumbs
from inspector.web.faults import translated
from inspector.web.fragments import page_or_fragment
from inspector.web.learnt_values import learnt_up_to
from inspector.web.person import signed_in
from inspector.web.tags import span_words

CHOICES = 60
"""Turns offered in the two lists."""


@require_safe
@signed_in
@translated
def choose(request: HttpRequest, slug: str) -> HttpResponse:
    """From two radio buttons to the comparison's own address."""
    project = project_for(request.user, slug)
    old, new = request.GET.get("a", ""), request.GET.get("b", "")
    if not old or not new:
        raise BadQuery("Choose two turns: A, the older one, and B.")
    turn_for(request.user, slug, old), turn_for(request.user, slug, new)
    return redirect(reverse("comparison", args=[project.slug, old, new]))


def facts_of(old: Row, new: Row, before: ReadTurn, after: ReadTurn) -> list[tuple[str, str]]:
    """What the two have to do with each other."""
    apart = abs(((new.started_at or new.received_at) - (old.started_at or old.received_at)).total_seconds())
    same = before.turn.model == after.turn.model
    models = f"{after.turn.model}, same" if same else f"{before.turn.model} → {after.turn.model}"
    sessions = (
        old.session.key if old.session_id == new.session_id else f"{old.session.key} → {new.session.key}"
    )
    return [
        ("Session", sessions),
        ("Apart", span_words(apart)),
        ("Model", models if after.turn.model else "unknown"),
    ]


@require_safe
@signed_in
@translated
def comparison(request: HttpRequest, slug: str, old_key: str, new_key: str) -> HttpResponse:
    """Two prompts side by side or one above the other."""
    old, new = turn_for(request.user, slug, old_key), turn_for(request.user, slug, new_key)
    before, after = read_turn_of(old), read_turn_of(new)
    changes = changes_of(request, before, after, lambda: learnt_up_to(new).patterns)
    here = reverse("comparison", args=[slug, old.key, new.key])
    share = urlencode({"turn": new.key, "old_turn": old.key, "scope": "comparison"})
    near = turns_of(new.session).filter(seq__gte=max(1, new.seq - CHOICES // 2))[:CHOICES]
    context = {
        "frame": "base.html",
        "project": new.project,
        "refused": refused_of(old, after) if is_breaking(changes) else None,
        "crumbs": crumbs(new.project, new.session, f"Turn {old.seq} → {new.seq}"),
        "facts": facts_of(old, new, before, after),
        "choices": list(near) if old.session_id == new.session_id else [],
        "swap": reverse("comparison", args=[slug, new.key, old.key]),
        "share_href": f"{reverse('share', args=[slug])}?{share}",
    } | comparison_context(request, changes, before, after, f"{here}?", reverse("turn", args=[slug, new.key]))
    return page_or_fragment(request, "comparison/comparison.html", context, part=part_of(context))
