"""Accounts for people who are new here: without a password, with a link that signs them in once."""

import hashlib
import secrets
from datetime import timedelta

from django.contrib.auth.models import User
from django.contrib.auth.validators import UnicodeUsernameValidator
from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils import timezone

from inspector.store.models import SignIn

LASTS = timedelta(days=7)


def is_name(name: str) -> bool:
    """Whether somebody may be called that."""
    try:
        UnicodeUsernameValidator()(name)
    except ValidationError:
        return False
    return len(name) <= 150


def invited(name: str) -> tuple[User, str]:
    """A new account and the token of its link. Never for an account that is there already."""
    token = secrets.token_urlsafe(32)
    with transaction.atomic():
        user = User.objects.create_user(name)
        SignIn.objects.create(
            user=user, digest=hashlib.sha256(token.encode()).digest(), expires_at=timezone.now() + LASTS
        )
    return user, token
