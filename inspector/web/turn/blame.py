"""The turn that brought each line of a prompt: found when it is asked for, within limits that are told."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from django.core.cache import cache

from inspector.store.errors import Damaged, NotFound
from inspector.store.models import Turn as Row
from inspector.store.texts import Texts
from inspector.turns.errors import TurnError
from inspector.turns.lineage import Blame, blame
from inspector.turns.turn import Reading
from inspector.web.chains import alike
from inspector.web.kinds import card
from inspector.web.links import Links
from inspector.web.markup import Who
from inspector.web.turn.origins import Brought, age_of

TURNS = 200
"""Turns that are looked at."""
LETTERS = 8_000_000
"""Code points of all their prompts together."""
KEPT = 120
"""Seconds that an answer is kept: the panels of one page ask for it one by one."""


@dataclass(frozen=True, slots=True)
class Blamed:
    """Each line's origin, or why there is none."""

    lines: Mapping[int, Brought] = field(default_factory=dict)
    problem: str = ""
    oldest: int | None = None
    """The turn that was looked back to, when there are earlier ones."""


def blamed_by(row: Row, reading: Reading, links: Links) -> Blamed:
    """The origins of a turn's lines."""
    rows, more = affordable(row)
    if not rows:
        return Blamed(
            problem=f"This prompt has {reading.chars:,} characters: too many to follow line by line. "
            "The history of each section can still be seen."
        )
    found = found_in(row, rows)
    if found is None:
        return Blamed(problem="An earlier turn of this session can't be read as it was posted.")
    first = rows[0].seq
    lines: dict[int, Brought] = {}
    for each in found:
        who = Who(f"turn {each.seq}", words(each), links.line(each.turn, each.from_line))
        age = age_of(each.seq, first, row.seq)
        for line in range(each.line, each.end_line + 1):
            lines[line] = Brought(age, line == each.line, who)
    return Blamed(lines, oldest=first if more else None)


def words(each: Blame) -> str:
    """Who brought it and as what."""
    name = card(each.kind).name.lower()
    said = ", as the model had said it in the turn before" if each.said else ""
    return f"Brought by turn {each.seq} in {name}{said}"


def affordable(row: Row) -> tuple[list[Row], bool]:
    """The latest turns up to this one that fit, oldest first, and whether there are more. None: too large."""
    rows: list[Row] = []
    room = LETTERS - row.prompt_chars
    latest = list(alike(row).filter(seq__lte=row.seq).order_by("-seq")[: TURNS + 1])
    for each in latest[:TURNS]:
        room -= each.prompt_chars if rows else 0
        if room < 0:
            break
        rows.append(each)
    return rows[::-1], len(latest) > len(rows)


def found_in(row: Row, rows: Sequence[Row]) -> tuple[Blame, ...] | None:
    """The blame of a turn, found once for the panels of a page; None when a turn can't be opened."""
    key = f"blame:{row.pk}:{row.read_with}:{row.answered}:{len(rows)}"
    kept = cache.get(key)
    if isinstance(kept, tuple):
        return kept
    try:
        found = blame(Texts(rows))
    except (NotFound, Damaged, TurnError):
        return None
    cache.set(key, found, KEPT)
    return found
