"""Saving readings: all that follows from a batch of them, in one transaction."""

import json
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from django.db import connection, transaction
from django.db.models import Sum

from inspector.store import outlines, versions
from inspector.store.inserts import Insert
from inspector.store.models import Finding, ResultLink, Session
from inspector.store.models import Turn as Row
from inspector.store.outlines import Prior
from inspector.store.readings import packed
from inspector.store.terms import index
from inspector.store.terms.chunks import Chunk
from inspector.turns.turn import SEVERITIES, Reading, Result, Severity, Turn

MAX_INTEGER = 2**31 - 1
MAX_CALLS = 100
MAX_NAME = 200
MAX_PROBLEM = 2_000


@dataclass(frozen=True, slots=True)
class Link:
    """A result found for a call of an earlier turn, or posted for one of its own."""

    turn_id: int
    call: int
    result: Result


@dataclass(slots=True)
class Made:
    """A turn that was read; ``prior`` is set once it is saved."""

    row: Row
    turn: Turn
    reading: Reading
    document: bytes
    after: Callable[[], Prior | None]
    """The outline to compress against, known when this one is saved."""
    posted: tuple[Link, ...] = ()
    shown: tuple[Link, ...] = ()
    chunks: Sequence[Chunk] = ()
    """What search finds it by."""
    prior: Prior | None = None
    again: bool = field(init=False)
    """Whether it had been read before."""

    def __post_init__(self) -> None:
        """Saving changes the row, so this is noted first."""
        self.again = self.row.read_with > 0


@dataclass(frozen=True, slots=True)
class Failed:
    """A turn that could not be read; ``final`` when no further attempt is made."""

    row: Row
    problem: str
    final: bool


def save(leases: dict[int, datetime], made: Sequence[Made], failed: Sequence[Failed] = ()) -> set[int]:
    """Save what came of the turns of leased sessions, and give the leases back.

    ``leases``: session id → the moment that is our token. A session whose lease another worker has taken is
    left out. The answer is the ids of the sessions that were saved.
    """
    with transaction.atomic():
        sessions = {session.pk: session for session in _locked(leases)}
        ours = [one for one in made if one.row.session_id in sessions]
        again = [one.row.pk for one in ours if one.again]
        if again:
            _take_out(again)
        _save_outlines(ours)
        _save_turns(ours)
        _save_failures([one for one in failed if one.row.session_id in sessions])
        _save_findings(ours)
        _save_links(ours)
        index.put([(one.row, one.chunks) for one in ours])
        versions.count([(one.row, one.reading) for one in ours])
        _ask_successors(ours)
        _save_sessions(sessions, ours)
    return set(sessions)


def _locked(leases: dict[int, datetime]) -> list[Session]:
    sessions = Session.objects.select_for_update().filter(pk__in=sorted(leases)).order_by("pk")
    return [session for session in sessions if session.leased_until == leases[session.pk]]


def _take_out(turn_ids: list[int]) -> None:
    """Remove what the readings before left in other tables."""
    versions.discount(turn_ids)
    outlines.retire(turn_ids)
    Finding.objects.filter(turn_id__in=turn_ids).delete()
    index.take_out(turn_ids)


def _save_outlines(made: Sequence[Made]) -> None:
    keeper = outlines.Keeper(len(made))
    for one in made:
        one.prior = keeper.keep(one.row, one.document, one.after())
    keeper.store()


_UPDATE = """
UPDATE inspector_turn SET agent = %s, model = %s, provider = %s, wire = %s, dialect = %s, layout = %s,
    state = 'read', problem = '', started_at = %s, ended_at = %s, prompt_tokens = %s, prompt_chars = %s,
    response_tokens = %s, shared_tokens = %s, errors = %s, warnings = %s, infos = %s, calls = %s, tags = %s,
    failed = %s, due = (asked <> %s), again = FALSE, answered = %s, attempts = 0, read_with = %s
WHERE id = %s
"""


def _save_turns(made: Sequence[Made]) -> None:
    """Set the columns on the rows too: whoever holds one sees what was saved."""
    values = []
    for one in made:
        row = one.row
        _fill(row, one.turn, one.reading)
        stored = [_prepared(row, name) for name in _COLUMNS]
        values.append([*stored, row.asked, row.asked, row.read_with, row.pk])
    if values:
        with connection.cursor() as cursor:
            cursor.executemany(_UPDATE, values)


_COLUMNS = (
    *("agent", "model", "provider", "wire", "dialect", "layout", "started_at", "ended_at"),
    *("prompt_tokens", "prompt_chars", "response_tokens", "shared_tokens", "errors", "warnings", "infos"),
    *("calls", "tags", "failed"),
)
_FIELDS = {name: Row._meta.get_field(name) for name in _COLUMNS}


def _prepared(row: Row, name: str) -> Any:
    value: Any = _FIELDS[name].get_db_prep_save(getattr(row, name), connection)  # type: ignore[union-attr]
    return value


def _fill(row: Row, turn: Turn, reading: Reading) -> None:
    response, since = reading.response, reading.since_previous
    counts = Counter(finding.severity for finding in reading.findings)
    row.errors, row.warnings, row.infos = (counts[severity] for severity in SEVERITIES)
    row.agent = row.agent or (turn.agent or "")[:MAX_NAME]
    row.model, row.provider = (turn.model or "")[:MAX_NAME], (turn.provider or "")[:MAX_NAME]
    row.wire, row.dialect, row.layout = turn.wire[:40], reading.dialect[:40], (reading.layout or "")[:40]
    row.started_at, row.ended_at = turn.started_at, turn.ended_at
    row.prompt_tokens = min(reading.tokens, MAX_INTEGER)
    row.prompt_chars = min(reading.chars, MAX_INTEGER)
    row.response_tokens = min(response.tokens, MAX_INTEGER) if response else 0
    row.shared_tokens = min(since.prefix.shared_tokens, MAX_INTEGER) if since else None
    row.calls = [call.name[:MAX_NAME] for call in response.calls[:MAX_CALLS]] if response else []
    row.tags = dict(turn.tags)
    row.failed = turn.error is not None
    row.state, row.problem, row.read_with = Row.State.READ, "", reading.read_with


def _save_failures(failed: Sequence[Failed]) -> None:
    for one in failed:
        row = one.row
        row.problem = one.problem[:MAX_PROBLEM]
        if one.final:
            row.state, row.answered = Row.State.UNREADABLE, row.asked
            # A part that came meanwhile deserves attempts of its own.
            Row.objects.filter(pk=row.pk, asked=row.asked).update(due=False)
        row.save(update_fields=["problem", "state", "answered"])


def _save_findings(made: Sequence[Made]) -> None:
    rows: list[tuple[int, int, int, str, str, int]] = []
    for one in made:
        totals: dict[str, tuple[Severity, int]] = {}
        for finding in one.reading.findings:
            severity, count = totals.get(finding.rule, (finding.severity, 0))
            totals[finding.rule] = min(severity, finding.severity, key=SEVERITIES.index), count + 1
        turn = one.row
        own = turn.project_id, turn.session_id, turn.pk
        rows.extend((*own, rule[:40], severity, count) for rule, (severity, count) in totals.items())
    _INSERT_FINDINGS(rows)


_INSERT_FINDINGS = Insert(Finding, ("project_id", "session_id", "turn_id", "rule", "severity", "count"))


def _save_links(made: Sequence[Made]) -> None:
    for one in made:
        if one.again or one.row.asked:
            ResultLink.objects.filter(turn_id=one.row.pk, shown_by=None).delete()
            ResultLink.objects.filter(shown_by_id=one.row.pk).delete()
    _drop_later({(link.turn_id, link.call) for one in made for link in one.shown})
    _INSERT_LINKS(
        [
            (link.turn_id, link.call, by, packed(link.result))
            for one in made
            for by, links in ((None, one.posted), (one.row.pk, one.shown))
            for link in links
        ]
    )


_INSERT_LINKS = Insert(ResultLink, ("turn_id", "call", "shown_by_id", "data"))


def _drop_later(calls: set[tuple[int, int]]) -> None:
    """A turn further on was read first: the first to show a result counts."""
    if not calls:
        return
    shown = ResultLink.objects.filter(turn_id__in={turn_id for turn_id, _ in calls}).exclude(shown_by=None)
    known = shown.values_list("pk", "turn_id", "call")
    later = [pk for pk, turn_id, call in known if (turn_id, call) in calls]
    if later:
        ResultLink.objects.filter(pk__in=later).delete()


def _ask_successors(made: Iterable[Made]) -> None:
    """A turn whose content changed after it was read: the next one was compared with the old content."""
    for one in made:
        row = one.row
        if not (one.again and row.asked != row.answered):
            continue
        same = Row.objects.filter(session_id=row.session_id, agent=row.agent, parent_key=row.parent_key)
        after = same.filter(seq__gt=row.seq).order_by("seq").values_list("pk", flat=True).first()
        if after is not None:
            Row.objects.filter(pk=after, due=False).update(due=True, again=False, attempts=0)


def _save_sessions(sessions: dict[int, Session], made: Sequence[Made]) -> None:
    recounted = {one.row.session_id for one in made if one.again}
    for one in made:
        session, row = sessions[one.row.session_id], one.row
        session.model_names = _with(session.model_names, [row.model])
        session.actions = _with(session.actions, row.calls)
        session.dialects = _with(session.dialects, [row.dialect])
        for total, column in _TOTALS.items():
            setattr(session, total, getattr(session, total) + getattr(row, column))
    values = []
    for session in sessions.values():
        session.leased_until = None
        if session.pk in recounted:
            recount(session)
        names = [json.dumps(listed) for listed in (session.model_names, session.actions, session.dialects)]
        values.append([*names, *(getattr(session, total) for total in _TOTALS), session.pk])
    if values:
        with connection.cursor() as cursor:
            cursor.executemany(_UPDATE_SESSION, values)


_TOTALS = {
    "tokens": "prompt_tokens",
    "response_tokens": "response_tokens",
    "errors": "errors",
    "warnings": "warnings",
    "infos": "infos",
}


_UPDATE_SESSION = """
UPDATE inspector_session SET leased_until = NULL, model_names = %s, actions = %s, dialects = %s,
    tokens = %s, response_tokens = %s, errors = %s, warnings = %s, infos = %s
WHERE id = %s
"""


def recount(session: Session) -> None:
    """Set a session's totals from its turns' columns; the caller saves."""
    sums = Row.objects.filter(session=session).aggregate(
        **{total: Sum(column) for total, column in _TOTALS.items()}
    )
    for total, value in sums.items():
        setattr(session, total, value or 0)


def named(names: Iterable[str]) -> list[str]:
    """Names as a session's columns keep them."""
    return sorted({name for name in names if name})[:MAX_CALLS]


def _with(names: list[str], more: Iterable[str]) -> list[str]:
    new = {name for name in more if name} - set(names)
    return named([*names, *new]) if new else names
