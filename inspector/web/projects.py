"""The projects of a person."""

from typing import Any

from django.db import transaction
from django.db.models import Count, Max
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.text import slugify
from django.views.decorators.http import require_http_methods

from inspector.store import audit
from inspector.store.models import Member, Project, Session
from inspector.web.crumbs import Crumb
from inspector.web.fragments import page_or_fragment
from inspector.web.person import person, signed_in

MOST = 200


def rows_of(request: HttpRequest) -> list[dict[str, Any]]:
    """This person's projects with their size and latest activity."""
    places = Member.objects.filter(user=person(request)).select_related("project").order_by("project__name")
    members = list(places[:MOST])
    counted: dict[int, Any] = {
        found["project"]: found
        for found in Session.objects.filter(project__in=[member.project_id for member in members])
        .values("project")
        .annotate(count=Count("pk"), latest=Max("last_at"))
    }
    return [
        {
            "project": member.project,
            "role": member.role,
            "sessions": counted.get(member.project_id, {}).get("count", 0),
            "last_at": counted.get(member.project_id, {}).get("latest"),
        }
        for member in members
    ]


def free_slug(name: str) -> str:
    """A short name for addresses that no other project has."""
    base = slugify(name)[:50] or "project"
    slug, number = base, 1
    while Project.objects.filter(slug=slug).exists():
        number += 1
        slug = f"{base}-{number}"
    return slug


@require_http_methods(["GET", "HEAD", "POST"])
@signed_in
def projects(request: HttpRequest) -> HttpResponse:
    """The list and the form for a new one. With a single project, that is the front page."""
    if request.method == "POST":
        return make(request)
    rows = rows_of(request)
    if len(rows) == 1 and request.GET.get("all") is None:
        return redirect("sessions", rows[0]["project"].slug)
    return page_or_fragment(request, "projects/projects.html", {"rows": rows, "crumbs": [Crumb("Projects")]})


def make(request: HttpRequest) -> HttpResponse:
    """A new project of this person's own."""
    name = " ".join(request.POST.get("name", "").replace("\x00", " ").split())[:100]
    if not name:
        context = {"rows": rows_of(request), "problem": "Give it a name.", "crumbs": [Crumb("Projects")]}
        return page_or_fragment(request, "projects/projects.html", context, status=400)
    with transaction.atomic():
        project = Project.objects.create(name=name, slug=free_slug(name))
        Member.objects.create(project=project, user=person(request), role=Member.Role.OWNER)
        audit.note(project, person(request), "project.create", name=name)
    return redirect("start", project.slug)
