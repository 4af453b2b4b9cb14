"""Keys of programs: made once, shown once, kept only as a SHA-256."""

import hashlib
import secrets
import zlib
from datetime import timedelta

from django.contrib.auth.models import User
from django.db.models import Q
from django.utils import timezone

from inspector.store.models import Key, Project

PREFIX = "pi_"
_DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
_RANDOM_DIGITS = 43
"""256 bits."""
_CHECK_DIGITS = 6
MAX_LENGTH = 200


def make_key(
    project: Project, name: str, *, may_read: bool = False, by: User | None = None, token: str | None = None
) -> tuple[str, Key]:
    """A new key and its row. The token is nowhere to be found afterwards.

    ``token``: one that an operator chose.
    """
    token = token or new_token()
    row = Key.objects.create(
        project=project,
        name=name,
        prefix=token[:9],
        digest=_digest(token),
        may_read=may_read,
        created_by=by,
    )
    return token, row


def new_token() -> str:
    """``pi_``, 256 random bits and a checksum, in letters and digits."""
    random = _number(secrets.randbits(256), _RANDOM_DIGITS)
    return PREFIX + random + _number(zlib.crc32(random.encode()), _CHECK_DIGITS)


def is_wellformed(token: str) -> bool:
    """Whether the checksum is right: for scanners that look for leaked keys."""
    body = token.removeprefix(PREFIX)
    random, check = body[:-_CHECK_DIGITS], body[-_CHECK_DIGITS:]
    return token.startswith(PREFIX) and check == _number(zlib.crc32(random.encode()), _CHECK_DIGITS)


def project_of_key(token: str) -> tuple[Project, Key] | None:
    """The project that a key opens; None for unknown and revoked ones. Asked anew each time."""
    if not token.startswith(PREFIX) or len(token) > MAX_LENGTH:
        return None
    key = Key.objects.select_related("project").filter(digest=_digest(token), revoked_at=None).first()
    if key is None:
        return None
    _note_use(key)
    return key.project, key


def revoke_key(key: Key) -> None:
    """From now on the key opens nothing."""
    Key.objects.filter(pk=key.pk, revoked_at=None).update(revoked_at=timezone.now())


def _note_use(key: Key) -> None:
    """Keep when it was used, to the minute, so that posting does not write a second row each time."""
    now = timezone.now()
    stale = now - timedelta(minutes=1)
    if key.last_used_at is None or key.last_used_at < stale:
        unnoted = Key.objects.filter(Q(last_used_at=None) | Q(last_used_at__lt=stale), pk=key.pk)
        unnoted.update(last_used_at=now)


def _digest(token: str) -> bytes:
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).digest()


def _number(number: int, width: int) -> str:
    digits = ""
    for _ in range(width):
        number, digit = divmod(number, len(_DIGITS))
        digits = _DIGITS[digit] + digits
    return digits
