"""Whether an answer is a whole page or the part that htmx asked for. The only place that decides."""

import re
from collections.abc import Mapping
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.utils.cache import patch_vary_headers

SURROGATES = re.compile("[\ud800-\udfff]")


def wants_fragment(request: HttpRequest) -> bool:
    """A part is wanted: htmx asks, not for a boosted page and not to restore its history."""
    headers = request.headers
    return (
        headers.get("HX-Request") == "true"
        and headers.get("HX-Boosted") != "true"
        and headers.get("HX-History-Restore-Request") != "true"
    )


def encodable(html: str) -> str:
    """Names with lone surrogates would break the whole page: UTF-8 can't carry them."""
    return SURROGATES.sub("\ufffd", html)


def page_or_fragment(
    request: HttpRequest,
    template: str,
    context: Mapping[str, Any],
    part: str | None = None,
    status: int = 200,
) -> HttpResponse:
    """The page, or its part named ``part`` for htmx. The client never names the part."""
    if part is not None and wants_fragment(request):
        template = f"{template}#{part}"
    response = HttpResponse(encodable(render_to_string(template, dict(context), request)), status=status)
    patch_vary_headers(response, ["HX-Request", "HX-Boosted", "HX-History-Restore-Request"])
    return response


def nothing_new() -> HttpResponse:
    """204: htmx leaves the page as it is."""
    response = HttpResponse(status=204)
    patch_vary_headers(response, ["HX-Request"])
    return response


def refresh() -> HttpResponse:
    """htmx loads the page again."""
    response = HttpResponse()
    response.headers["HX-Refresh"] = "true"
    patch_vary_headers(response, ["HX-Request"])
    return response


def go_to(address: str) -> HttpResponse:
    """htmx leaves for this address."""
    response = HttpResponse()
    response.headers["HX-Redirect"] = address
    patch_vary_headers(response, ["HX-Request"])
    return response
