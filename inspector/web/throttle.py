"""Slows down guessing: a few tries a minute from one address, counted in the cache."""

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


def too_many(request: HttpRequest, what: str, name: str = "") -> bool:
    """Count one try; True when there were too many."""
    key = f"tries:{what}:{address_of(request)}:{name[:50] if name else ''}"
    cache.add(key, 0, WINDOW)
    try:
        return int(cache.incr(key)) > TRIES
    except ValueError:
        return False
