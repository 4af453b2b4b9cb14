"""The append-only list of who did what to keys, members, shares and turns."""

from typing import Any

from django.contrib.auth.models import AbstractBaseUser

from inspector.store.models import Audit, Project
from inspector.store.models.fields import storable

MAX_ACTOR = 200


def note(project: Project, actor: AbstractBaseUser | str, action: str, **detail: Any) -> None:
    """Add an entry: who (a person, or a word such as ``retention``), what (``share.create``), and details."""
    name = actor if isinstance(actor, str) else str(actor.get_username())
    safe = {key: storable(value) if isinstance(value, str) else value for key, value in detail.items()}
    Audit.objects.create(project=project, actor=storable(name)[:MAX_ACTOR], action=action, detail=safe)
