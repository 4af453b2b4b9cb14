"""People's accounts: what they may be called, who is there, and links that sign somebody in once.

An account is one person in every project, so whoever holds its first link is that person. Names that
differ only in upper and lower case, or only in how a letter is composed, are one name.
"""

import hashlib
import secrets
import unicodedata
from datetime import timedelta

from django.conf import settings
from django.contrib.auth.models import User
from django.contrib.auth.validators import UnicodeUsernameValidator
from django.core.exceptions import ValidationError
from django.utils import timezone

from inspector.store.models import SignIn

INVITATION_LASTS = timedelta(days=7)
LONGEST = 150


def is_name(name: str) -> bool:
    """Whether somebody may be called that."""
    try:
        UnicodeUsernameValidator()(name)
    except ValidationError:
        return False
    return len(name) <= LONGEST and unicodedata.normalize("NFKC", name) == name


def account(name: str) -> User | None:
    """Who is called that."""
    if not is_name(name):
        return None
    exact = User.objects.filter(username=name).first()
    return exact or User.objects.filter(username__iexact=name).order_by("pk").first()


def may_invite(user: User) -> bool:
    """Whether this person may make accounts for others.

    Whoever makes an account is shown its first link, so it is not for everybody who can make a project.
    """
    return user.is_superuser or str(settings.INVITES) == "OWNERS"


def sign_in_token(user: User, lasts: timedelta) -> str:
    """What a link that signs this person in ends with. Only its hash is kept."""
    token = secrets.token_urlsafe(32)
    SignIn.objects.create(user=user, digest=token_digest(token), expires_at=timezone.now() + lasts)
    return token


def token_digest(token: str) -> bytes:
    """What of a token is kept."""
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).digest()


def end_invitation(user: User) -> None:
    """Somebody who never came and is in no project any more need not come: their links end."""
    if user.last_login is None and not user.memberships.exists():
        SignIn.objects.filter(user=user, used_at=None).delete()
