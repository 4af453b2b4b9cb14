"""The turns of one run or conversation, in order."""

from django.db import models

from inspector.store.models.project import Project


class Session(models.Model):
    """Counters are kept in step with its turns by intake and reading, so that lists open no turn."""

    project = models.ForeignKey(Project, models.CASCADE, related_name="sessions")
    key = models.CharField(max_length=256)
    """The agent's own key of the run."""
    short_id = models.CharField(max_length=16)
    """``session_id`` in the API and in paths: random, unique in the project."""
    agent = models.CharField(max_length=256, blank=True)
    turn_count = models.PositiveIntegerField(default=0)
    first_at = models.DateTimeField()
    last_at = models.DateTimeField()
    tokens = models.BigIntegerField(default=0)
    response_tokens = models.BigIntegerField(default=0)
    errors = models.PositiveIntegerField(default=0)
    warnings = models.PositiveIntegerField(default=0)
    infos = models.PositiveIntegerField(default=0)
    model_names = models.JSONField(default=list)
    """Names of the models used, sorted."""
    actions = models.JSONField(default=list)
    """Names of the actions called, sorted."""
    dialects = models.JSONField(default=list)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["project", "key"], name="one_session_per_key"),
            models.UniqueConstraint(fields=["project", "short_id"], name="one_session_per_id"),
        ]
        indexes = [models.Index(fields=["project", "-last_at", "-id"], name="session_newest")]

    def __str__(self) -> str:
        return self.key
