"""Which project an operator's command means."""

from django.core.management.base import CommandError

from inspector.store.models import Project


def project_named(slug: str | None) -> Project:
    """The project with this short name, or the only one there is. Raises CommandError."""
    projects = Project.objects.filter(slug=slug) if slug else Project.objects.all()
    found = list(projects[:2])
    if len(found) != 1:
        slugs = "|".join(Project.objects.order_by("slug").values_list("slug", flat=True)[:20])
        raise CommandError(f"Name one project: --project {slugs}")
    return found[0]
