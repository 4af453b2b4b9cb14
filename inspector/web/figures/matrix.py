"""The change matrix: fixed slots, one per kind that the session has, so that habits show as stripes."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from inspector.web.kinds import KindCard


@dataclass(frozen=True, slots=True)
class Slot:
    """One kind against the turn before."""

    card: KindCard
    changed: bool


def matrix(kinds: Sequence[KindCard], changed: Collection[str]) -> tuple[Slot, ...]:
    """A slot per kind of the session, in the fixed order."""
    return tuple(Slot(card, card.kind in changed) for card in kinds)


def in_words(slots: Sequence[Slot]) -> str:
    """The same for those who hear the page: ``changed: updates, working memory``."""
    names = [slot.card.name.lower() for slot in slots if slot.changed]
    return f"changed: {', '.join(names)}" if names else "unchanged"
