"""A project's own table of section names: what kind each is of, or that it is no section."""

from collections.abc import Mapping
from typing import Any

from django.contrib.auth.models import User

from inspector.store import audit
from inspector.store.errors import BadKinds
from inspector.store.models import Project
from inspector.turns.dialects.names import words_of
from inspector.turns.turn import KINDS

NONE = "none"
"""Not a section."""
KNOWN = (*KINDS, NONE)
MOST = 200
LONGEST = 200


def checked(table: Any) -> dict[str, str]:
    """The table, names trimmed. Raises BadKinds, which explains."""
    if not isinstance(table, Mapping):
        raise BadKinds(
            'Write an object of names and kinds: {"House rules": "instructions", "Footer": "none"}.', ""
        )
    if len(table) > MOST:
        raise BadKinds(f"A table has at most {MOST} names; this one has {len(table)}.", "")
    found: dict[str, str] = {}
    for given, kind in table.items():
        name = " ".join(given.split())
        if not name or len(name) > LONGEST or not name.isprintable():
            raise BadKinds(f"A name has 1 to {LONGEST} printable characters, unlike {given[:60]!r}.", given)
        if kind not in KNOWN:
            raise BadKinds(f"{str(kind)[:60]!r} is no kind: use {', '.join(KNOWN)}.", given)
        if name in found:
            raise BadKinds(f"{name[:60]!r} is there twice.", given)
        found[name] = kind
    return found


def change(project: Project, table: Any, by: User, via: str = "") -> dict[str, str]:
    """Replace the table; readings from now on use it. Raises BadKinds."""
    new = checked(table)
    if new != project.kinds:
        names = sorted({name for name, _ in {*new.items()} ^ {*project.kinds.items()}})
        project.kinds = new
        project.save(update_fields=["kinds"])
        audit.note(project, by, "kinds.change", names=", ".join(names)[:500], count=len(new), via=via)
    return new


def reading_kinds(project: Project) -> dict[str, str]:
    """As a reading wants it: ``House rules`` also means ``<house-rules>`` and ``HOUSE RULES``."""
    return {words_of(name): kind for name, kind in project.kinds.items()} | dict(project.kinds)
