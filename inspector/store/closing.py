"""Deleting a whole project: at once for everybody who looks, bit by bit for what it holds."""

import time

from django.db import transaction
from django.utils import timezone

from inspector.store import removal
from inspector.store.models import Key, Member, Project, Session, Share

SETTLED = 60
"""Seconds after which no request that began before can still bring something in."""


def close(project: Project) -> None:
    """From now on nobody gets in: no member, no key, no link. Its short name is free again."""
    with transaction.atomic():
        now = timezone.now()
        Member.objects.filter(project=project).delete()
        Key.objects.filter(project=project, revoked_at=None).update(revoked_at=now)
        Share.objects.filter(project=project).delete()
        Project.objects.filter(pk=project.pk).update(
            slug=f"-{project.pk}", closed_at=now, public_links=False, retention_days=None
        )


def drop_closed(seconds: float | None = None) -> int:
    """Drop what closed projects hold, for at most some seconds; how many sessions went."""
    ends = None if seconds is None else time.monotonic() + seconds
    total = 0
    for project in Project.objects.exclude(closed_at=None).order_by("closed_at"):
        while ids := removal.handful(Session.objects.of(project).order_by("pk")):
            total += removal.drop_sessions(project, ids)
            if ends is not None and time.monotonic() >= ends:
                return total
        if project.closed_at and (timezone.now() - project.closed_at).total_seconds() > SETTLED:
            project.delete()
    return total
