"""Deleting a turn, a session or a project: asked about first, with what goes with it. Owners only."""

import logging
from collections.abc import Iterable

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.http import require_http_methods

from inspector.store.closing import close, drop_closed
from inspector.store.deleting import delete_session, delete_turn
from inspector.store.models import Key, Member, Project
from inspector.store.queries import project_for, session_in, turn_in
from inspector.store.queries.going import Going, going_with_project, going_with_session, going_with_turn
from inspector.web.confirming import Question, confirm
from inspector.web.crumbs import Crumb, crumbs
from inspector.web.faults import translated
from inspector.web.person import person, signed_in
from inspector.web.tags import plural, size

log = logging.getLogger(__name__)

FOREVER = "This can't be undone."
SECONDS = 2.0
"""How long a project's owner waits at most; the rest is dropped in the background."""


def says(going: Going, *more: str) -> list[str]:
    """What goes, in sentences."""
    turns = "" if going.turns == 1 else f"{plural(going.turns, 'turn')}, "
    found = plural(going.findings, "finding")
    held = f"{turns}{size(going.bytes)} as posted, all that was read in it, {found} and its place in search"
    lines = [f"With it goes what it holds: {held}."]
    if going.links:
        stop = "stops" if going.links == 1 else "stop"
        lines.append(f"{plural(going.links, 'shared link')} to it {stop} opening.")
    return [*lines, *(line for line in more if line), FOREVER]


@require_http_methods(["GET", "HEAD", "POST"])
@signed_in
@translated
def turn(request: HttpRequest, slug: str, key: str) -> HttpResponse:
    """Asks, then deletes one turn."""
    row = turn_in(project_for(request.user, slug, role="owner"), key)
    if request.method == "POST":
        delete_turn(row, person(request))
        if row.session.turn_count > 1:
            return redirect("session", slug, row.session.short_id)
        return redirect("sessions", slug)
    if row.session.turn_count > 1:
        more = "The other turns of its session stay; the one after it is read again."
    else:
        more = "It is the only turn of its session, which goes with it."
    question = Question(
        f"Delete turn {row.seq} of {row.session.key[:80]}?",
        "Delete the turn",
        says(going_with_turn(row), more, "An agent that posts it again brings it back."),
        reverse("turn", args=[slug, key]),
    )
    return confirm(request, row.project, crumbs(row.project, row.session, "Delete"), question)


@require_http_methods(["GET", "HEAD", "POST"])
@signed_in
@translated
def session(request: HttpRequest, slug: str, short_id: str) -> HttpResponse:
    """Asks, then deletes a session with all its turns."""
    found = session_in(project_for(request.user, slug, role="owner"), short_id)
    if request.method == "POST":
        delete_session(found, person(request))
        return redirect("sessions", slug)
    question = Question(
        f"Delete session {found.key[:80]}?",
        "Delete the session",
        says(going_with_session(found), "What an agent posts to it later begins a new session."),
        reverse("session", args=[slug, short_id]),
    )
    return confirm(request, found.project, crumbs(found.project, found, "Delete"), question)


@require_http_methods(["GET", "HEAD", "POST"])
@signed_in
@translated
def project(request: HttpRequest, slug: str) -> HttpResponse:
    """Asks for the project's name, then closes it for everybody and drops what it holds."""
    found = project_for(request.user, slug, role="owner")
    is_sure = request.POST.get("sure", "").strip() == found.name
    if request.method == "POST" and is_sure:
        close(found)
        log.warning("Project %s was deleted by %s.", slug, person(request).get_username())
        drop_closed(SECONDS)
        return redirect("projects")
    question = Question(
        f"Delete the project {found.name}?",
        "Delete the project",
        says(going_with_project(found), *_people(found)),
        reverse("settings", args=[slug]),
        type_name=found.name,
        problem="That is not its name." if request.method == "POST" else "",
    )
    way = [Crumb("Settings", reverse("settings", args=[slug])), Crumb("Delete")]
    return confirm(request, found, way, question)


def _people(found: Project) -> Iterable[str]:
    others = Member.objects.filter(project=found).count() - 1
    if others:
        yield f"{plural(others, 'other member')} can't get in any more; their accounts stay."
    if keys := Key.objects.filter(project=found, revoked_at=None).count():
        stop = "stops" if keys == 1 else "stop"
        yield f"{plural(keys, 'key')} {stop} working: agents that post with it are refused."
