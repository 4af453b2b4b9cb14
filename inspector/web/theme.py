"""The colour theme: a cookie set by a form, so that it works without script and before the first paint."""

from typing import Literal

from django.core.exceptions import SuspiciousOperation
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.http import require_POST

COOKIE = "inspector-theme"
YEAR = 365 * 24 * 3600
Theme = Literal["auto", "light", "dark"]


def theme_of(request: HttpRequest) -> Theme:
    """What this browser chose; shared pages carry it in their address, since they set no cookie."""
    chosen = _asked(request) or request.COOKIES.get(COOKIE)
    if chosen == "light":
        return "light"
    return "dark" if chosen == "dark" else "auto"


def _asked(request: HttpRequest) -> str:
    """The address's choice; none where there is more in the address than anybody may ask for.

    The page that says so has a theme, too.
    """
    try:
        return request.GET.get("theme", "")
    except SuspiciousOperation:
        return ""


def next_page(request: HttpRequest) -> str:
    """Where to go back to: an own path only."""
    target = request.POST.get("next", "")
    if target.startswith("/") and url_has_allowed_host_and_scheme(target, allowed_hosts=None):
        return target
    return reverse("projects")


@require_POST
def choose(request: HttpRequest) -> HttpResponse:
    """Keep the choice and go back."""
    response = HttpResponseRedirect(next_page(request))
    chosen = request.POST.get("theme")
    if chosen in ("light", "dark"):
        response.set_cookie(
            COOKIE, chosen, max_age=YEAR, httponly=True, samesite="Lax", secure=request.is_secure()
        )
    else:
        response.delete_cookie(COOKIE)
    return response
