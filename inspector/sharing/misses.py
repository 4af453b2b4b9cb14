"""Counting wrong tokens, so that guessing is slow and a valid link stays open for everybody."""

import hashlib

from django.core.cache import cache

from inspector.sharing.errors import TooManyMisses

MOST = 30
WINDOW = 60
"""Seconds."""


def note(address: str) -> None:
    """Count one miss. Raises TooManyMisses beyond ``MOST`` in ``WINDOW`` seconds from one address."""
    key = f"share-misses:{hashlib.sha256(address.encode('utf-8', 'replace')).hexdigest()[:32]}"
    if cache.add(key, 1, WINDOW):
        return
    try:
        count = cache.incr(key)
    except ValueError:  # expired between the two calls
        cache.set(key, 1, WINDOW)
        return
    if count > MOST:
        raise TooManyMisses
