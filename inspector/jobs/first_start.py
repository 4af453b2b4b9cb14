"""What a new installation begins with: an owner, a project, a key; and the owner's sign-in link."""

import hashlib
import secrets
from dataclasses import dataclass
from datetime import timedelta

from django.conf import settings
from django.contrib.auth.models import User
from django.core.exceptions import ImproperlyConfigured
from django.db import transaction
from django.utils import timezone

from inspector.store.models import Key, Member, Project, SignIn

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
    if given and not (
        given.startswith("pi_") and len(given) >= 24 and given.isascii() and given.isprintable()
    ):
        raise ImproperlyConfigured(
            "INSPECTOR_FIRST_KEY must begin with pi_ and be at least 24 characters long."
        )
    with transaction.atomic():
        if User.objects.exists() or Project.objects.exists():
            return None
        owner = User.objects.create_superuser("owner")
        project = Project.objects.create(name="First project", slug="first")
        Member.objects.create(project=project, user=owner, role=Member.Role.OWNER)
        token = given or new_token()
        add_key(project, "First key", token, may_read=True, by=owner)
    return FirstStart(project, token, bool(given))


def new_token() -> str:
    """A key that nobody has: 256 random bits."""
    return f"pi_{secrets.token_urlsafe(32)}"


def add_key(project: Project, name: str, token: str, *, may_read: bool, by: User | None) -> Key:
    """Keeps a key's hash, so that its holder may post."""
    return Key.objects.create(
        project=project,
        name=name,
        prefix=token[:8],
        digest=hashlib.sha256(token.encode()).digest(),
        may_read=may_read,
        created_by=by,
    )


def owner_of_installation() -> User | None:
    """Who was made on first start, or the first one with the same right."""
    return User.objects.filter(is_superuser=True, is_active=True).order_by("pk").first()


def sign_in_link(user: User) -> str:
    """Absolute address that signs this person in, once."""
    token = secrets.token_urlsafe(32)
    SignIn.objects.create(
        user=user,
        digest=hashlib.sha256(token.encode()).digest(),
        expires_at=timezone.now() + LINK_LASTS,
    )
    return f"{address()}/sign-in/{token}"


def address() -> str:
    """Where people reach us, without a slash at the end."""
    if settings.PUBLIC_URL:
        return str(settings.PUBLIC_URL)
    host = {"0.0.0.0": "127.0.0.1", "::": "[::1]"}.get(settings.HOST, settings.HOST)  # noqa: S104
    return f"http://{f'[{host}]' if ':' in host and not host.startswith('[') else host}:{settings.PORT}"
