"""Whether anything came since a page was made: the row id of the latest turn is the cursor."""

from inspector.store.models import Project, Session, Turn

MOST = 100
"""Counting stops here."""


def latest(project: Project, session: Session | None = None) -> int:
    """The cursor of now."""
    turns = Turn.objects.filter(project=project)
    if session is not None:
        turns = turns.filter(session=session)
    return turns.order_by("-pk").values_list("pk", flat=True).first() or 0


def newer(project: Project, after: int, session: Session | None = None) -> int:
    """How many turns came after the cursor."""
    turns = Turn.objects.filter(project=project, pk__gt=after)
    if session is not None:
        turns = turns.filter(session=session)
    return turns[:MOST].count()
