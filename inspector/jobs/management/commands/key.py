"""``manage.py key``: a new key of a project."""

from typing import Any

from django.contrib.auth.models import User
from django.core.management.base import BaseCommand, CommandError, CommandParser

from inspector.jobs.projects import project_named
from inspector.store import audit
from inspector.store.models import Member, Project
from inspector.store.queries import make_key


class Command(BaseCommand):
    """Prints a new key, which is shown only this once."""

    help = "Make a key that lets a program post turns, and print it"

    def add_arguments(self, parser: CommandParser) -> None:
        """Which project, for whom, and what the key may do."""
        parser.add_argument("--project", help="the project's short name in addresses; left out: the only one")
        parser.add_argument("--name", default="Key from the command line", help="what to call it in lists")
        parser.add_argument("--read", action="store_true", help="it may also read turns")
        parser.add_argument(
            "--member",
            metavar="NAME",
            help="the member it stands for, whose rights it has for making links and changing things; "
            "left out: the project's only owner",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Writes the key to standard output."""
        project = project_named(options["project"])
        person = member_of(project, options["member"])
        token, key = make_key(project, options["name"][:100], may_read=options["read"], by=person)
        audit.note(
            project, "command line", "key.create",
            key=key.pk, name=key.name, prefix=key.prefix, may_read=key.may_read, member=person.username,
        )  # fmt: skip
        self.stdout.write(token)


def member_of(project: Project, name: str | None) -> User:
    """The member of this name, or the only owner. Raises CommandError."""
    members = Member.objects.filter(project=project).select_related("user").order_by("pk")
    if name is not None:
        found = members.filter(user__username=name).first()
        if found is None:
            names = ", ".join(member.user.username for member in members) or "nobody"
            raise CommandError(f"{name!r} is no member of {project.slug}. Members are: {names}.")
        return found.user
    owners = [member.user for member in members if member.role == Member.Role.OWNER]
    if len(owners) != 1:
        names = "|".join(owner.username for owner in owners) or "NAME"
        raise CommandError(f"{project.slug} has {len(owners)} owners: say --member {names}.")
    return owners[0]
