"""Blobs of a turn, apart from its columns: rows that are written once and read one turn at a time."""

from django.db import models

from inspector.store.models.fields import AnyTextField
from inspector.store.models.project import Project
from inspector.store.models.turn import Turn


class Base(models.Model):
    """A text that others are compressed against. Never changes; a better one is a new row."""

    class Use(models.TextChoices):
        RECORD = "record"
        OUTLINE = "outline"

    project = models.ForeignKey(Project, models.CASCADE, related_name="+", db_index=False)
    use = models.CharField(max_length=8, choices=Use)
    agent = AnyTextField(blank=True, default="")
    source = models.ForeignKey(Turn, models.CASCADE, null=True, related_name="+")
    """The turn it was taken from: when that is deleted this goes too, after its users were re-encoded."""
    size = models.PositiveIntegerField()
    data = models.BinaryField()
    """zstd."""

    class Meta:
        indexes = [models.Index(fields=["project", "use", "agent", "-id"], name="base_newest")]


class Record(models.Model):
    """The bytes of a turn as they were posted, compressed against an earlier record or a base."""

    turn = models.OneToOneField(Turn, models.CASCADE, primary_key=True, related_name="record")
    earlier = models.ForeignKey("self", models.RESTRICT, null=True, related_name="later")
    base = models.ForeignKey(Base, models.RESTRICT, null=True, related_name="+")
    chain = models.PositiveSmallIntegerField(default=0)
    """How many records must be decoded before this one."""
    chain_bytes = models.PositiveIntegerField(default=0)
    """Bytes of all records that are decoded to read this one, its own included."""
    data = models.BinaryField()
    """zstd."""


class Outline(models.Model):
    """The reading of a turn, as a compressed compact document. Never changes: a new reading is a new row.

    So an outline may be compressed against the one of the turn before, whatever becomes of that turn's
    reading. One that is no longer current goes as soon as no other is compressed against it.
    """

    turn = models.ForeignKey(Turn, models.CASCADE, related_name="outlines", db_index=False)
    current = models.BooleanField(default=True)
    earlier = models.ForeignKey("self", models.RESTRICT, null=True, related_name="later")
    base = models.ForeignKey(Base, models.RESTRICT, null=True, related_name="+")
    chain = models.PositiveSmallIntegerField(default=0)
    data = models.BinaryField()
    """zstd of the document's JSON."""

    class Meta:
        indexes = [models.Index(fields=["turn"], name="outline_of_turn")]


class Words(models.Model):
    """Some of the text that is new in a turn: what search finds it by, and shows. Mostly one row a turn."""

    turn = models.ForeignKey(Turn, models.CASCADE, related_name="words")
    project = models.ForeignKey(Project, models.CASCADE, related_name="+", db_index=False)
    version = models.PositiveSmallIntegerField()
    """Of the tokeniser; an index row can only be taken out by the tokens that were put in."""
    data = models.BinaryField()
    """zstd of the stretches' JSON."""


class SectionVersion(models.Model):
    """A distinct instructions, actions or format text seen in a project."""

    project = models.ForeignKey(Project, models.CASCADE, related_name="section_versions", db_index=False)
    kind = models.CharField(max_length=12)
    digest = models.CharField(max_length=64)
    agent = AnyTextField(blank=True, default="")
    path = AnyTextField()
    title = AnyTextField()
    chars = models.PositiveIntegerField()
    tokens = models.PositiveIntegerField()
    first_turn = models.ForeignKey(Turn, models.SET_NULL, null=True, related_name="+")
    last_turn = models.ForeignKey(Turn, models.SET_NULL, null=True, related_name="+")
    first_at = models.DateTimeField()
    last_at = models.DateTimeField()
    count = models.PositiveIntegerField(default=0)
    """How many turns show it."""

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["project", "kind", "agent", "digest"], name="one_version_per_text"
            )
        ]
