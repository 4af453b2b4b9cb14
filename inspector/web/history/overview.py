"""All sections of a chain of turns: how often each changed, and when."""

from collections.abc import Sequence
from dataclasses import dataclass

from inspector.store.models import Turn as Row
from inspector.turns.turn import Section
from inspector.web.figures.lane import Lane, lane
from inspector.web.history.versions import Sections
from inspector.web.kinds import KindCard, card

PAGE = 80
"""Sections on one page."""


@dataclass(slots=True)
class Life:
    """One section over the turns."""

    section: Section
    digests: list[str | None]
    """For each turn; None where it has no such section."""

    @property
    def card(self) -> KindCard:
        """Its kind."""
        return card(self.section.kind)

    @property
    def versions(self) -> int:
        """How many texts it had, counted as often as they came."""
        pairs = zip([None, *self.digests], self.digests, strict=False)
        return sum(1 for before, now in pairs if now is not None and now != before)

    @property
    def changes(self) -> int:
        """Turns that changed it, brought it or lost it."""
        return sum(1 for a, b in zip(self.digests, self.digests[1:], strict=False) if a != b)

    @property
    def turns(self) -> int:
        """Turns that show it."""
        return sum(1 for digest in self.digests if digest is not None)

    @property
    def gone(self) -> bool:
        """The latest turn has no such section."""
        return not self.digests or self.digests[-1] is None

    @property
    def lane(self) -> Lane:
        """Where it stands, and the turns that changed it."""
        changed = [a != b for a, b in zip(self.digests, self.digests[1:], strict=False)]
        return lane([digest is not None for digest in self.digests], [False, *changed], 240)


def lives(rows: Sequence[Row], sections: Sections) -> list[Life]:
    """A life for each path, in the order of the latest prompt; those that are gone come last."""
    found: dict[str, Life] = {}
    for index, inside in enumerate(sections):
        for section in inside or ():
            life = found.get(section.path)
            if life is None:
                life = found[section.path] = Life(section, [None] * len(rows))
            life.section = section
            life.digests[index] = section.digest
    latest = next((inside for inside in reversed(sections) if inside), ())
    order = {section.path: index for index, section in enumerate(latest)}
    return sorted(found.values(), key=lambda life: order.get(life.section.path, len(order)))
