"""Who comes by in these tests, and a way to post turns and have them read at once."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.contrib.auth.models import User
from django.test import Client

from inspector.ingest.intake import record
from inspector.ingest.posted import Posted
from inspector.jobs.reading import read_due
from inspector.store.models import Member, Project, Turn

ROLES = ("owner", "member", "viewer")


@dataclass(frozen=True, slots=True)
class Cast:
    """A project with its people, and a stranger who has a project of his own."""

    project: Project
    other: Project
    owner: Client
    member: Client
    viewer: Client
    stranger: Client
    anonymous: Client

    def post(self, payload: Mapping[str, Any], *, read: bool = True, project: Project | None = None) -> Turn:
        """Post one turn; it comes back with its session."""
        data = json.dumps(payload).encode()
        (outcome,) = record(project or self.project, [Posted(data, payload)])
        assert outcome.place is not None, outcome.error
        while read and read_due():
            pass
        return Turn.objects.select_related("session", "project").get(pk=outcome.place.turn_id)


def signed_in(name: str) -> tuple[User, Client]:
    """A person with a browser."""
    user = User.objects.create_user(name, password="a long pass phrase")
    client = Client(enforce_csrf_checks=False)
    client.force_login(user)
    return user, client


def gathered() -> Cast:
    """Everybody, in their places."""
    project = Project.objects.create(name="Harbour desk", slug="harbour-desk")
    other = Project.objects.create(name="Elsewhere", slug="elsewhere")
    clients = {}
    for role in ROLES:
        user, clients[role] = signed_in(role)
        Member.objects.create(project=project, user=user, role=role)
    stranger, clients["stranger"] = signed_in("stranger")
    Member.objects.create(project=other, user=stranger, role="owner")
    return Cast(project, other, anonymous=Client(), **clients)
