"""Dropping sessions that a project no longer wants to keep, and deleted projects, a few at a time."""

import logging
from datetime import timedelta

from django.utils import timezone

from inspector.store import audit, closing, removal
from inspector.store.models import Project, Session

log = logging.getLogger(__name__)


def drop_old() -> int:
    """Drop what deleted projects held, and sessions without a turn for longer than their project's
    ``retention_days``; how many sessions."""
    total = closing.drop_closed()
    for project in Project.objects.exclude(retention_days=None):
        dropped = _drop(project, project.retention_days or 0)
        if dropped:
            log.info("Retention dropped %d sessions of project %s.", dropped, project.slug)
            audit.note(project, "retention", "session.drop", sessions=dropped, days=project.retention_days)
        total += dropped
    return total


def _drop(project: Project, days: int) -> int:
    before = timezone.now() - timedelta(days=days)
    dropped = 0
    while True:
        old = Session.objects.of(project).filter(last_at__lt=before).order_by("last_at")
        ids = removal.handful(old)
        if not ids:
            return dropped
        dropped += removal.drop_sessions(project, ids, unless_active_since=before)
