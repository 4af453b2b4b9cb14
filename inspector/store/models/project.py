"""Who turns belong to, who may look, and what lets a program post."""

from django.conf import settings
from django.contrib.auth.models import AbstractBaseUser, AnonymousUser
from django.db import models


class ProjectQuerySet(models.QuerySet["Project"]):
    """Questions about projects."""

    def for_user(self, user: AbstractBaseUser | AnonymousUser) -> "ProjectQuerySet":
        """The projects that this person is a member of, by name."""
        if not user.is_authenticated or not user.is_active:
            return self.none()
        return self.filter(members__user_id=user.pk).order_by("name", "pk")


class Project(models.Model):
    """A set of turns with its own members and keys. Nothing is shared across projects."""

    name = models.CharField(max_length=100)
    slug = models.SlugField(max_length=60, unique=True)
    kinds = models.JSONField(default=dict, blank=True)
    """The project's own table: section name -> kind, or ``"none"`` for "not a section"."""
    retention_days = models.PositiveIntegerField(null=True, blank=True)
    """Sessions older than this are dropped; null keeps them."""
    public_links = models.BooleanField(default=True)
    created_at = models.DateTimeField(auto_now_add=True)
    closed_at = models.DateTimeField(null=True)
    """It was deleted: nobody gets in any more, and its turns are dropped bit by bit."""

    objects = ProjectQuerySet.as_manager()

    def __str__(self) -> str:
        return self.name


class Member(models.Model):
    """A person's place in a project."""

    class Role(models.TextChoices):
        OWNER = "owner", "Owner"
        MEMBER = "member", "Member"
        VIEWER = "viewer", "Viewer"

    project = models.ForeignKey(Project, models.CASCADE, related_name="members")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="memberships")
    role = models.CharField(max_length=10, choices=Role)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["project", "user"], name="one_place_per_person")]

    def __str__(self) -> str:
        return f"{self.user} ({self.role})"


class Key(models.Model):
    """Lets a program post, or post and read, in one project. Only its SHA-256 is kept."""

    project = models.ForeignKey(Project, models.CASCADE, related_name="keys")
    name = models.CharField(max_length=100)
    prefix = models.CharField(max_length=12)
    """First characters, to tell keys apart in lists; far too short to use."""
    digest = models.BinaryField(max_length=32, unique=True)
    may_read = models.BooleanField(default=False)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)
    last_used_at = models.DateTimeField(null=True)
    revoked_at = models.DateTimeField(null=True)

    def __str__(self) -> str:
        return f"{self.name} ({self.prefix}…)"
