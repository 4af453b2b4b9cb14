# ruff: noqa: E501 - posted bytes are shown as they are
"""A project with its people and a session of turns, made through the only way in."""

from dataclasses import dataclass

from django.contrib.auth.models import User

from inspector.ingest import intake
from inspector.ingest.posted import Posted
from inspector.jobs import reading
from inspector.store.models import Member, Project, Session, Turn
from inspector.turns.payload import parse

SECRET = "AKIAIOSFODNN7EXAMPLE"
EMAIL = "ada.krol@example.org"


@dataclass(slots=True)
class Cast:
    """Who and what the tests are about."""

    project: Project
    owner: User
    member: User
    viewer: User
    turns: list[Turn]

    @property
    def session(self) -> Session:
        return self.turns[0].session


def cast(slug: str = "harbour") -> Cast:
    """Three members and three turns that have been read; the second holds a secret and an address."""
    project = Project.objects.create(name=slug.title(), slug=slug)
    people = [User.objects.create_user(f"{role}-{slug}") for role in ("owner", "member", "viewer")]
    for person, role in zip(people, Member.Role, strict=True):
        Member.objects.create(project=project, user=person, role=role)
    owner, member, viewer = people
    return Cast(project, owner, member, viewer, [post(project, "voyage", number) for number in (1, 2, 3)])


def post(project: Project, session: str, number: int) -> Turn:
    """Turn ``number`` of a session, recorded and read."""
    said = f"Use {SECRET} and write to {EMAIL}." if number == 2 else f"Turn {number} says hello."
    body = (
        b'{"id": "%s.%d", "session": "%s", "messages": [{"role": "system", "content": "# Role\\nYou steer a boat."},'
        b' {"role": "user", "content": "%s"}], "response": {"content": "Calling %s", "tool_calls":'
        b' [{"id": "c1", "type": "function", "function": {"name": "mail", "arguments": "{\\"to\\": \\"%s\\"}"}}]}}'
    ) % (session.encode(), number, session.encode(), said.encode(), said.encode(), EMAIL.encode())
    outcome = intake.record(project, [Posted(body, parse(body))])[0]
    assert outcome.place is not None
    reading.read([outcome.place.turn_id])
    return Turn.objects.select_related("session").get(pk=outcome.place.turn_id)
