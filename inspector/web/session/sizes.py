"""How the prompts of listed sessions grew lately, and how much of them was reused: one query a page."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import F

from inspector.store.models import Session, Turn
from inspector.web.figures.spark import Spark, spark

LATEST = 24
"""Turns looked at per session."""


@dataclass(frozen=True, slots=True)
class Sizes:
    """The latest turns of one session."""

    spark: Spark | None
    shared: int | None
    """Tokens shared with the turn before, over these turns; None when there is none to compare."""
    compared: int
    """Tokens of the prompts that were compared."""
    failed: bool
    """The provider reported an error in the latest turn."""

    @property
    def is_low(self) -> bool:
        """Less than a quarter was reused."""
        return self.shared is not None and self.compared > 0 and self.shared / self.compared < 0.25


def sizes_of(sessions: Sequence[Session]) -> dict[int, Sizes]:
    """By session id. No reading and no record is opened."""
    rows = (
        Turn.objects.filter(session__in=[session.pk for session in sessions])
        .filter(seq__gt=F("session__last_seq") - LATEST)
        .order_by("session", "seq")
        .values_list("session_id", "prompt_tokens", "shared_tokens", "failed")
    )
    by_session: dict[int, list[tuple[int, int | None, bool]]] = {}
    for session_id, tokens, shared, failed in rows:
        by_session.setdefault(session_id, []).append((tokens, shared, failed))
    return {session_id: sizes(found) for session_id, found in by_session.items()}


def sizes(turns: Sequence[tuple[int, int | None, bool]]) -> Sizes:
    """Of one session's turns, oldest first: tokens of the prompt, how many are shared, whether it failed."""
    compared = [(tokens, shared) for tokens, shared, _ in turns if shared is not None]
    return Sizes(
        spark([tokens for tokens, _, _ in turns]),
        sum(shared for _, shared in compared) if compared else None,
        sum(tokens for tokens, _ in compared),
        bool(turns) and turns[-1][2],
    )
