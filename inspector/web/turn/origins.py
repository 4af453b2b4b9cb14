"""Where text comes from, as a page tells it."""

from dataclasses import dataclass

from inspector.web.markup import Who

AGES = 5


@dataclass(frozen=True, slots=True)
class Since:
    """Since which turn a section has been as it is."""

    seq: int
    or_before: bool
    """Earlier turns were not looked at."""

    @property
    def words(self) -> str:
        """``since turn 5``."""
        return f"since turn {self.seq}{' or before' if self.or_before else ''}"


@dataclass(frozen=True, slots=True)
class Brought:
    """A line's origin."""

    age: int
    begins: bool
    """The first of lines that came together."""
    who: Who


def age_of(seq: int, first: int, last: int) -> int:
    """1 for the oldest turns, 5 for the newest."""
    return max(1, min(AGES, 1 + AGES * (seq - first) // max(last - first, 1)))
