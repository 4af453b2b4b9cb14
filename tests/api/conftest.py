"""A project with three keys, and a caller for each; another project with its own."""

import json
from dataclasses import dataclass, field
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.cache import cache
from django.test import Client

from inspector.jobs import reading
from inspector.store import queries, records
from inspector.store.models import Member, Project, Turn

API = "/api/v1"


@dataclass
class Caller:
    """An agent or tool with a key; without one it sends none."""

    token: str | None = None
    client: Client = field(default_factory=lambda: Client(raise_request_exception=False))

    def get(self, path: str, **query: Any) -> Any:
        return self.client.get(API + path, query, headers=self.headers())

    def post(self, path: str, body: Any, content_type: str = "application/json", **headers: str) -> Any:
        """Post bytes as they are, anything else as JSON."""
        data = body if isinstance(body, bytes) else json.dumps(body).encode()
        return self.client.post(API + path, data, content_type=content_type, headers=self.headers(**headers))

    def delete(self, path: str) -> Any:
        return self.client.delete(API + path, headers=self.headers())

    def call(self, method: str, path: str, body: Any = None) -> Any:
        data = b"" if body is None else json.dumps(body).encode()
        return self.client.generic(
            method, API + path, data, content_type="application/json", headers=self.headers()
        )

    def headers(self, **more: str) -> dict[str, str]:
        key = {"Authorization": f"Bearer {self.token}"} if self.token else {}
        return key | {name.replace("_", "-"): value for name, value in more.items()}


@dataclass
class Place:
    """A project, its owner, and callers with its keys."""

    project: Project
    owner: User
    reader: Caller
    poster: Caller
    revoked: Caller


def place(slug: str) -> Place:
    project = Project.objects.create(name=slug.title(), slug=slug)
    owner = User.objects.create_user(f"owner-{slug}")
    Member.objects.create(project=project, user=owner, role=Member.Role.OWNER)
    tokens = {}
    for name in ("reader", "poster", "revoked"):
        tokens[name], key = queries.make_key(project, name, may_read=name != "poster", by=owner)
        if name == "revoked":
            queries.revoke_key(key)
    return Place(project, owner, *(Caller(token) for token in tokens.values()))


@pytest.fixture(autouse=True)
def _fresh() -> None:
    """Forget what was remembered of a database that has been rolled back."""
    cache.clear()
    reading.forget()
    records.forget()


@pytest.fixture
def ours(db: None) -> Place:
    return place("ours")


@pytest.fixture
def theirs(db: None) -> Place:
    return place("theirs")


@pytest.fixture
def reader(ours: Place) -> Caller:
    return ours.reader


def read_all() -> None:
    """Make the readings that are due."""
    reading.read(list(Turn.objects.filter(due=True).values_list("pk", flat=True)))
