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

BROKEN_PREFIX = Q(prompt_tokens__gt=F("shared_tokens") * 2)
"""Turns that share less than half of their prompt with the turn before."""
COUNTED = {
    "finding": Q(errors__gt=0) | Q(warnings__gt=0) | Q(infos__gt=0),
    "error": Q(errors__gt=0),
    "warning": Q(warnings__gt=0),
    "info": Q(infos__gt=0),
}
"""What sessions and turns have columns for."""
HAS = COUNTED | {"broken-prefix": BROKEN_PREFIX, "failure": Q(failed=True)}
"""What a turn may have: findings, a broken prefix, an error that the provider reported."""


@dataclass(frozen=True, slots=True)
class Filters:
    """Empty values ask for nothing; all of several must hold."""

    q: str = ""
    """Words in its turns, or a part of its key."""
    agent: str = ""
    model: str = ""
    session: str = ""
    """Short id or key of the only session to look in."""
    rules: tuple[str, ...] = ()
    """Rules of its findings."""
    actions: tuple[str, ...] = ()
    """Names of called actions."""
    tags: tuple[str, ...] = ()
    """``name=value``, or a name or value alone, of tags of its turns."""
    has: tuple[str, ...] = ()
    """Of ``HAS``."""
    since: datetime | None = None
    """Sessions with a turn received at this time or later."""
    until: datetime | None = None
    """Sessions that began at this time or earlier."""


def sessions_matching(project: Project, filters: Filters) -> SessionQuerySet:
    """The sessions of a project that the filters leave. Raises BadQuery."""
    sessions = Session.objects.of(project)
    if filters.session:
        sessions = sessions.filter(_is_session(filters.session))
    if filters.agent:
        sessions = sessions.filter(Exists(_turns(agent=filters.agent)))
    if filters.model:
        sessions = sessions.filter(model_names__has=filters.model)
    for action in filters.actions:
        sessions = sessions.filter(actions__has=action)
    if filters.since is not None:
        sessions = sessions.filter(last_at__gte=filters.since)
    if filters.until is not None:
        sessions = sessions.filter(first_at__lte=filters.until)
    for rule in filters.rules:
        spoke = Finding.objects.filter(project=project, rule=storable(rule), session=OuterRef("pk"))
        sessions = sessions.filter(Exists(spoke))
    for tag in filters.tags:
        sessions = sessions.filter(Exists(_turns().filter(tagged(tag))))
    for name in filters.has:
        test = COUNTED.get(name)
        sessions = sessions.filter(test if test is not None else Exists(_turns().filter(HAS[name])))
    return sessions.filter(_named(project, filters.q)) if filters.q.strip() else sessions


def turns_matching(project: Project, filters: Filters) -> QuerySet[Turn]:
    """The very turns that the filters mean, latest first; the text is looked for in keys of sessions and
    words of turns. Raises BadQuery."""
    turns = Turn.objects.filter(project=project).select_related("session").order_by("-pk")
    if filters.session:
        turns = turns.filter(_is_session(filters.session, "session__"))
    if filters.agent:
        turns = turns.filter(agent=filters.agent)
    if filters.model:
        turns = turns.filter(model=filters.model)
    for action in filters.actions:
        turns = turns.filter(calls__has=action)
    for tag in filters.tags:
        turns = turns.filter(tagged(tag))
    if filters.since is not None:
        turns = turns.filter(received_at__gte=filters.since)
    if filters.until is not None:
        turns = turns.filter(received_at__lte=filters.until)
    for rule in filters.rules:
        turns = turns.filter(Exists(Finding.objects.filter(rule=storable(rule), turn=OuterRef("pk"))))
    for name in filters.has:
        turns = turns.filter(HAS[name])
    return turns.filter(session__in=_with_text(project, filters)) if filters.q.strip() else turns


def _is_session(name: str, way: str = "") -> Q:
    """Sessions that people call by this key, or by the short id of their address."""
    return Q(**{f"{way}short_id": storable(name)}) | Q(**{f"{way}key": name})


def _with_text(project: Project, filters: Filters) -> QuerySet[Session]:
    return Session.objects.of(project).filter(_named(project, filters.q))


def tagged(tag: str) -> Q:
    """Turns with this tag: ``name=value``, or one of the two."""
    name, equals, value = tag.partition("=")
    return Q(tags__has_pair=(name, value)) if equals else Q(tags__has=tag)


def _turns(**wanted: str) -> QuerySet[Turn]:
    return Turn.objects.filter(session=OuterRef("pk"), **wanted)


def _named(project: Project, text: str) -> Q:
    """Sessions whose key has the text in it, or of which a turn has its words."""
    text = text.strip()
    if len(text) > MAX_LENGTH:
        raise BadQuery(f"A search has at most {MAX_LENGTH} characters; this one has {len(text)}.")
    # Keys are stored with NUL escaped, and a pattern is not prepared like a value.
    named = Q(key__icontains=storable(text))
    try:
        query = parse(text)
    except BadQuery:
        return named
    return named | Q(pk__in=matching.sessions_matching(project.pk, query))
