"""Turns join sessions here: one statement finds or makes the session and gives out places in it."""

import secrets
from datetime import datetime

from django.db import connection

from inspector.store.inserts import insert
from inspector.store.models import Session
from inspector.store.models.fields import storable

_LETTERS = "0123456789ABCDEFGHJKMNPQRSTVWXYZabcdefghjkmnpqrstvwxyz"

_JOIN = """
INSERT INTO inspector_session
    (project_id, key, alone, short_id, agent, turn_count, last_seq, first_at, last_at,
     tokens, response_tokens, errors, warnings, infos, model_names, actions, dialects, revised)
VALUES (%s, %s, %s, %s, %s, %s, %s, %s, %s, 0, 0, 0, 0, 0, '[]', '[]', '[]', 0)
ON CONFLICT (project_id, key) WHERE {joinable} DO UPDATE SET
    turn_count = inspector_session.turn_count + excluded.turn_count,
    last_seq = inspector_session.last_seq + excluded.last_seq,
    last_at = CASE WHEN excluded.last_at > inspector_session.last_at
              THEN excluded.last_at ELSE inspector_session.last_at END,
    agent = CASE WHEN inspector_session.agent = '' THEN excluded.agent ELSE inspector_session.agent END
RETURNING id, short_id, agent, turn_count, last_seq, revised
"""


_JOINABLE = {"sqlite": "alone = 0", "postgresql": "NOT alone"}
"""The condition of the unique index, as Django wrote it."""


def short_id() -> str:
    """A session's short id for paths: 12 characters, 69 random bits."""
    return "".join(secrets.choice(_LETTERS) for _ in range(12))


def join(project_id: int, key: str, agent: str, count: int, now: datetime) -> Session:
    """Make room for ``count`` more turns; their places end at the answer's ``last_seq``.

    Locks the session's row until the transaction ends.
    """
    at = connection.ops.adapt_datetimefield_value(now)
    values: list[str | int | None] = [
        project_id,
        storable(key),
        False,
        short_id(),
        storable(agent),
        count,
        count,
        at,
        at,
    ]
    with connection.cursor() as cursor:
        cursor.execute(_JOIN.format(joinable=_JOINABLE[connection.vendor]), values)
        pk, short, first_agent, turns, last_seq, revised = cursor.fetchone()
    return Session(
        id=pk,
        project_id=project_id,
        key=key,
        short_id=short,
        agent=first_agent,
        turn_count=turns,
        last_seq=last_seq,
        revised=revised,
        first_at=now,
        last_at=now,
    )


def start_alone(project_id: int, turn_key: str, agent: str, now: datetime) -> Session:
    """A session of one turn that was posted without a session."""
    session = Session(
        project_id=project_id,
        key=turn_key,
        alone=True,
        short_id=short_id(),
        agent=agent,
        turn_count=1,
        last_seq=1,
        first_at=now,
        last_at=now,
    )
    insert(session)
    return session
