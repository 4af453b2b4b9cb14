"""Slows down guessing: a few tries a minute from one address, counted in the cache."""

from contextlib import suppress

from django.conf import settings
from django.core.cache import cache
from django.http import HttpRequest

TRIES = 10
WINDOW = 60
"""Seconds."""


def address_of(request: HttpRequest) -> str:
    """Where the request came from, as far as we trust it."""
    hops = [hop.strip() for hop in request.META.get("HTTP_X_FORWARDED_FOR", "").split(",")]
    # Each proxy that we trust appended one; what stands before them anybody may have written.
    if 0 < settings.TRUSTED_PROXIES <= len(hops) and (hop := hops[-settings.TRUSTED_PROXIES]):
        return str(hop[:45])
    return str(request.META.get("REMOTE_ADDR", ""))


def _key(request: HttpRequest, what: str) -> str:
    return f"tries:{what}:{address_of(request)}"


def too_many(request: HttpRequest, what: str) -> bool:
    """Whether this address failed too often in the last minute."""
    return int(cache.get(_key(request, what), 0)) >= TRIES


def note_failure(request: HttpRequest, what: str) -> None:
    """Count one."""
    key = _key(request, what)
    cache.add(key, 0, WINDOW)
    with suppress(ValueError):  # it expired between the two calls
        cache.incr(key)
