"""Who may come in: a key of a project, sent as ``Authorization: Bearer pi_…`` and in no other way."""

import hashlib
import re
import time
from dataclasses import dataclass

from django.contrib.auth.models import User
from django.http import HttpRequest
from ninja.security import HttpBearer

from inspector.api.faults import Refusal
from inspector.store import queries
from inspector.store.errors import Forbidden, NotFound
from inspector.store.models import Key, Project
from inspector.store.queries import Role

IN_URL = re.compile(r"pi_[A-Za-z0-9_-]{40}")
NAMES_IN_URL = frozenset({"key", "api_key", "apikey", "token", "access_token", "authorization", "bearer"})


FRESH = 0.5
"""Seconds for which a key is believed without asking: a revoked one is dead within them, everywhere."""
MOST_SEEN = 1_000


@dataclass(frozen=True, slots=True)
class Caller:
    """The project that a request is about, and the key that says so."""

    project: Project
    key: Key


_seen: dict[bytes, tuple[float, Caller]] = {}
"""Callers by the hash of their key, and when the store was asked."""


class ApiRequest(HttpRequest):
    """A request that a key has let in."""

    auth: Caller


class PostKey(HttpBearer):
    """Any key of a project that has not been revoked."""

    def __call__(self, request: HttpRequest) -> Caller | None:
        refuse_key_in_url(request)
        header = request.headers.get("Authorization", "")
        scheme, _, token = header.partition(" ")
        return self.authenticate(request, token.strip()) if scheme.lower() == "bearer" else None

    def authenticate(self, request: HttpRequest, token: str) -> Caller | None:
        """The caller, or None for a key that is wrong or revoked."""
        return caller_of(token)


class ReadKey(PostKey):
    """A key that may read too."""

    def authenticate(self, request: HttpRequest, token: str) -> Caller | None:
        """As above; a key that may only post is refused with 403."""
        caller = super().authenticate(request, token)
        if caller is not None and not caller.key.may_read:
            raise Refusal(403, "forbidden", "This key may post, not read. Use one that may read.")
        return caller


def caller_of(token: str) -> Caller | None:
    """The caller that a key stands for, asked of the store at most every ``FRESH`` seconds.

    An agent that posts without pause would otherwise pay a sixth of each post for being told the same.
    """
    digest = hashlib.sha256(token.encode("utf-8", "surrogatepass")).digest()
    now = time.monotonic()
    at, caller = _seen.get(digest, (0.0, None))
    if caller is not None and now - at < FRESH:
        return caller
    found = queries.project_of_key(token)
    if found is None:
        _seen.pop(digest, None)
        return None
    if len(_seen) >= MOST_SEEN:
        _seen.clear()
    caller = Caller(*found)
    _seen[digest] = (now, caller)
    return caller


def person_of(caller: Caller, role: Role) -> User:
    """The person that the key stands for, once it is sure that they have this role in the project now.

    Raises Refusal (403).
    """
    person = caller.key.created_by
    if not isinstance(person, User):
        words = "Nobody stands behind this key, so it can only post and read."
        raise Refusal(403, "key_without_person", words)
    try:
        queries.project_for(person, caller.project.slug, role=role)
    except (NotFound, Forbidden):
        words = f"This needs a key that stands for somebody with the role {role}."
        raise Refusal(403, "forbidden", words, role=role) from None
    return person


def via(caller: Caller) -> str:
    """What the audit says that the person used."""
    return f"key {caller.key.prefix}…"


def refuse_key_in_url(request: HttpRequest) -> None:
    """Keys in a URL end in logs and histories: such a request is refused even if the header is right."""
    address = request.META.get("QUERY_STRING", "")
    if not address and "pi_" not in request.path:
        return
    if IN_URL.search(request.path) or IN_URL.search(address) or _names_a_key(request):
        message = (
            "Send the key in the Authorization header, never in the URL. If this one is real, revoke it."
        )
        raise Refusal(400, "key_in_url", message)


def _names_a_key(request: HttpRequest) -> bool:
    return not NAMES_IN_URL.isdisjoint(name.lower() for name in request.GET)
