"""``manage.py invite``: an account for somebody new, and a place in a project for anybody."""

from typing import Any

from django.contrib.auth.models import User
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import transaction

from inspector.jobs.first_start import address
from inspector.jobs.projects import project_named
from inspector.store import audit
from inspector.store.accounts import INVITATION_LASTS, account, is_name, sign_in_token
from inspector.store.models import Member, Project


class Command(BaseCommand):
    """Prints the sign-in link of a new account; who has one already is only given the place."""

    help = "Make an account for somebody new and print its sign-in link; give anybody a place in a project"

    def add_arguments(self, parser: CommandParser) -> None:
        """Who, where, and with which rights."""
        parser.add_argument("name", help="what the person is called here")
        parser.add_argument("--project", metavar="SLUG", help="a project to put them in")
        parser.add_argument("--role", choices=Member.Role.values, default="member", help="their role in it")
        parser.add_argument(
            "--operator", action="store_true", help="they may make accounts for others, on settings pages"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Writes the link to standard output, and what was done to standard error."""
        name = options["name"]
        if not is_name(name):
            raise CommandError("A name has at most 150 letters, digits or @ . + - _.")
        project = project_named(options["project"]) if options["project"] else None
        with transaction.atomic():
            user = account(name)
            token = ""
            if user is None:
                user = User.objects.create_user(name)
                token = sign_in_token(user, INVITATION_LASTS)
            if options["operator"] and not user.is_superuser:
                user.is_superuser = True
                user.save(update_fields=["is_superuser"])
            if project is not None:
                self._place(project, user, options["role"], invited=bool(token))
        if token:
            self.stderr.write(f"{user.username} is whoever opens this link first, within a week:")
            self.stdout.write(f"{address()}/sign-in/{token}")
        else:
            self.stderr.write(f"{user.username} has an account; `manage.py sign_in` makes a new link.")

    def _place(self, project: Project, user: User, role: str, *, invited: bool) -> None:
        member, is_new = Member.objects.get_or_create(project=project, user=user, defaults={"role": role})
        if not is_new:
            self.stderr.write(f"{user.username} is {member.role} of {project.slug} already.")
            return
        audit.note(project, "command line", "member.add", member=user.username, role=role, invited=invited)
