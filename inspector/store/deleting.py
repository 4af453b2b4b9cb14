"""Deleting on somebody's behalf: it is done, and the audit says who did it and how much went."""

from django.contrib.auth.models import User

from inspector.store import audit, removal
from inspector.store.models import Session, Turn
from inspector.store.queries.going import Going, going_with_session, going_with_turn


def delete_turn(turn: Turn, by: User, via: str = "") -> Going:
    """Delete a turn with all that came of it; what went. ``via``: what the person used, such as a key."""
    gone = going_with_turn(turn)
    removal.drop_turn(turn)
    audit.note(
        turn.project, by, "turn.delete",
        turn=turn.key, session=turn.session.short_id, bytes=gone.bytes, links=gone.links, via=via,
    )  # fmt: skip
    return gone


def delete_session(session: Session, by: User, via: str = "") -> Going:
    """Delete a session with all its turns; what went."""
    gone = going_with_session(session)
    removal.drop_sessions(session.project, [session.pk])
    audit.note(
        session.project, by, "session.delete",
        session=session.short_id, turns=gone.turns, bytes=gone.bytes, links=gone.links, via=via,
    )  # fmt: skip
    return gone
