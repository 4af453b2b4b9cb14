"""What would go with turns that are about to be deleted."""

from dataclasses import dataclass

from django.db.models import Count, Q, QuerySet, Sum
from django.utils import timezone

from inspector.store.models import Project, Session, Share, Turn


@dataclass(frozen=True, slots=True)
class Going:
    """How much it is."""

    turns: int
    bytes: int
    """Of their records, as posted."""
    findings: int
    links: int
    """Shared links that still open."""


def going_with_turn(turn: Turn) -> Going:
    """One turn; a session that has no other goes too."""
    shares = Share.objects.filter(Q(turn=turn) | Q(old_turn=turn), project=turn.project_id)
    return _going(Turn.objects.filter(pk=turn.pk), shares)


def going_with_session(session: Session) -> Going:
    """A session with all its turns."""
    return _going(Turn.objects.filter(session=session), Share.objects.filter(session=session))


def going_with_project(project: Project) -> Going:
    """Everything that a project holds."""
    return _going(Turn.objects.filter(project=project), Share.objects.filter(project=project))


def _going(turns: QuerySet[Turn], shares: QuerySet[Share]) -> Going:
    totals = ("size", "errors", "warnings", "infos")
    counted = turns.aggregate(count=Count("pk"), **{f"all_{name}": Sum(name) for name in totals})
    size, *found = (counted[f"all_{name}"] or 0 for name in totals)
    links = shares.filter(revoked_at=None, expires_at__gt=timezone.now()).count()
    return Going(counted["count"], size, sum(found), links)
