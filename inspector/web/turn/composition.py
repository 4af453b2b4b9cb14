"""What a prompt is made of: its tokens by section kind, each counted once."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from inspector.turns.turn import KINDS, Section
from inspector.web.kinds import KindCard, card


def by_kind(sections: Sequence[Section]) -> dict[str, int]:
    """Tokens by kind. What a section's children hold counts for them, the rest for itself."""
    counts: Counter[str] = Counter()
    path: list[Section] = []
    for section in sections:
        while path and path[-1].depth >= section.depth:
            path.pop()
        counts[section.kind] += section.tokens
        if path:
            # Token counts of parts add up to a little more than the whole's.
            counts[path[-1].kind] -= min(section.tokens, max(0, counts[path[-1].kind]))
        path.append(section)
    return {kind: counts[kind] for kind in KINDS if counts[kind] > 0}


@dataclass(frozen=True, slots=True)
class Part:
    """One kind of the latest prompt."""

    card: KindCard
    tokens: int
    delta: int
    """Since the first turn that is compared with."""


def parts(latest: dict[str, int], first: dict[str, int]) -> list[Part]:
    """The latest prompt's kinds, in the order of the stacked bars: the topmost first."""
    return [
        Part(card(kind), latest.get(kind, 0), latest.get(kind, 0) - first.get(kind, 0))
        for kind in reversed(KINDS)
        if latest.get(kind, 0) or first.get(kind, 0)
    ]
