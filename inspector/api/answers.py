"""What rows look like from outside. Allow-lists: a column that is not named here is not shown."""

from collections.abc import Mapping
from typing import Any
from urllib.parse import quote

from django.conf import settings
from django.http import HttpRequest

from inspector.store.models import Project, SectionVersion, Session, Share, Turn
from inspector.turns.answer import time_answer


def site(request: HttpRequest) -> str:
    """Where people reach us, without a slash at the end."""
    return str(settings.PUBLIC_URL) or f"{request.scheme}://{request.get_host()}"


def turn_url(request: HttpRequest, project: Project, key: str) -> str:
    """The page of a turn."""
    return f"{site(request)}/p/{project.slug}/t/{quote(key, safe='~:')}/"


def session_url(request: HttpRequest, project: Project, session: Session) -> str:
    """The page of a session."""
    return f"{site(request)}/p/{project.slug}/s/{session.short_id}/"


def place_of(request: HttpRequest, project: Project, turn: Turn) -> dict[str, Any]:
    """How a turn is found again: ``id``, ``session``, ``session_id``, ``seq``, ``url``, ``state``."""
    return {
        "id": turn.key,
        "session": turn.session.key,
        "session_id": turn.session.short_id,
        "seq": turn.seq,
        "url": turn_url(request, project, turn.key),
        "state": turn.state,
    }


def turn_summary(request: HttpRequest, project: Project, turn: Turn) -> dict[str, Any]:
    """A turn in a list: no body, no reading."""
    return place_of(request, project, turn) | {
        "agent": turn.agent or None,
        "parent": turn.parent_key or None,
        "model": turn.model or None,
        "provider": turn.provider or None,
        "wire": turn.wire or None,
        "dialect": _dialect(turn),
        "problem": turn.problem or None,
        "received_at": time_answer(turn.received_at),
        "started_at": time_answer(turn.started_at),
        "ended_at": time_answer(turn.ended_at),
        "tokens": turn.prompt_tokens,
        "chars": turn.prompt_chars,
        "response_tokens": turn.response_tokens,
        "shared_tokens": turn.shared_tokens,
        "findings": counts(turn),
        "calls": turn.calls,
        "tags": turn.tags,
        "failed": turn.failed,
        "bytes": turn.size,
    }


def session_summary(request: HttpRequest, project: Project, session: Session) -> dict[str, Any]:
    """A session in a list."""
    return {
        "id": session.short_id,
        "key": session.key,
        "agent": session.agent or None,
        "turns": session.turn_count,
        "first_at": time_answer(session.first_at),
        "last_at": time_answer(session.last_at),
        "tokens": session.tokens,
        "response_tokens": session.response_tokens,
        "findings": counts(session),
        "actions": session.actions,
        "models": session.model_names,
        "dialects": session.dialects,
        "url": session_url(request, project, session),
    }


def version_answer(request: HttpRequest, project: Project, version: SectionVersion) -> dict[str, Any]:
    """A distinct instructions, actions or format text."""
    first, last = version.first_turn, version.last_turn
    return {
        "kind": version.kind,
        "digest": version.digest,
        "agent": version.agent or None,
        "path": version.path,
        "title": version.title,
        "chars": version.chars,
        "tokens": version.tokens,
        "count": version.count,
        "first_turn": first.key if first else None,
        "last_turn": last.key if last else None,
        "first_at": time_answer(version.first_at),
        "last_at": time_answer(version.last_at),
    }


def share_answer(share: Share) -> dict[str, Any]:
    """A link as its project sees it later: the token is not known any more."""
    return {
        "id": share.pk,
        "scope": share.scope,
        "session_id": share.session.short_id,
        "turn": share.turn.key if share.turn else None,
        "old_turn": share.old_turn.key if share.old_turn else None,
        "prefix": share.prefix,
        "label": share.label,
        "mask": share.mask,
        "created_at": time_answer(share.created_at),
        "expires_at": time_answer(share.expires_at),
        "revoked_at": time_answer(share.revoked_at),
        "views": share.views,
        "last_viewed_at": time_answer(share.last_viewed_at),
    }


def counts(row: Turn | Session) -> Mapping[str, int]:
    """Findings by severity."""
    return {"error": row.errors, "warning": row.warnings, "info": row.infos}


def _dialect(turn: Turn) -> dict[str, str | None] | None:
    return {"name": turn.dialect, "layout": turn.layout or None} if turn.dialect else None
