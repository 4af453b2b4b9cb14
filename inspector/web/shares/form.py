"""The form that makes a link: what can be shown, for how long, what is masked."""

from dataclasses import dataclass
from typing import Any

from django.http import QueryDict

from inspector.sharing.links import most_days
from inspector.store.errors import NotFound
from inspector.store.models import Project, Session
from inspector.store.models import Turn as Row
from inspector.store.queries import session_in, turn_in
from inspector.store.queries.turns import before
from inspector.store.readings import read_turn_of

DAYS = (1, 7, 30, 90)
MASKS = (("secrets", "Secrets"), ("emails", "E-mail addresses"))


@dataclass(frozen=True, slots=True)
class Subject:
    """What the form is about."""

    project: Project
    session: Session
    turn: Row | None
    old_turn: Row | None
    section: str
    """Path; empty when no section is meant."""


def text(data: QueryDict, name: str) -> str:
    """A field as text; empty when it is not there."""
    value = data.get(name, "")
    return value if isinstance(value, str) else ""


def subject_of(project: Project, data: QueryDict) -> Subject:
    """The things named in an address or a form, all of this project. Raises NotFound."""
    turn = turn_in(project, key) if (key := text(data, "turn")) else None
    old = turn_in(project, key) if (key := text(data, "old_turn")) else None
    if turn is None and not text(data, "session"):
        raise NotFound("Say what to share.")
    session = turn.session if turn is not None else session_in(project, text(data, "session"))
    section = text(data, "section")
    if turn is not None and section.isascii() and section.isdigit() and len(section) < 9:
        sections = read_turn_of(turn).reading.sections
        section = sections[int(section)].path if int(section) < len(sections) else ""
    return Subject(project, session, turn, old or (before(turn) if turn is not None else None), section)


def scopes_of(subject: Subject, chosen: str) -> list[dict[str, Any]]:
    """What can be shown, the smallest first."""
    found: list[tuple[str, str]] = []
    if subject.turn is not None and subject.section:
        found.append(("section", f"Section: {subject.section[:60]}"))
    if subject.turn is not None:
        found.append(("turn", f"Turn {subject.turn.seq}"))
    if subject.turn is not None and subject.old_turn is not None:
        found.append(("comparison", f"Comparison {subject.old_turn.seq} → {subject.turn.seq}"))
    found.append(("session", f"Whole session, {subject.session.turn_count} turns until now"))
    names = [name for name, _ in found]
    pick = chosen if chosen in names else names[0]
    return [{"value": name, "name": words, "chosen": name == pick} for name, words in found]


def form_of(subject: Subject, data: QueryDict, problem: str = "") -> dict[str, Any]:
    """What the template needs."""
    days = text(data, "days") or "7"
    masks = data.getlist("mask") if data.get("label") is not None else [name for name, _ in MASKS]
    scope = text(data, "scope") or ("section" if subject.section else "turn" if subject.turn else "session")
    return {
        "session": subject.session.short_id,
        "turn": subject.turn.key if subject.turn else "",
        "old_turn": subject.old_turn.key if subject.old_turn else "",
        "section": subject.section,
        "scopes": scopes_of(subject, scope),
        "expiries": [
            {"value": str(each), "name": f"{each} day{'' if each == 1 else 's'}", "chosen": str(each) == days}
            for each in DAYS
            if each <= most_days()
        ],
        "masks": [{"value": name, "name": words, "chosen": name in masks} for name, words in MASKS],
        "label": text(data, "label"),
        "problem": problem,
    }
