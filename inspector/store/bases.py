"""Texts that keyframes are compressed against: one an agent for records, one for outlines."""

from dataclasses import dataclass, replace

from django.db import connection, transaction

from inspector.store import zstd
from inspector.store.inserts import insert
from inspector.store.models import Base, Outline, Record
from inspector.store.recent import Recent

MAX_SIZE = 1024 * 1024
"""A larger record is no base."""
MAX_USERS = 1_000
"""A base with more users is retired, so that deleting its source turn re-encodes a bounded number."""
PATIENCE = 8
"""After a fresh base, this many keyframes pass before another replaces it."""
PAYS = 0.6
"""A base pays when the delta is at most this share of what the text would take alone."""


type Owner = tuple[int, str, str]
"""Project, use and agent."""


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


_bases: Recent[Owner, BaseText] = Recent(8 * 1024 * 1024, MAX_SIZE)
_texts: Recent[int, bytes] = Recent(8 * 1024 * 1024, MAX_SIZE)


def fresh(data: bytes) -> BaseText:
    """A base that is yet to be stored."""
    return BaseText(None, data, len(zstd.compress(data)) / max(len(data), 1))


def base_for(project_id: int, use: str, agent: str) -> BaseText | None:
    """The newest base of an agent."""
    key = (project_id, use, agent)
    if (known := _bases.get(key)) is not None:
        return known
    row = Base.objects.filter(project_id=project_id, use=use, agent=agent).order_by("-id").first()
    if row is None:
        return None
    users = (Record if use == Base.Use.RECORD else Outline).objects.filter(base_id=row.pk)
    text = replace(decoded(row), users=users.count())
    if not connection.in_atomic_block:
        _bases.put(key, text, len(text.data))
    return text


def text_of(base_id: int) -> bytes:
    """A stored base by its id; whoever uses it proves the result. Empty when it is gone."""
    known = _texts.get(base_id)
    if known is None:
        row = Base.objects.filter(pk=base_id).first()
        known = b"" if row is None else decoded(row).data
        # What an open transaction shows may never come to be.
        if not connection.in_atomic_block:
            _texts.put(base_id, known, len(known))
    return known


def decoded(row: Base) -> BaseText:
    """A stored base."""
    data = zstd.decompress(bytes(row.data))
    return BaseText(row.pk, data, len(row.data) / max(row.size, 1))


class Batch:
    """The bases of things that are written in one transaction: what one of them starts, the next may use."""

    def __init__(self) -> None:
        self._newest: dict[Owner, BaseText] = {}
        self._ids: dict[bytes, int] = {}

    def keyframe(self, owner: Owner, data: bytes) -> tuple[bytes, BaseText | None]:
        """Compress a text against its agent's base where that pays; starts a new base where it doesn't."""
        if len(data) > MAX_SIZE:
            return zstd.compress(data), None
        base = self._newest.get(owner) or base_for(*owner)
        if base is not None:
            delta = zstd.compress(data, base.data)
            if base.pays(len(delta), len(data)) and base.users < MAX_USERS:
                return delta, self._count(owner, base)
            if base.users < PATIENCE:
                plain = zstd.compress(data)
                self._count(owner, base)
                return (plain, None) if len(plain) < len(delta) else (delta, base)
        base = fresh(data)
        return zstd.compress(data, base.data), self._count(owner, base)

    def has(self, owner: Owner) -> bool:
        """Whether something of this owner was compressed in this batch."""
        return owner in self._newest

    def begin(self, owner: Owner, data: bytes) -> None:
        """From now on these go by a new base, taken from ``data``."""
        self._newest[owner] = fresh(data)

    def settle(self, base: BaseText | None, owner: Owner, source: int) -> int | None:
        """Id of a base that something of turn ``source`` uses, stored first if fresh. In the transaction."""
        if base is None:
            return None
        pk = base.id or self._ids.get(base.data)
        if pk is None:
            pk = _store(base, owner, source)
            self._ids[base.data] = pk
        counted = replace(self._newest.get(owner, base), id=pk)
        if counted.data is base.data:
            transaction.on_commit(lambda: _bases.put(owner, counted, len(counted.data)))
        return pk

    def _count(self, owner: Owner, base: BaseText) -> BaseText:
        self._newest[owner] = replace(base, users=base.users + 1)
        return base


def _store(base: BaseText, owner: Owner, source: int) -> int:
    project_id, use, agent = owner
    row = Base(
        project_id=project_id,
        use=use,
        agent=agent,
        source_id=source,
        size=len(base.data),
        data=zstd.compress(base.data),
    )
    insert(row)
    return row.pk


def forget() -> None:
    """Forget every cached base."""
    _bases.clear()
    _texts.clear()
