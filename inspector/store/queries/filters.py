"""What a list of sessions may be narrowed by."""

from dataclasses import dataclass
from datetime import datetime

from django.db.models import Exists, OuterRef, Q, QuerySet

from inspector.store.errors import BadQuery
from inspector.store.models import Finding, Project, Session, Turn
from inspector.store.models.fields import storable
from inspector.store.models.session import SessionQuerySet
from inspector.store.terms import matching
from inspector.store.terms.query import MAX_LENGTH, parse

MAX_CHOICES = 200


@dataclass(frozen=True, slots=True)
class Filters:
    """Empty values ask for nothing."""

    q: str = ""
    """Words in its turns, or a part of its key."""
    agent: str = ""
    rule: str = ""
    """A finding's rule."""
    action: str = ""
    """Name of a called action."""
    model: str = ""
    since: datetime | None = None
    """Sessions with a turn received at this time or later."""
    until: datetime | None = None
    """Sessions that began at this time or earlier."""
    severity: str = ""
    """Sessions with a finding this severe."""
    failed: bool | None = None
    """Whether the provider reported an error in one of its turns."""
    session: str = ""
    """Short id of the only session to look in; for searches."""


@dataclass(frozen=True, slots=True)
class Facets:
    """What the filters of a project can be set to."""

    agents: tuple[str, ...]
    rules: tuple[str, ...]
    actions: tuple[str, ...]
    models: tuple[str, ...]


def sessions_matching(project: Project, filters: Filters) -> SessionQuerySet:
    """The sessions of a project that the filters leave. Raises BadQuery."""
    sessions = Session.objects.of(project)
    if filters.session:
        sessions = sessions.filter(short_id=filters.session.replace("\x00", ""))
    if filters.agent:
        sessions = sessions.filter(Exists(_turns(agent=filters.agent)))
    if filters.model:
        sessions = sessions.filter(model_names__has=filters.model)
    if filters.action:
        sessions = sessions.filter(actions__has=filters.action)
    if filters.since is not None:
        sessions = sessions.filter(last_at__gte=filters.since)
    if filters.until is not None:
        sessions = sessions.filter(first_at__lte=filters.until)
    if filters.rule:
        rule = filters.rule.replace("\x00", "")
        spoke = Finding.objects.filter(project=project, rule=rule, session=OuterRef("pk"))
        sessions = sessions.filter(Exists(spoke))
    if filters.severity:
        column = {"error": "errors", "warning": "warnings", "info": "infos"}.get(filters.severity)
        sessions = sessions.filter(**{f"{column}__gt": 0}) if column else sessions.none()
    if filters.failed is not None:
        failed = Exists(_turns(failed=True))
        sessions = sessions.filter(failed if filters.failed else ~failed)
    return sessions.filter(_named(project, filters.q)) if filters.q.strip() else sessions


def _turns(**wanted: str | bool) -> QuerySet[Turn]:
    return Turn.objects.filter(session=OuterRef("pk"), **wanted)


def _named(project: Project, text: str) -> Q:
    """Sessions whose key has the text in it, or of which a turn has its words."""
    text = text.strip()[:MAX_LENGTH]
    # Keys are stored with NUL escaped, and a pattern is not prepared like a value.
    named = Q(key__icontains=storable(text))
    try:
        query = parse(text)
    except BadQuery:
        return named
    return named | Q(pk__in=matching.sessions_matching(project.pk, query))


def facets_of(project: Project) -> Facets:
    """What the project's filters can be set to, looking at its latest sessions."""
    latest = Session.objects.of(project).newest()[:1000]
    agents: set[str] = set()
    actions: set[str] = set()
    models: set[str] = set()
    for agent, called, names in latest.values_list("agent", "actions", "model_names"):
        agents.add(agent)
        actions.update(called)
        models.update(names)
    rules = Finding.objects.filter(project=project).order_by("rule").values_list("rule", flat=True).distinct()
    return Facets(_sorted(agents), tuple(rules[:MAX_CHOICES]), _sorted(actions), _sorted(models))


def _sorted(names: set[str]) -> tuple[str, ...]:
    return tuple(sorted(name for name in names if name))[:MAX_CHOICES]
