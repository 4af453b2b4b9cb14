"""What the frame of every page needs: the theme, and the projects of the person who is signed in."""

from typing import Any

from django.http import HttpRequest
from django.utils.functional import SimpleLazyObject

from inspector.store.models import Project
from inspector.web.theme import theme_of

MENU = 12
"""Projects in the menu; the page of projects has them all."""


def projects_of(request: HttpRequest) -> list[Project]:
    """The person's projects for the menu; none for a visitor."""
    user = getattr(request, "user", None)
    if user is None or not user.is_authenticated:
        return []
    return list(Project.objects.for_user(user).order_by("name")[:MENU])


def chrome(request: HttpRequest) -> dict[str, Any]:
    """Context of the frame; projects are only asked for by pages that draw the menu."""
    return {"theme": theme_of(request), "menu_projects": SimpleLazyObject(lambda: projects_of(request))}
