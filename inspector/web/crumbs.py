"""The way back: sessions, session, here."""

from dataclasses import dataclass

from django.urls import reverse

from inspector.store.models import Project, Session


@dataclass(frozen=True, slots=True)
class Crumb:
    """One step; the last one has no address."""

    title: str
    href: str = ""


def crumbs(project: Project, session: Session | None, here: str) -> list[Crumb]:
    """From the project's sessions down to this page."""
    way = [Crumb("Sessions", reverse("sessions", args=[project.slug]))]
    if session is not None:
        way.append(Crumb(session.key[:80], reverse("session", args=[project.slug, session.short_id])))
    return [*way, Crumb(here)]
