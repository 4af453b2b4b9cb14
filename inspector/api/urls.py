"""Paths of the API and of the health checks, below the server's root."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.urls import URLPattern, path, re_path
from django.views.decorators.csrf import csrf_exempt

from inspector.api import door, faults, health, reference

View = Callable[..., HttpResponse]


def spoken(view: View) -> View:
    """The view, with a wrong method refused in the API's own words."""

    @wraps(view)
    def answered(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        return door.answer(request, view(request, *args, **kwargs))

    # There are no cookies here to ride on: a key in a header is all that lets anybody in.
    return csrf_exempt(answered)


for_machines: set[View] = set()
"""Views that need nothing that is made for people."""


def _calls() -> list[URLPattern]:
    patterns = [pattern for pattern in door.api.urls[0] if isinstance(pattern, URLPattern)]
    calls = [
        path(f"api/v1/{pattern.pattern}", spoken(pattern.callback), name=f"api-{pattern.name}")
        for pattern in patterns
        if pattern.name != "api-root"
    ]
    for_machines.update(call.callback for call in calls)
    return calls


urlpatterns = [
    path("health/live", health.live, name="health-live"),
    path("health/ready", health.ready, name="health-ready"),
    path("api/v1/docs", spoken(reference.page), name="api-docs"),
    path("api/v1/openapi.json", spoken(reference.document), name="api-openapi"),
    *_calls(),
    re_path(r"^api(?:/(?P<rest>.*))?$", csrf_exempt(faults.unknown_path), name="api-unknown"),
]
