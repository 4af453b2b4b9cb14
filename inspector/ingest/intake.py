"""The only way in: posted turns and their later parts, all or nothing.

Posts that wait for the database at the same time are written together: one transaction, one commit. Each
is answered for itself, and only after that commit.
"""

import hashlib
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import connection
from django.utils import timezone

from inspector.ingest.additions import add
from inspector.ingest.errors import Busy, IngestError, Invalid
from inspector.ingest.gathering import Gathering
from inspector.ingest.posted import Outcome, Posted, made_key
from inspector.ingest.writing import Item, write
from inspector.store.models import Project
from inspector.turns.errors import NotATurn
from inspector.turns.payload import check

__all__ = ["add", "record"]

MAX_NAME = 256
LARGE = 1024 * 1024
"""A post of more bytes is written by itself: others need not wait while it is compressed."""


@dataclass(frozen=True, slots=True)
class _Post:
    project_id: int
    items: list[Item]


def record(project: Project, records: Sequence[Posted]) -> list[Outcome]:
    """Take turns in, in order; a bad one does not spoil the others. Returns after the commit. Raises Busy."""
    now = timezone.now()
    found: list[Item | Outcome] = []
    for posted in records:
        try:
            found.append(_item(posted, now))
        except IngestError as error:
            found.append(Outcome(400, error=error))
    _take_in(_Post(project.pk, [one for one in found if isinstance(one, Item)]))
    return [_outcome(one) for one in found]


def _outcome(one: Item | Outcome) -> Outcome:
    if isinstance(one, Outcome):
        return one
    assert one.outcome is not None
    return one.outcome


def _item(posted: Posted, now: datetime) -> Item:
    """Check one posted turn. Raises Invalid."""
    if posted.error is not None:
        raise posted.error
    payload = posted.payload
    try:
        check(payload)
    except NotATurn as error:
        raise Invalid(str(error), field=error.field) from error
    key, session = payload.get("id") or made_key(), payload.get("session")
    return Item(
        posted,
        key=key,
        session=key if session is None else session,
        alone=session is None,
        agent=_name(payload, "agent"),
        parent=payload.get("parent") or "",
        model=_name(payload, "model"),
        provider=_name(payload, "provider"),
        digest=hashlib.sha256(posted.data).digest(),
        received_at=now,
    )


def _name(payload: Mapping[str, Any], field: str) -> str:
    value = payload.get(field)
    return value[:MAX_NAME] if isinstance(value, str) else ""


def _take_in(post: _Post) -> None:
    size = sum(len(item.posted.data) for item in post.items)
    # Inside somebody's transaction a post is part of that one, and of no other.
    if size > LARGE or connection.in_atomic_block:
        _write([post])
    elif post.items:
        _gathering.do(post, size)


def _write(posts: Sequence[_Post]) -> None:
    """Each project by itself, so that none shares anything with another."""
    projects: dict[int, list[Item]] = defaultdict(list)
    for post in posts:
        projects[post.project_id].extend(post.items)
    for project_id, items in projects.items():
        if items:
            write(project_id, items)


_gathering = Gathering(_write, leaders=1, most=32, size=4 * LARGE, shared=Busy)
