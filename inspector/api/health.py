"""Whether the server is alive and ready: at the root, without a key, saying nothing of content."""

import time
from datetime import timedelta

from django.contrib.sessions.models import Session
from django.db import DatabaseError, InterfaceError
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.views.decorators.http import require_safe

from inspector.api.replies import json_reply
from inspector.store import queries

OLDEST_PENDING = timedelta(minutes=2)
"""A turn that waits longer for its reading means that no worker works."""
ROW = "health"
"""Key of the row that is written. Too short for a session's key, expired, empty: nobody signs in with it."""


@require_safe
def live(request: HttpRequest) -> HttpResponse:
    """The process answers."""
    return json_reply({"status": "live"})


@require_safe
def ready(request: HttpRequest) -> HttpResponse:
    """The store can be written and read, and turns are being read. 503 with the reasons when not."""
    reasons: list[str] = []
    started = time.perf_counter()
    for check in (_writes, _reads):
        try:
            check()
        except (DatabaseError, InterfaceError) as error:
            reasons.append(f"{check.__name__.strip('_')}: {type(error).__name__}")
    age = _pending_age() if not reasons else None
    if age is not None and age > OLDEST_PENDING.total_seconds():
        reasons.append(f"pending: a turn has waited {age:.0f} s for its reading")
    facts = {
        "status": "unready" if reasons else "ready",
        "reasons": reasons,
        "oldest_pending_seconds": age,
        "store_ms": round((time.perf_counter() - started) * 1000, 1),
    }
    return json_reply(facts, 503 if reasons else 200)


def _writes() -> None:
    """A committed write of one small row, always the same one."""
    moment = timezone.now()
    Session.objects.update_or_create(session_key=ROW, defaults={"session_data": "", "expire_date": moment})


def _reads() -> None:
    Session.objects.filter(session_key=ROW).exists()


def _pending_age() -> float | None:
    oldest = queries.due_since()
    return None if oldest is None else (timezone.now() - oldest).total_seconds()
