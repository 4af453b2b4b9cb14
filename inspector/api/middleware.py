"""The short way to the API: machines carry no cookies, so what reads and writes those is left out."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.urls import Resolver404, get_resolver

from inspector.api.urls import for_machines


class ShortWay:
    """Middleware: answers calls of the API itself, so that what comes after it is for people only."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        if not request.path_info.startswith("/api/v1/"):
            return self.get_response(request)
        try:
            match = get_resolver().resolve(request.path_info)
        except Resolver404:
            return self.get_response(request)
        if match.func not in for_machines:
            return self.get_response(request)
        # A host that is not ours is refused, here as everywhere.
        request.get_host()
        request.resolver_match = match
        response: HttpResponse = match.func(request, *match.args, **match.kwargs)
        response.headers.setdefault("Content-Length", str(len(response.content)))
        return response
