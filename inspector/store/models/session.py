"""The turns of one run or conversation, in order."""

from django.db import models

from inspector.store.models.fields import AnyTextField, JsonTextField
from inspector.store.models.project import Project


class SessionQuerySet(models.QuerySet["Session"]):
    """Questions about sessions; each stays inside one project."""

    def of(self, project: Project) -> "SessionQuerySet":
        """The sessions of a project."""
        return self.filter(project=project)

    def newest(self) -> "SessionQuerySet":
        """Latest turn first."""
        return self.order_by("-last_at", "-pk")


class Session(models.Model):
    """Counters are kept in step with its turns by intake and reading, so that lists open no turn."""

    project = models.ForeignKey(Project, models.CASCADE, related_name="sessions", db_index=False)
    key = AnyTextField()
    """The agent's own key of the run; of a turn posted without one, the turn's own key."""
    alone = models.BooleanField(default=False)
    """Its turn was posted without a session: nothing joins it, whatever key is posted later."""
    short_id = models.CharField(max_length=16)
    """``session_id`` in the API and in paths: random, unique in the project."""
    agent = AnyTextField(blank=True, default="")
    """The first agent that was named."""
    turn_count = models.PositiveIntegerField(default=0)
    last_seq = models.PositiveIntegerField(default=0)
    """Highest ``seq`` given out; never goes back when turns are deleted."""
    first_at = models.DateTimeField()
    """When its first turn was received."""
    last_at = models.DateTimeField()
    tokens = models.BigIntegerField(default=0)
    response_tokens = models.BigIntegerField(default=0)
    errors = models.PositiveIntegerField(default=0)
    warnings = models.PositiveIntegerField(default=0)
    infos = models.PositiveIntegerField(default=0)
    model_names = JsonTextField(default=list)
    """Names of the models used, sorted."""
    actions = JsonTextField(default=list)
    """Names of the actions called, sorted."""
    dialects = JsonTextField(default=list)

    revised = models.PositiveIntegerField(default=0)
    """Counts deletions and re-encodings: a cached record of an older count is no base for a new one."""
    leased_until = models.DateTimeField(null=True)
    """A worker reads this session's due turns; the moment itself is the worker's token."""

    objects = SessionQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["project", "key"], name="one_session_per_key", condition=models.Q(alone=False)
            ),
            models.UniqueConstraint(fields=["project", "short_id"], name="one_session_per_id"),
        ]
        indexes = [models.Index(fields=["project", "-last_at", "-id"], name="session_newest")]

    def __str__(self) -> str:
        return self.key
