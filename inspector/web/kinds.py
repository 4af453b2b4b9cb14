"""How a section's kind is shown: its code, its name and its class. The hue lives in the stylesheet."""

from collections.abc import Iterable
from dataclasses import dataclass

from inspector.turns.turn import KINDS, Kind


@dataclass(frozen=True, slots=True)
class KindCard:
    """What templates need to draw a kind."""

    kind: Kind
    code: str
    """Two letters, always shown with the hue."""
    name: str
    css: str


CARDS: tuple[KindCard, ...] = (
    KindCard("instructions", "IN", "Instructions", "k-instructions"),
    KindCard("documents", "DO", "Documents", "k-documents"),
    KindCard("environment", "EN", "Environment", "k-environment"),
    KindCard("format", "RF", "Response format", "k-format"),
    KindCard("actions", "AC", "Actions", "k-actions"),
    KindCard("outputs", "OU", "Outputs", "k-outputs"),
    KindCard("contexts", "CX", "Contexts", "k-contexts"),
    KindCard("memory", "WM", "Working memory", "k-memory"),
    KindCard("history", "HI", "History", "k-history"),
    KindCard("updates", "UP", "Updates", "k-updates"),
    KindCard("other", "··", "Other", "k-other"),
)
BY_KIND: dict[str, KindCard] = {card.kind: card for card in CARDS}
OTHER = BY_KIND["other"]


def card(kind: str) -> KindCard:
    """The card of a kind; an unknown one is shown as other."""
    return BY_KIND.get(kind, OTHER)


def in_order(kinds: Iterable[str]) -> tuple[KindCard, ...]:
    """The cards of these kinds, once each, in the fixed order."""
    wanted = set(kinds)
    return tuple(BY_KIND[kind] for kind in KINDS if kind in wanted)
