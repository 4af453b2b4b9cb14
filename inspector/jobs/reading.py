"""Reading what is due. The tables alone say what that is: any number of workers may ask at any time.

A worker leases whole sessions, since each turn is read against the ones before it; different sessions go in
parallel. A lease that runs out, because its worker died, is simply taken over. Attempts are counted before
they are made: a turn that kills its worker is tried alone after that, and given up after MAX_ATTEMPTS.
"""

import logging
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from itertools import groupby

from django.db import DatabaseError, connection, transaction
from django.db.models import F
from django.utils import timezone

from inspector.jobs import history, times
from inspector.store import outlines, readings
from inspector.store.errors import Damaged
from inspector.store.kinds import reading_kinds
from inspector.store.models import Project, Session
from inspector.store.models import Turn as Row
from inspector.store.readings import made as made_turn
from inspector.store.recent import Recent
from inspector.store.saving import Failed, Link, Made, save
from inspector.store.terms.chunks import chunks_of
from inspector.store.terms.stretches import new_text
from inspector.turns.errors import TurnError
from inspector.turns.memo import RecentMemo
from inspector.turns.read import read_turn
from inspector.turns.results import link, posted, with_results
from inspector.turns.turn import ReadTurn, Turn

log = logging.getLogger(__name__)

BATCH = 64
MAX_ATTEMPTS = 3
MAX_BATCH_BYTES = 16 * 1024 * 1024
"""Records of one batch; a larger single record is a batch of its own."""


@dataclass(slots=True)
class _Claim:
    """A leased session and its turns to read, in order."""

    session: Session
    rows: list[Row]


def read_due(limit: int = BATCH) -> int:
    """Read up to ``limit`` turns that are due, new ones first, then the oldest; how many were dealt with."""
    return _read(_claim(limit, None))


def read(turn_ids: Sequence[int]) -> int:
    """Read what is due in the sessions of these turns; nothing if others are at it."""
    asked = Row.objects.filter(pk__in=turn_ids, due=True)
    session_ids = sorted(set(asked.values_list("session_id", flat=True)))
    # What came meanwhile to a session that was leased had nobody to hear its hint: so look again.
    return _while_there_is(lambda: _read(_claim(BATCH, session_ids))) if session_ids else 0


def sweep() -> int:
    """Read what is due and nobody reads, for a while; how many."""
    return _while_there_is(read_due)


def take_over() -> None:
    """End the leases of workers that died. Only for a worker that knows to be the only one."""
    Session.objects.exclude(leased_until=None).update(leased_until=None)


def _while_there_is(work: Callable[[], int]) -> int:
    ends = time.monotonic() + times.EAGER
    total = 0
    while (count := work()) and time.monotonic() < ends:
        total += count
    return total + count


def forget() -> None:
    """Forget all that this process remembers for faster reading."""
    history.forget()
    _memos.clear()


# ---------------------------------------------------------------- claiming


def _claim(limit: int, session_ids: Sequence[int] | None) -> list[_Claim]:
    now = timezone.now()
    with transaction.atomic():
        leased = _lease(now, limit, session_ids, again=False) or _lease(now, limit, session_ids, again=True)
        if not leased:
            return []
        rows = Row.objects.filter(session_id__in=leased, due=True).order_by("session_id", "seq")
        claims = _chosen(leased, list(rows[:limit]), limit)
        ids = [row.pk for claim in claims for row in claim.rows]
        Row.objects.filter(pk__in=ids).update(attempts=F("attempts") + 1)
        idle = set(leased) - {claim.session.pk for claim in claims}
        if idle:
            Session.objects.filter(pk__in=idle).update(leased_until=None)
    for claim in claims:
        for row in claim.rows:
            row.attempts += 1
    return claims


def _lease(
    now: datetime, limit: int, session_ids: Sequence[int] | None, *, again: bool
) -> dict[int, Session]:
    """Sessions with something due that nobody works on: ours until the lease ends.

    ``again``: due only to be read anew. What is new must not wait for that, so it is asked for first.
    """
    among = "AND t.again" if again else "AND NOT t.again"
    stamp = connection.ops.adapt_datetimefield_value
    until = now + timedelta(seconds=times.LEASE)
    values: list[str | int | datetime | None] = [stamp(until), stamp(now)]
    if session_ids is not None:
        among += f" AND t.session_id IN ({', '.join(['%s'] * len(session_ids))})"
        values.extend(session_ids)
    lock = "FOR UPDATE OF s SKIP LOCKED" if connection.vendor == "postgresql" else ""
    statement = f"""
        UPDATE inspector_session SET leased_until = %s WHERE id IN (
            SELECT s.id FROM inspector_turn t JOIN inspector_session s ON s.id = t.session_id
            WHERE t.due AND (s.leased_until IS NULL OR s.leased_until < %s) {among}
            ORDER BY t.id LIMIT %s {lock}
        ) RETURNING id"""  # noqa: S608
    with connection.cursor() as cursor:
        cursor.execute(statement, [*values, limit])
        ids = [row[0] for row in cursor.fetchall()]
    sessions = Session.objects.select_related("project").in_bulk(ids)
    for session in sessions.values():
        session.leased_until = until
    return sessions


def _chosen(leased: dict[int, Session], rows: list[Row], limit: int) -> list[_Claim]:
    """The turns to read now: of each session those in front; one that failed before goes alone."""
    claims: list[_Claim] = []
    held = count = 0
    for session_id, due in groupby(rows, key=lambda row: row.session_id):
        taken: list[Row] = []
        for row in due:
            is_full = count >= limit or (count > 0 and held + row.size > MAX_BATCH_BYTES)
            if is_full or (row.attempts > 0 and taken):
                break
            taken.append(row)
            held, count = held + row.size, count + 1
            if row.attempts > 0:
                break
        if taken:
            claims.append(_Claim(leased[session_id], taken))
    return claims


# ---------------------------------------------------------------- reading


def _read(claims: list[_Claim]) -> int:
    made: list[Made] = []
    failed: list[Failed] = []
    kept: dict[int, history.History] = {}
    for claim in claims:
        known = _read_session(claim, made, failed)
        if known is not None:
            kept[claim.session.pk] = known
    if not claims:
        return 0
    leases = {claim.session.pk: claim.session.leased_until for claim in claims}
    try:
        saved = save({pk: until for pk, until in leases.items() if until is not None}, made, failed)
    except BaseException:
        _give_back(claims)
        raise
    for pk, known in kept.items():
        if pk in saved:
            history.remember(pk, known)
    return sum(len(claim.rows) for claim in claims if claim.session.pk in saved)


def _give_back(claims: list[_Claim]) -> None:
    """Saving failed: what was read is due again at once, and the attempt does not count."""
    try:
        for claim in claims:
            leased = Session.objects.filter(pk=claim.session.pk, leased_until=claim.session.leased_until)
            if leased.update(leased_until=None):
                ids = [row.pk for row in claim.rows]
                Row.objects.filter(pk__in=ids, attempts__gt=0).update(attempts=F("attempts") - 1)
    except DatabaseError:
        log.warning("Leases could not be given back; they run out by themselves.")


def _read_session(claim: _Claim, made: list[Made], failed: list[Failed]) -> history.History | None:
    """Read a session's turns one after the other; a failure that may pass holds up the ones behind it."""
    known: history.History | None = None
    for row, data, parts in _posted(claim, failed):
        if known is None or known.seq != row.seq - 1:
            known = history.before(claim.session, row)
        try:
            made.append(_made(claim.session.project, row, data, made_turn(data, parts), known))
        except TurnError as error:
            failed.append(Failed(row, str(error), final=True))
        except Exception as error:
            log.exception("Reading turn %s failed (attempt %d).", row.key, row.attempts)
            final = row.attempts >= MAX_ATTEMPTS
            failed.append(Failed(row, f"Reading failed: {type(error).__name__}: {error}", final))
            if not final:
                return None
        known.seq = row.seq
    return known


def _posted(claim: _Claim, failed: list[Failed]) -> list[tuple[Row, bytes, list[tuple[str, bytes]]]]:
    rows = []
    for row in claim.rows:
        if row.attempts > MAX_ATTEMPTS:
            problem = f"Reading was tried {MAX_ATTEMPTS} times and ended the worker each time."
            failed.append(Failed(row, problem, final=True))
        else:
            rows.append(row)
    try:
        return readings.posted(rows)
    except Damaged:
        return [one for row in rows for one in _posted_alone(row, failed)]


def _posted_alone(row: Row, failed: list[Failed]) -> list[tuple[Row, bytes, list[tuple[str, bytes]]]]:
    try:
        return readings.posted([row])
    except Damaged as error:
        failed.append(Failed(row, str(error), final=True))
        return []


def _made(project: Project, row: Row, data: bytes, turn: Turn, known: history.History) -> Made:
    thread = known.thread(row)
    turn = replace(turn, id=row.key)
    reading = read_turn(turn, thread.earlier, _memo(project), reading_kinds(project), id=row.key, seq=row.seq)
    own = posted(turn, reading.response)
    shown = link(thread.earlier, ReadTurn(row.key, row.seq, turn, reading)) if thread.earlier else ()
    one = Made(
        row=row,
        turn=turn,
        reading=reading,
        document=outlines.written(reading),
        after=thread.outline,
        posted=tuple(Link(row.pk, found.call_index, found.result) for found in own),
        shown=tuple(
            Link(thread.ids[found.turn_id], found.call_index, found.result)
            for found in shown
            if found.turn_id in thread.ids
        ),
        chunks=chunks_of(new_text(turn, reading, thread.earlier[-1].turn if thread.earlier else None), data),
    )
    # What the next turn compresses against is looked up when it is saved, after this one.
    one.after = thread.pending or _constant(thread.prior)
    thread.link(shown)
    complete = with_results(reading, [(found.call_index, found.result) for found in own])
    thread.append(row, ReadTurn(row.key, row.seq, turn, complete), lambda: one.prior)
    return one


def _constant(prior: outlines.Prior | None) -> Callable[[], outlines.Prior | None]:
    return lambda: prior


_memos: Recent[tuple[int, str], RecentMemo] = Recent(8, 1)
"""What depends on a text alone is worked out once a project and process."""


def _memo(project: Project) -> RecentMemo:
    key = (project.pk, project.slug)
    memo = _memos.get(key)
    if memo is None:
        memo = RecentMemo()
        _memos.put(key, memo, 1)
    return memo
