"""The turn that is to be compared with one of another session."""

from dataclasses import dataclass

from django.http import HttpRequest
from django.urls import reverse

from inspector.store.errors import NotFound
from inspector.store.models import Project
from inspector.store.queries import turn_in


@dataclass(frozen=True, slots=True)
class Chosen:
    """It, as pages name it."""

    key: str
    seq: int
    session: str
    href: str


def chosen_of(request: HttpRequest, project: Project, name: str) -> Chosen | None:
    """The turn that the address names under ``name``; None without one, or when it is not of this project."""
    if not (key := request.GET.get(name, "")):
        return None
    try:
        row = turn_in(project, key)
    except NotFound:
        return None
    return Chosen(row.key, row.seq, row.session.key[:80], reverse("turn", args=[project.slug, row.key]))
