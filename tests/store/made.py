"""Projects and posted turns for tests that need tables."""

import itertools
import json
from collections.abc import Sequence
from typing import Any

from django.contrib.auth.models import User

from inspector.ingest import intake
from inspector.ingest.posted import Outcome, Posted
from inspector.store.models import Member, Project, Turn
from inspector.turns.payload import parse

_numbers = itertools.count(1)

PROMPT = """<instructions>
You run the harbour desk. Be brief.
</instructions>

<available-actions>
<action name="tide_table">
<schema>{"type": "object", "properties": {"port": {"type": "string"}}}</schema></action>
</available-actions>

<working-memory>
%s
</working-memory>
"""


def project(slug: str = "") -> Project:
    """A new project."""
    slug = slug or f"harbour-{next(_numbers)}"
    return Project.objects.create(name=slug, slug=slug)


def person(name: str, *places: tuple[Project, str]) -> User:
    """A person with places in projects."""
    user = User.objects.create_user(name)
    for where, role in places:
        Member.objects.create(project=where, user=user, role=role)
    return user


def body(**fields: Any) -> bytes:
    """A turn as an agent would post it."""
    return json.dumps({"prompt": "Tell me about the tides.", **fields}).encode()


def posted(data: bytes) -> Posted:
    """Bytes as intake wants them."""
    return Posted(data, parse(data))


def post(where: Project, **fields: Any) -> Outcome:
    """Post one turn."""
    return intake.record(where, [posted(body(**fields))])[0]


def turn(where: Project, **fields: Any) -> Turn:
    """A turn that was taken in."""
    outcome = post(where, **fields)
    assert outcome.status == 201, outcome.error
    return row(outcome)


def row(outcome: Outcome) -> Turn:
    """The turn that an outcome is about, with its session."""
    assert outcome.place is not None
    return Turn.objects.select_related("session").get(pk=outcome.place.turn_id)


def growing(number: int) -> str:
    """A prompt that has ``number`` entries in its memory."""
    return PROMPT % "\n".join(
        f"<entry>{at}: the cutter Gannet{at} moored at berth {at * 7}</entry>" for at in range(number)
    )


def run(where: Project, count: int, session: str = "run", **fields: Any) -> list[Turn]:
    """The turns of a session whose prompt grows, posted one by one."""
    return [
        turn(where, id=f"{session}-{at}", session=session, prompt=growing(at), **fields)
        for at in range(1, count + 1)
    ]


def bodies_of(turns: Sequence[Turn]) -> list[bytes]:
    """What ``run`` posted."""
    return [
        body(id=one.key, session=one.session.key, prompt=growing(place)) for place, one in enumerate(turns, 1)
    ]
