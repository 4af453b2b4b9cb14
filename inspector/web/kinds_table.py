"""The project's own section names on its settings page, and reading earlier turns again with them."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe

from inspector.store.errors import BadKinds
from inspector.store.kinds import change
from inspector.store.queries import project_for, session_for
from inspector.store.queries.rereading import Which, ask_again, left_to_reread
from inspector.web.faults import translated
from inspector.web.fragments import nothing_new, page_or_fragment
from inspector.web.person import person, signed_in
from inspector.web.settings import page


@require_POST
@signed_in
@translated
def kinds(request: HttpRequest, slug: str) -> HttpResponse:
    """Set the kind of one name, or take it out."""
    project = project_for(request.user, slug, role="owner")
    name, kind = request.POST.get("section", ""), request.POST.get("kind", "")
    table = dict(project.kinds)
    if kind == "remove":
        table.pop(name, None)
    else:
        table[" ".join(name.split())] = kind
    try:
        change(project, table, person(request))
    except BadKinds as error:
        return page(request, project_for(request.user, slug), 400, kinds_problem=str(error))
    return redirect(f"{reverse('settings', args=[slug])}#kinds")


@require_POST
@signed_in
@translated
def reread(request: HttpRequest, slug: str) -> HttpResponse:
    """Read all turns of the project again."""
    project_for(request.user, slug, role="owner")
    ask_again(Which(everything=True, project=slug))
    return redirect(f"{reverse('settings', args=[slug])}#kinds")


@require_POST
@signed_in
@translated
def reread_session(request: HttpRequest, slug: str, short_id: str) -> HttpResponse:
    """Read all turns of a session again."""
    project_for(request.user, slug, role="member")
    session = session_for(request.user, slug, short_id)
    ask_again(Which(everything=True, project=slug, session=session.short_id))
    return redirect("session", slug, short_id)


@require_safe
@signed_in
@translated
def progress(request: HttpRequest, slug: str) -> HttpResponse:
    """Asked every two seconds while turns wait to be read again: how many still do."""
    project = project_for(request.user, slug, role="member")
    left = left_to_reread(project)
    if not left and request.GET.get("left") == "0":
        return nothing_new()
    return page_or_fragment(request, "settings/_reread.html", {"project": project, "left": left})
