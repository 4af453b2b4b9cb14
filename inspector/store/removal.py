"""Deleting sessions and turns with all that came of them: derived text, index rows, links, bases.

A record that others are compressed against can't just go: those are re-encoded first, in the same
transaction, so that every turn that stays is readable at any moment.
"""

from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Any

from django.db import transaction
from django.db.models import Q, QuerySet

from inspector.store import outlines, records, versions
from inspector.store.bases import Batch
from inspector.store.errors import Damaged
from inspector.store.models import (
    Addition,
    Base,
    Finding,
    Outline,
    Project,
    Record,
    ResultLink,
    SectionVersion,
    Session,
    Share,
    Turn,
)
from inspector.store.saving import named, recount
from inspector.store.terms import index

STEP = 200


def drop_sessions(project: Project, ids: Sequence[int], unless_active_since: datetime | None = None) -> int:
    """Delete sessions of a project with all that belongs to them; how many there were."""
    with transaction.atomic():
        wanted = Session.objects.of(project).filter(pk__in=ids)
        if unless_active_since is not None:
            wanted = wanted.filter(last_at__lt=unless_active_since)
        sessions = list(wanted.select_for_update().order_by("pk"))
        pks = [session.pk for session in sessions]
        turns = Turn.objects.filter(session_id__in=pks)
        # Records and outlines rest on others of their own session only, bases serve all of an agent's.
        _free_bases(Base.objects.filter(source__session_id__in=pks), turns)
        for step in _steps(turns):
            _forget_derived(step)
        for step in _steps(turns):
            _delete(step)
        Share.objects.filter(session_id__in=pks).delete()
        _raw_delete(Session.objects.filter(pk__in=pks))
    transaction.on_commit(records.forget)
    return len(sessions)


def handful(sessions: QuerySet[Session]) -> list[int]:
    """Ids of the first sessions, as many as can be deleted in one transaction without others waiting long."""
    ids: list[int] = []
    turns = 0
    for pk, count in sessions.values_list("pk", "turn_count")[:STEP]:
        turns += count
        if ids and turns > STEP:
            break
        ids.append(pk)
    return ids


def drop_turn(turn: Turn) -> None:
    """Delete one turn, and its session if it was the last one in it.

    The turns around it stay as they are; the one after it is read again, since it has another one before it.
    """
    with transaction.atomic():
        session = Session.objects.select_for_update().get(pk=turn.session_id)
        if not Turn.objects.filter(session=session).exclude(pk=turn.pk).exists():
            drop_sessions(turn.project, [session.pk])
            return
        alone = Turn.objects.filter(pk=turn.pk)
        _free_bases(Base.objects.filter(source=turn), alone)
        for record in Record.objects.filter(earlier_id=turn.pk).select_related("turn"):
            _encode_record(Batch(), record)
        for outline in Outline.objects.filter(earlier__turn=turn).exclude(turn=turn).select_related("turn"):
            _encode_outline(Batch(), outline)
        follower = _follower(turn)
        _forget_derived([turn])
        _delete([turn])
        _settle(session)
        # Who reads this session now began with the turn that is gone: begin anew, and count no attempt.
        session.leased_until = None
        session.save()
        left = Turn.objects.filter(session=session)
        left.filter(due=True).update(attempts=0)
        left.filter(pk__in=follower).update(due=True, again=False, attempts=0)
    transaction.on_commit(records.forget)


def _follower(turn: Turn) -> list[int]:
    """The turn that was compared with this one, if there is one."""
    same = Turn.objects.filter(session_id=turn.session_id, agent=turn.agent, parent_key=turn.parent_key)
    return list(same.filter(seq__gt=turn.seq).order_by("seq").values_list("pk", flat=True)[:1])


def _settle(session: Session) -> None:
    """Make a session's columns tell of the turns that it still has."""
    rows = Turn.objects.filter(session=session).order_by("seq")
    known = list(rows.values_list("agent", "model", "dialect", "calls", "received_at"))
    agents, models, dialects, calls, times = zip(*known, strict=True)
    session.turn_count = len(known)
    session.agent = next((agent for agent in agents if agent), "")
    session.model_names = named(models)
    session.dialects = named(dialects)
    session.actions = named(name for called in calls for name in called)
    session.first_at, session.last_at = min(times), max(times)
    session.revised += 1
    recount(session)


def _steps(turns: QuerySet[Turn]) -> Iterator[list[Turn]]:
    """Turns a few at a time, by id."""
    last = 0
    while step := list(turns.filter(pk__gt=last).order_by("pk")[:STEP]):
        yield step
        last = step[-1].pk


def _raw_delete(rows: QuerySet[Any]) -> None:
    """Delete rows of which nothing hangs any more; Django would look for it table by table."""
    rows._raw_delete(rows.db)


def _forget_derived(turns: Sequence[Turn]) -> None:
    ids = [turn.pk for turn in turns]
    versions.discount(ids)
    index.take_out(ids)
    _raw_delete(Finding.objects.filter(turn_id__in=ids))
    _raw_delete(ResultLink.objects.filter(Q(turn_id__in=ids) | Q(shown_by_id__in=ids)))
    for column in ("first_turn", "last_turn"):
        SectionVersion.objects.filter(**{f"{column}__in": ids}).update(**{column: None})
    Share.objects.filter(Q(turn_id__in=ids) | Q(old_turn_id__in=ids)).delete()


def _delete(turns: Sequence[Turn]) -> None:
    ids = [turn.pk for turn in turns]
    keys = [turn.key for turn in turns]
    _raw_delete(Addition.objects.filter(project_id=turns[0].project_id, turn_key__in=keys))
    _raw_delete(Outline.objects.filter(turn_id__in=ids))
    _raw_delete(Record.objects.filter(turn_id__in=ids))
    _raw_delete(Base.objects.filter(source_id__in=ids))
    _raw_delete(Turn.objects.filter(pk__in=ids))


def _free_bases(taken: QuerySet[Base], going: QuerySet[Turn]) -> None:
    """Bases taken from turns that go hold their text: their other users are encoded anew."""
    for base in taken:
        batch = Batch()
        ids = going.values("pk")
        if base.use == Base.Use.RECORD:
            for record in Record.objects.filter(base=base).exclude(turn_id__in=ids).select_related("turn"):
                _encode_record(batch, record)
        else:
            for outline in Outline.objects.filter(base=base).exclude(turn_id__in=ids).select_related("turn"):
                _encode_outline(batch, outline)


def _encode_record(batch: Batch, record: Record) -> None:
    """As a keyframe: that shortens the chains behind it, so no limit is passed."""
    try:
        data = records.record_of(record.turn)
    except Damaged:
        # Lost already: it must not keep others from being deleted.
        Record.objects.filter(pk=record.pk).update(earlier=None, base=None)
        return
    record.data, record.base_id = _keyframe(batch, Base.Use.RECORD, record.turn, data)
    record.earlier_id, record.chain, record.chain_bytes = None, 0, len(data)
    record.save(update_fields=["data", "earlier", "base", "chain", "chain_bytes"])


def _encode_outline(batch: Batch, outline: Outline) -> None:
    try:
        data = outlines.text_of(outline)
    except Damaged:
        Outline.objects.filter(pk=outline.pk).update(earlier=None, base=None)
        return
    outline.data, outline.base_id = _keyframe(batch, Base.Use.OUTLINE, outline.turn, data)
    outline.earlier_id, outline.chain = None, 0
    outline.save(update_fields=["data", "earlier", "base", "chain"])


def _keyframe(batch: Batch, use: str, turn: Turn, data: bytes) -> tuple[bytes, int | None]:
    """Against a base that the batch itself began: any other may be about to go."""
    owner = (turn.project_id, use, turn.agent)
    if not batch.has(owner):
        batch.begin(owner, data)
    compressed, base = batch.keyframe(owner, data)
    return compressed, batch.settle(base, owner, turn.pk)
