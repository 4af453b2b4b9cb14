"""Making, opening and revoking links. A token is known to the person who made it and to nobody else."""

import hashlib
import ipaddress
import re
import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.conf import settings
from django.contrib.auth.models import User
from django.db.models import F
from django.utils import timezone

from inspector.sharing import misses
from inspector.sharing.errors import LinkGone, LinksOff, NotShareable
from inspector.store import audit
from inspector.store.models import Audit, Member, Project, Session, Share, ShareView, Turn
from inspector.store.models.fields import original, storable

MASKS = ("secrets", "emails")
DEFAULT_DAYS = 7
TOKEN = re.compile(r"[A-Za-z0-9_-]{43}")


@dataclass(frozen=True, slots=True)
class Visit:
    """Who opens a link, as far as the request tells."""

    address: str = ""
    agent: str = ""


def most_days() -> int:
    """For how many days a link may be good at most."""
    return int(settings.SHARE_MAX_DAYS)


def create(
    project: Project,
    *,
    scope: str,
    session: Session | None = None,
    turn: Turn | None = None,
    old_turn: Turn | None = None,
    section: str = "",
    label: str = "",
    mask: Sequence[str] = ("secrets",),
    expires_at: datetime | None = None,
    by: User,
    via: str = "",
) -> tuple[Share, str]:
    """A link and its token, which is kept nowhere. Raises LinksOff or NotShareable.

    ``turn`` is the newer one of a comparison. A session's link shows the turns that are there now.
    ``via`` says for the audit what the maker used, such as a key.
    """
    if not Project.objects.filter(pk=project.pk, public_links=True).exists():
        raise LinksOff("This project allows no links.")
    session = session or (turn.session if turn is not None else None)
    _check_scope(project, scope, session, turn, old_turn, section)
    if unknown := sorted(set(mask) - set(MASKS)):
        raise NotShareable(f"Unknown mask {unknown[0]!r}: use {' or '.join(MASKS)}.", "mask")
    assert session is not None
    token = secrets.token_urlsafe(32)
    share = Share.objects.create(
        project=project,
        scope=scope,
        session=session,
        turn=None if scope == "session" else turn,
        old_turn=old_turn if scope == "comparison" else None,
        section=storable(section) if scope == "section" else "",
        last_seq=_last_seq(session) if scope == "session" else 0,
        label=_line(label, 200),
        mask=[name for name in MASKS if name in mask],
        prefix=token[:6],
        digest=_digest(token),
        created_by=by,
        expires_at=_expiry(expires_at),
    )
    until = share.expires_at.isoformat()
    audit.note(project, by, "share.create", **_facts(share), expires_at=until, mask=share.mask, via=via)
    return share, token


def find(token: str, visit: Visit) -> Share:
    """The share that a token opens, without counting a view: for parts of a page.

    Raises LinkGone or TooManyMisses.
    """
    share = (
        Share.objects.select_related("project", "session", "turn", "old_turn", "created_by")
        .filter(digest=_digest(token))
        .first()
        if TOKEN.fullmatch(token)
        else None
    )
    if share is None:
        misses.note(visit.address)
        raise LinkGone
    if not is_open(share):
        raise LinkGone
    return share


def open_link(token: str, visit: Visit) -> Share:
    """The share that a token opens; counts and logs the view. Raises LinkGone or TooManyMisses."""
    share = find(token, visit)
    now = timezone.now()
    Share.objects.filter(pk=share.pk).update(views=F("views") + 1, last_viewed_at=now)
    ShareView.objects.create(
        share=share, project=share.project, address=shortened(visit.address), agent=_line(visit.agent, 200)
    )
    share.views, share.last_viewed_at = share.views + 1, now
    return share


def is_open(share: Share) -> bool:
    """Whether a link shows anything now, by the server's clock and the project's present rules."""
    return (
        share.revoked_at is None
        and share.expires_at > timezone.now()
        and share.project.public_links
        and _maker_may_share(share)
    )


def revoke(share: Share, by: User | str, via: str = "") -> None:
    """End a link now. Doing it again changes nothing."""
    now = timezone.now()
    if Share.objects.filter(pk=share.pk, revoked_at=None).update(revoked_at=now):
        share.revoked_at = now
        audit.note(share.project, by, "share.revoke", **_facts(share), via=via)


def note_expired() -> int:
    """Write into the audit which links have expired since this was last done; how many. For periodic work."""
    noted = set(Audit.objects.filter(action="share.expire").values_list("detail__share", flat=True))
    expired = Share.objects.filter(revoked_at=None, expires_at__lte=timezone.now()).exclude(pk__in=noted)
    for share in expired.select_related("project"):
        audit.note(share.project, "server", "share.expire", **_facts(share))
    return len(expired)


def section_of(share: Share) -> str:
    """Path of the section that a link shows."""
    return original(share.section)


def shortened(address: str) -> str:
    """The network an address belongs to (/24 or /48), enough to tell visitors apart and no more."""
    try:
        found = ipaddress.ip_address(address.strip())
    except ValueError:
        return ""
    if isinstance(found, ipaddress.IPv6Address) and found.ipv4_mapped:
        found = found.ipv4_mapped
    length = 24 if found.version == 4 else 48
    return str(ipaddress.ip_network((found, length), strict=False).network_address)


# ---------------------------------------------------------------- checks


def _check_scope(
    project: Project,
    scope: str,
    session: Session | None,
    turn: Turn | None,
    old_turn: Turn | None,
    section: str,
) -> None:
    if scope not in Share.Scope.values:
        raise NotShareable(f"Unknown scope {scope!r}: use {', '.join(Share.Scope.values)}.", "scope")
    if scope != "session" and turn is None:
        raise NotShareable("Say which turn.", "turn")
    if session is None:
        raise NotShareable("Say which session.", "session")
    if scope == "comparison" and old_turn is None:
        raise NotShareable("Say which two turns to compare.", "old_turn")
    if scope == "section" and not section:
        raise NotShareable("Say which section, by its path.", "section")
    if any(thing is not None and thing.project_id != project.pk for thing in (session, turn, old_turn)):
        raise NotShareable("That belongs to another project.", "project")


def _expiry(asked: datetime | None) -> datetime:
    now = timezone.now()
    if asked is None:
        return now + timedelta(days=min(DEFAULT_DAYS, most_days()))
    if timezone.is_naive(asked):
        asked = timezone.make_aware(asked, timezone.get_default_timezone())
    if asked <= now:
        raise NotShareable("The link would have expired already.", "expires_at")
    # A minute of grace: "in 90 days" was right when the form was shown.
    if asked > now + timedelta(days=most_days(), minutes=1):
        raise NotShareable(f"A link is good for {most_days()} days at most.", "expires_at")
    return asked


def _maker_may_share(share: Share) -> bool:
    """Links end with their maker's place in the project, so that nobody keeps a way in."""
    maker = share.created_by
    if maker is None or not maker.is_active:
        return False
    roles = (Member.Role.OWNER, Member.Role.MEMBER)
    return Member.objects.filter(project=share.project, user=maker, role__in=roles).exists()


def _last_seq(session: Session) -> int:
    return Turn.objects.filter(session=session).order_by("-seq").values_list("seq", flat=True).first() or 0


def _digest(token: str) -> bytes:
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).digest()


def _facts(share: Share) -> dict[str, object]:
    return {"share": share.pk, "scope": share.scope, "prefix": share.prefix}


def _line(text: str, length: int) -> str:
    """One printable line of what people typed or a browser sent: nothing that upsets a log."""
    return "".join(character if character.isprintable() else " " for character in text)[:length].strip()
