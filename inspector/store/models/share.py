"""What was allowed to leave the house, who looked, and who allowed it."""

from django.conf import settings
from django.db import models

from inspector.store.models.project import Project
from inspector.store.models.session import Session
from inspector.store.models.turn import Turn


class Share(models.Model):
    """A link to one turn, section, comparison or session. Only the token's SHA-256 is kept."""

    class Scope(models.TextChoices):
        TURN = "turn", "Turn"
        SECTION = "section", "Section"
        COMPARISON = "comparison", "Comparison"
        SESSION = "session", "Session"

    project = models.ForeignKey(Project, models.CASCADE, related_name="shares")
    scope = models.CharField(max_length=12, choices=Scope)
    session = models.ForeignKey(Session, models.CASCADE, related_name="shares")
    turn = models.ForeignKey(Turn, models.CASCADE, null=True, related_name="shares")
    """The turn shown; of a comparison, the newer one. Null for a session."""
    old_turn = models.ForeignKey(Turn, models.CASCADE, null=True, related_name="+")
    """The older turn of a comparison."""
    section = models.TextField(blank=True)
    """Path of the section shown."""
    last_seq = models.PositiveIntegerField(default=0)
    """A session's link shows turns up to here: later ones are not in an old link."""
    label = models.CharField(max_length=200, blank=True)
    mask = models.JSONField(default=list)
    """What is masked: any of ``secrets``, ``emails``."""
    prefix = models.CharField(max_length=6)
    digest = models.BinaryField(max_length=32, unique=True)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)
    expires_at = models.DateTimeField()
    revoked_at = models.DateTimeField(null=True)
    views = models.PositiveIntegerField(default=0)
    last_viewed_at = models.DateTimeField(null=True)


class ShareView(models.Model):
    """One opening of a link."""

    share = models.ForeignKey(Share, models.CASCADE, related_name="openings")
    project = models.ForeignKey(Project, models.CASCADE, related_name="+")
    at = models.DateTimeField(auto_now_add=True)
    address = models.CharField(max_length=45, blank=True)
    """Truncated: /24 or /48."""
    agent = models.CharField(max_length=200, blank=True)


class Audit(models.Model):
    """Append-only: who did what to keys, members and shares."""

    project = models.ForeignKey(Project, models.CASCADE, related_name="audit")
    at = models.DateTimeField(auto_now_add=True)
    actor = models.CharField(max_length=200)
    action = models.CharField(max_length=40)
    """``share.create``, ``key.revoke``, ``member.add`` …"""
    detail = models.JSONField(default=dict)


class SignIn(models.Model):
    """A one-time sign-in link or invitation. Only the token's SHA-256 is kept."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    digest = models.BinaryField(max_length=32, unique=True)
    expires_at = models.DateTimeField()
    used_at = models.DateTimeField(null=True)
