"""One request to a model with its response: the columns that lists and filters need."""

from django.db import models

from inspector.store.models.fields import AnyTextField, JsonTextField
from inspector.store.models.project import Project
from inspector.store.models.session import Session


class Turn(models.Model):
    """Small on purpose: the posted bytes are in Record, the reading in Outline; no list touches them."""

    class State(models.TextChoices):
        PENDING = "pending", "Pending"
        READ = "read", "Read"
        UNREADABLE = "unreadable", "Unreadable"

    project = models.ForeignKey(Project, models.CASCADE, related_name="turns", db_index=False)
    session = models.ForeignKey(Session, models.CASCADE, related_name="turns", db_index=False)
    key = models.CharField(max_length=128)
    """``id`` in the API: the agent's own id for the turn, or one that was made."""
    seq = models.PositiveIntegerField(default=0)
    """Place in the session in order of arrival, from 1."""
    agent = AnyTextField(blank=True, default="")
    parent_key = models.CharField(max_length=128, blank=True, default="")
    model = AnyTextField(blank=True, default="")
    provider = AnyTextField(blank=True, default="")
    wire = models.CharField(max_length=40, blank=True, default="")
    dialect = models.CharField(max_length=40, blank=True, default="")
    layout = models.CharField(max_length=40, blank=True, default="")
    state = models.CharField(max_length=12, choices=State, default=State.PENDING)
    problem = AnyTextField(blank=True, default="")
    """Why it is unreadable, or why the last attempt failed, in plain words."""
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
    calls = JsonTextField(default=list)
    """Names of the actions called, in order."""
    tags = JsonTextField(default=dict)
    failed = models.BooleanField(default=False)
    """The provider reported an error."""

    digest = models.BinaryField(max_length=32)
    """SHA-256 of the record."""
    size = models.PositiveIntegerField(default=0)
    """Bytes of the record as posted."""

    due = models.BooleanField(default=True)
    """A reading is due. With attempts and the session's lease, the only truth about pending work."""
    again = models.BooleanField(default=False, db_default=False)
    """Due only because somebody wants it read anew: whatever is new goes first."""
    asked = models.PositiveIntegerField(default=0)
    """How often a later part asked for a new reading."""
    answered = models.PositiveIntegerField(default=0)
    """The asking that the reading answers; it stays due while there is a later one."""
    attempts = models.PositiveSmallIntegerField(default=0)
    read_with = models.PositiveSmallIntegerField(default=0)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["project", "key"], name="one_turn_per_key")]
        indexes = [
            models.Index(fields=["session", "seq"], name="turn_in_order"),
            models.Index(fields=["again", "id"], name="turn_due", condition=models.Q(due=True)),
        ]

    def __str__(self) -> str:
        return self.key


class ResultLink(models.Model):
    """What came of one call of a turn: shown in a later turn's prompt, or posted by the agent."""

    turn = models.ForeignKey(Turn, models.CASCADE, related_name="links")
    call = models.PositiveIntegerField()
    """Index of the call in the turn's response."""
    shown_by = models.ForeignKey(Turn, models.CASCADE, null=True, related_name="+")
    """The later turn; null when posted."""
    data = models.BinaryField()
    """The result, as compressed JSON."""


class Addition(models.Model):
    """A later part of a turn as it was posted: its response, or results of its calls."""

    class Part(models.TextChoices):
        RESPONSE = "response"
        RESULTS = "results"

    project = models.ForeignKey(Project, models.CASCADE, related_name="+", db_index=False)
    turn_key = models.CharField(max_length=128)
    """Not a foreign key: a part may come before its turn."""
    part = models.CharField(max_length=10, choices=Part)
    received_at = models.DateTimeField()
    digest = models.BinaryField(max_length=32)
    size = models.PositiveIntegerField()
    record = models.BinaryField()
    """zstd of the posted bytes."""

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["project", "turn_key", "part", "digest"], name="one_addition_per_body"
            )
        ]
