"""The person who is signed in."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.contrib.auth.models import User
from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse, HttpResponseBase

from inspector.store.models import Project
from inspector.store.queries import membership
from inspector.web.fragments import wants_fragment


def signed_in[View: Callable[..., HttpResponseBase]](view: View) -> View:
    """The view, for people who are signed in; others are asked to, and parts of pages are refused."""

    @wraps(view)
    def answer(request: HttpRequest, *args: Any, **named: Any) -> HttpResponseBase:
        if request.user.is_authenticated:
            return view(request, *args, **named)
        if wants_fragment(request):
            # A redirect would be followed, and the sign-in page put into the part's place.
            return HttpResponse(status=401)
        return redirect_to_login(request.get_full_path())

    return answer  # type: ignore[return-value]


def is_owner(request: HttpRequest, project: Project) -> bool:
    """Whether this person may change and delete things in a project of theirs."""
    return membership(request.user, project.slug).role == "owner"


def person(request: HttpRequest) -> User:
    """Behind ``signed_in`` only: there is always somebody."""
    user = request.user
    assert isinstance(user, User)
    return user
