"""Which rules spoke on which turn, for filters; the findings themselves are in the reading."""

from django.db import models

from inspector.store.models.project import Project
from inspector.store.models.session import Session
from inspector.store.models.turn import Turn


class Finding(models.Model):
    """One row per rule and turn."""

    project = models.ForeignKey(Project, models.CASCADE, related_name="+", db_index=False)
    session = models.ForeignKey(Session, models.CASCADE, related_name="+", db_index=False)
    turn = models.ForeignKey(Turn, models.CASCADE, related_name="findings", db_index=False)
    rule = models.CharField(max_length=40)
    severity = models.CharField(max_length=8)
    count = models.PositiveIntegerField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["turn", "rule"], name="one_row_per_rule_and_turn")]
        indexes = [models.Index(fields=["project", "rule", "session"], name="finding_by_rule")]
