"""``manage.py demo``: four small sessions to look at, loaded like any others; ``--remove`` takes them out."""

import json
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from inspector.ingest import intake
from inspector.ingest.posted import Outcome, Posted
from inspector.jobs import reading
from inspector.jobs.demo import SESSIONS
from inspector.jobs.first_start import address
from inspector.store import removal
from inspector.store.models import Project, Session


class Command(BaseCommand):
    """Loading them again changes nothing."""

    help = "Load four small sessions to look at (or remove them again)"

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Which project, and whether to remove."""
        parser.add_argument(
            "--project", help="the project's short name in addresses; left out: the first one"
        )
        parser.add_argument("--remove", action="store_true", help="remove the sessions again")

    def handle(self, *args: Any, **options: Any) -> None:
        """Says what was done and where to look."""
        project = project_named(options["project"])
        if options["remove"]:
            self.stdout.write(f"{remove(project)} sessions removed from “{project.name}”.")
            return
        outcomes = load(project)
        fresh = sum(outcome.status == 201 for outcome in outcomes)
        self.stdout.write(f"{fresh} turns loaded into “{project.name}”, {len(outcomes) - fresh} were there.")
        for session in sessions_of(project):
            self.stdout.write(f"  {session.key}: {address()}/p/{project.slug}/s/{session.short_id}/")


def project_named(slug: str | None) -> Project:
    """The project of that name, or the first one."""
    projects = Project.objects.order_by("pk")
    project = (projects.filter(slug=slug) if slug else projects).first()
    if project is None:
        raise CommandError(
            f"There is no project {slug!r}." if slug else "There is no project yet: manage.py up"
        )
    return project


def load(project: Project) -> list[Outcome]:
    """Record the sessions and read them, so that they can be looked at whether or not a worker runs."""
    payloads = [payload for _, turns in SESSIONS for payload in turns()]
    posted = [Posted(json.dumps(payload, ensure_ascii=False).encode(), payload) for payload in payloads]
    outcomes = intake.record(project, posted)
    if refused := [outcome for outcome in outcomes if outcome.error is not None]:
        raise CommandError(f"{len(refused)} turns were refused: {refused[0].error}")
    ids = [outcome.place.turn_id for outcome in outcomes if outcome.place is not None]
    while reading.read(ids):
        pass
    return outcomes


def sessions_of(project: Project) -> list[Session]:
    """Those that are loaded, in the order of the catalogue."""
    keys = [key for key, _ in SESSIONS]
    found = {session.key: session for session in Session.objects.filter(project=project, key__in=keys)}
    return [found[key] for key in keys if key in found]


def remove(project: Project) -> int:
    """Take the sessions out with all that came of them; how many there were."""
    return removal.drop_sessions(project, [session.pk for session in sessions_of(project)])
