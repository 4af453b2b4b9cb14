"""What a new installation begins with: an owner, a project, a key; and the owner's sign-in link."""

from dataclasses import dataclass
from datetime import timedelta

from django.conf import settings
from django.contrib.auth.models import User
from django.core.exceptions import ImproperlyConfigured
from django.db import transaction

from inspector.store.accounts import sign_in_token
from inspector.store.models import Member, Project
from inspector.store.queries import make_key
from inspector.store.queries.keys import MAX_LENGTH as LONGEST_KEY

LINK_LASTS = timedelta(hours=1)
"""How long a sign-in link works, unless it is used before."""


@dataclass(frozen=True, slots=True)
class FirstStart:
    """What was made on first start."""

    project: Project
    key: str
    """The key itself: shown now, never again."""
    key_was_given: bool
    """It came from the settings, so whoever started us knows it."""


def first_start() -> FirstStart | None:
    """Makes owner, project and key if there is nobody yet; None when there is."""
    given = settings.FIRST_KEY
    is_good = given.startswith("pi_") and given.isascii() and given.isprintable()
    if given and not (is_good and 24 <= len(given) <= LONGEST_KEY):
        raise ImproperlyConfigured(
            f"INSPECTOR_FIRST_KEY must begin with pi_ and be 24 to {LONGEST_KEY} characters long."
        )
    with transaction.atomic():
        if User.objects.exists() or Project.objects.exists():
            return None
        owner = User.objects.create_superuser("owner")
        project = Project.objects.create(name="First project", slug="first")
        Member.objects.create(project=project, user=owner, role=Member.Role.OWNER)
        token, _ = make_key(project, "First key", may_read=True, by=owner, token=given)
    return FirstStart(project, token, bool(given))


def owner_of_installation() -> User | None:
    """Who was made on first start, or the first one with the same right."""
    return User.objects.filter(is_superuser=True, is_active=True).order_by("pk").first()


def sign_in_link(user: User) -> str:
    """Absolute address that signs this person in, once."""
    return f"{address()}/sign-in/{sign_in_token(user, LINK_LASTS)}"


def address() -> str:
    """Where people reach us, without a slash at the end."""
    if settings.PUBLIC_URL:
        return str(settings.PUBLIC_URL)
    host = {"0.0.0.0": "127.0.0.1", "::": "[::1]"}.get(settings.HOST, settings.HOST)  # noqa: S104
    return f"http://{f'[{host}]' if ':' in host and not host.startswith('[') else host}:{settings.PORT}"
