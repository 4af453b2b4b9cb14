"""Asking before something is destroyed: a page that says what goes, with one button and a way back."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from django.http import HttpRequest, HttpResponse

from inspector.store.models import Project
from inspector.web.crumbs import Crumb
from inspector.web.fragments import page_or_fragment


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked."""

    title: str
    button: str
    says: Sequence[str]
    """What goes with it, in plain sentences."""
    back: str
    """Where "Keep it" leads."""
    values: Mapping[str, str] = field(default_factory=dict)
    """Sent along by the button."""
    type_name: str = ""
    """What must be typed before it is done, for what is large."""
    problem: str = ""


def confirm(
    request: HttpRequest, project: Project, crumbs: Sequence[Crumb], question: Question
) -> HttpResponse:
    """The page; it posts to its own address."""
    context = {"project": project, "crumbs": crumbs, "question": question}
    status = 400 if question.problem else 200
    return page_or_fragment(request, "confirm/confirm.html", context, status=status)
