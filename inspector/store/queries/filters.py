"""What a list of sessions may be narrowed by."""

from dataclasses import dataclass
from datetime import datetime

from django.db.models import Exists, F, OuterRef, Q, QuerySet

from inspector.store.errors import BadQuery
from inspector.store.models import Finding, Project, Session, Turn
from inspector.store.models.fields import storable
from inspector.store.models.session import SessionQuerySet
from inspector.store.terms import matching
from inspector.store.terms.query import MAX_LENGTH, parse

MAX_CHOICES = 200
BROKEN_PREFIX = Q(prompt_tokens__gt=F("shared_tokens") * 2)
"""Turns that share less than half of their prompt with the turn before."""


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
    tag: str = ""
    """``name=value``, or a name or value alone, of a tag of one of its turns."""
    finding: bool = False
    """Sessions with a finding of any severity."""
    broken_prefix: bool = False
    """Sessions with a turn that shares less than half of its prompt with the turn before."""


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
    if filters.finding:
        sessions = sessions.filter(Q(errors__gt=0) | Q(warnings__gt=0) | Q(infos__gt=0))
    if filters.tag:
        sessions = sessions.filter(Exists(_turns().filter(tagged(filters.tag))))
    if filters.broken_prefix:
        sessions = sessions.filter(Exists(_turns().filter(BROKEN_PREFIX)))
    if filters.failed is not None:
        failed = Exists(_turns(failed=True))
        sessions = sessions.filter(failed if filters.failed else ~failed)
    return sessions.filter(_named(project, filters.q)) if filters.q.strip() else sessions


def turns_matching(project: Project, filters: Filters) -> QuerySet[Turn]:
    """The very turns that the filters mean, latest first; the text is looked for in keys of sessions and
    words of turns. Raises BadQuery."""
    turns = Turn.objects.filter(project=project).select_related("session").order_by("-pk")
    text = ("agent", filters.agent), ("model", filters.model), ("session__short_id", filters.session)
    turns = turns.filter(**{name: value.replace("\x00", "") for name, value in text if value})
    if filters.action:
        turns = turns.filter(calls__has=filters.action)
    if filters.tag:
        turns = turns.filter(tagged(filters.tag))
    if filters.since is not None:
        turns = turns.filter(received_at__gte=filters.since)
    if filters.until is not None:
        turns = turns.filter(received_at__lte=filters.until)
    if filters.rule:
        rule = filters.rule.replace("\x00", "")
        turns = turns.filter(Exists(Finding.objects.filter(rule=rule, turn=OuterRef("pk"))))
    if column := {"error": "errors", "warning": "warnings", "info": "infos"}.get(filters.severity):
        turns = turns.filter(**{f"{column}__gt": 0})
    if filters.finding:
        turns = turns.filter(Q(errors__gt=0) | Q(warnings__gt=0) | Q(infos__gt=0))
    if filters.broken_prefix:
        turns = turns.filter(BROKEN_PREFIX)
    if filters.failed is not None:
        turns = turns.filter(failed=filters.failed)
    return turns.filter(session__in=_with_text(project, filters)) if filters.q.strip() else turns


def _with_text(project: Project, filters: Filters) -> QuerySet[Session]:
    return Session.objects.of(project).filter(_named(project, filters.q))


def tagged(tag: str) -> Q:
    """Turns with this tag: ``name=value``, or one of the two."""
    name, equals, value = tag.partition("=")
    return Q(tags__has_pair=(name, value)) if equals else Q(tags__has=tag)


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
