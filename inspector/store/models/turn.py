"""One request to a model with its response: its record, and what was read in it."""

from django.db import models

from inspector.store.models.project import Project
from inspector.store.models.session import Session


class Base(models.Model):
    """A per-agent record that keyframes of short sessions are deltas against."""

    project = models.ForeignKey(Project, models.CASCADE, related_name="+")
    agent = models.CharField(max_length=256, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)
    size = models.PositiveIntegerField()
    data = models.BinaryField()
    """zstd."""


class Turn(models.Model):
    """Columns that lists need come first; the three blobs come last and lists never select them."""

    class State(models.TextChoices):
        PENDING = "pending", "Pending"
        READ = "read", "Read"
        UNREADABLE = "unreadable", "Unreadable"

    project = models.ForeignKey(Project, models.CASCADE, related_name="turns")
    session = models.ForeignKey(Session, models.CASCADE, related_name="turns", null=True)
    """Null only while later parts arrived before the turn itself."""
    key = models.CharField(max_length=128)
    """``id`` in the API: the agent's own id for the turn, or one that was made."""
    seq = models.PositiveIntegerField(default=0)
    """Place in the session in order of arrival, from 1."""
    agent = models.CharField(max_length=256, blank=True)
    parent_key = models.CharField(max_length=128, blank=True)
    model = models.CharField(max_length=256, blank=True)
    provider = models.CharField(max_length=100, blank=True)
    wire = models.CharField(max_length=40, blank=True)
    dialect = models.CharField(max_length=40, blank=True)
    layout = models.CharField(max_length=40, blank=True)
    state = models.CharField(max_length=12, choices=State, default=State.PENDING)
    problem = models.TextField(blank=True)
    """Why it is unreadable, in plain words."""
    received_at = models.DateTimeField()
    started_at = models.DateTimeField(null=True)
    ended_at = models.DateTimeField(null=True)
    prompt_tokens = models.PositiveIntegerField(default=0)
    prompt_chars = models.PositiveIntegerField(default=0)
    response_tokens = models.PositiveIntegerField(default=0)
    shared_tokens = models.PositiveIntegerField(null=True)
    """Tokens of the prefix shared with the turn before; null on a first turn."""
    errors = models.PositiveIntegerField(default=0)
    warnings = models.PositiveIntegerField(default=0)
    infos = models.PositiveIntegerField(default=0)
    calls = models.JSONField(default=list)
    """Names of the actions called, in order."""
    tags = models.JSONField(default=dict)
    links = models.JSONField(default=list)
    """Results of its calls, found in later turns or posted: ``[[call index, result document], …]``."""

    digest = models.BinaryField(max_length=32)
    """SHA-256 of the record."""
    size = models.PositiveIntegerField(default=0)
    """Bytes of the record as posted."""
    base_turn = models.ForeignKey("self", models.SET_NULL, null=True, related_name="+")
    base = models.ForeignKey(Base, models.SET_NULL, null=True, related_name="+")
    chain = models.PositiveSmallIntegerField(default=0)
    """How many records must be decoded before this one."""

    due = models.BooleanField(default=True)
    """A reading is due. With attempts and lease, the only truth about pending work."""
    attempts = models.PositiveSmallIntegerField(default=0)
    leased_until = models.DateTimeField(null=True)
    read_with = models.PositiveSmallIntegerField(default=0)

    record = models.BinaryField(default=b"")
    """zstd of the posted bytes, against ``base_turn`` or ``base`` where set."""
    outline = models.BinaryField(default=b"")
    """The reading, as a compressed compact document."""

    class Meta:
        constraints = [models.UniqueConstraint(fields=["project", "key"], name="one_turn_per_key")]
        indexes = [
            models.Index(fields=["session", "seq"], name="turn_in_order"),
            models.Index(fields=["id"], name="turn_due", condition=models.Q(due=True)),
        ]

    def __str__(self) -> str:
        return self.key


class Addition(models.Model):
    """A later part of a turn as it was posted: its response, or results of its calls."""

    class Part(models.TextChoices):
        RESPONSE = "response"
        RESULTS = "results"

    project = models.ForeignKey(Project, models.CASCADE, related_name="+")
    turn_key = models.CharField(max_length=128)
    """Not a foreign key: a part may come before its turn."""
    part = models.CharField(max_length=10, choices=Part)
    received_at = models.DateTimeField()
    digest = models.BinaryField(max_length=32)
    size = models.PositiveIntegerField()
    record = models.BinaryField()
    """zstd of the posted bytes."""

    class Meta:
        constraints = [models.UniqueConstraint(fields=["project", "turn_key", "part", "digest"], name="one_addition_per_body")]
