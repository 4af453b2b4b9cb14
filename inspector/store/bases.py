"""Texts that others are compressed against: one an agent for keyframes, one a session for outlines."""

from dataclasses import dataclass, replace

from django.db import transaction

from inspector.store import zstd
from inspector.store.inserts import insert
from inspector.store.models import Base, Outline, Record, Turn
from inspector.store.recent import Recent

MAX_SIZE = 1024 * 1024
"""A larger record is no base."""
MAX_USERS = 1_000
"""A base with more users is retired, so that deleting its source turn re-encodes a bounded number."""
PATIENCE = 8
"""After a fresh base, this many keyframes pass before another replaces it."""
PAYS = 0.6
"""A base pays when the delta is at most this share of what the text would take alone."""


@dataclass(frozen=True, slots=True)
class BaseText:
    """A base, decoded. ``id`` is None until it is stored."""

    id: int | None
    data: bytes
    ratio: float
    """Compressed over plain size of the base itself: the guess for texts like it."""
    users: int = 0

    def pays(self, delta: int, size: int) -> bool:
        """Whether a delta is small enough to go on with this base."""
        return delta <= PAYS * self.ratio * size


_bases: Recent[tuple[int, str, str], BaseText] = Recent(8 * 1024 * 1024, MAX_SIZE)
_texts: Recent[int, bytes] = Recent(8 * 1024 * 1024, MAX_SIZE)


def fresh(data: bytes) -> BaseText:
    """A base that is yet to be stored."""
    return BaseText(None, data, len(zstd.compress(data)) / max(len(data), 1))


def base_for(project_id: int, use: str, agent: str) -> BaseText | None:
    """The newest base of an agent."""
    key = (project_id, use, agent)
    if (known := _bases.get(key)) is not None:
        return known
    row = (
        Base.objects.filter(project_id=project_id, use=use, agent=agent, session=None).order_by("-id").first()
    )
    if row is None:
        return None
    users = (Record if use == Base.Use.RECORD else Outline).objects.filter(base_id=row.pk)
    text = replace(decoded(row), users=users.count())
    _bases.put(key, text, len(text.data))
    return text


def text_of(base_id: int) -> bytes:
    """A stored base by its id; whoever uses it proves the result. Empty when it is gone."""
    known = _texts.get(base_id)
    if known is None:
        row = Base.objects.filter(pk=base_id).first()
        known = b"" if row is None else decoded(row).data
        _texts.put(base_id, known, len(known))
    return known


def decoded(row: Base) -> BaseText:
    """A stored base."""
    data = zstd.decompress(bytes(row.data))
    return BaseText(row.pk, data, len(row.data) / max(row.size, 1))


def store(text: BaseText, source: Turn, use: str, agent: str, session_id: int | None = None) -> BaseText:
    """Insert a fresh base; call inside a transaction."""
    row = Base(
        project_id=source.project_id,
        use=use,
        agent=agent,
        session_id=session_id,
        source=source,
        size=len(text.data),
        data=zstd.compress(text.data),
    )
    insert(row)
    return replace(text, id=row.pk)


def used(project_id: int, use: str, agent: str, text: BaseText) -> None:
    """Count one more user, once the transaction is safe."""
    key = (project_id, use, agent)
    counted = replace(text, users=text.users + 1)
    transaction.on_commit(lambda: _bases.put(key, counted, len(counted.data)))


def forget() -> None:
    """Forget every cached base."""
    _bases.clear()
    _texts.clear()
