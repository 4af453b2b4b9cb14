"""What a visitor of a link would see, before there is one: how much, and what masking covers."""

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from inspector.sharing.cover import texts_of
from inspector.sharing.masking import masked
from inspector.store.errors import Damaged, NotFound
from inspector.store.models import Turn as Row
from inspector.store.queries import turns_of
from inspector.store.readings import read_turn_of
from inspector.turns.errors import TurnError
from inspector.turns.redaction import emails_in, secrets_in
from inspector.turns.turn import ReadTurn
from inspector.web.shares.form import Subject

SCANNED = 2_000_000
"""Code points looked through of one choice."""
TURNS = 100
"""Turns looked through of a session."""
PLACES = 6
AROUND = 48


@dataclass(frozen=True, slots=True)
class Place:
    """A line with something to cover, as the visitor would see it."""

    where: str
    text: str


@dataclass(frozen=True, slots=True)
class Preview:
    """One choice of the form."""

    value: str
    name: str
    chosen: bool
    turns: int
    tokens: int
    found: str
    partly: bool
    """Not all of it was looked through."""
    places: tuple[Place, ...]


def rows_of(subject: Subject, scope: str) -> list[Row]:
    """The turns that a link of this scope would open."""
    if scope == "session":
        return list(turns_of(subject.session))
    both = [subject.old_turn, subject.turn] if scope == "comparison" else [subject.turn]
    return [row for row in both if row is not None]


def texts(subject: Subject, scope: str, rows: Sequence[Row]) -> Iterator[tuple[int, str]]:
    """The texts that would be shown, with the number of their turn."""
    for row in rows[:TURNS]:
        try:
            read = read_turn_of(row)
        except (NotFound, Damaged, TurnError):
            continue
        if scope == "section":
            yield row.seq, section_text(read, subject.section)
        else:
            yield from ((row.seq, text) for text in texts_of(read))


def section_text(read: ReadTurn, path: str) -> str:
    """The section's text; empty when a reading has none of this path."""
    found = next((section for section in read.reading.sections if section.path == path), None)
    return read.turn.messages[found.message].text[found.start : found.end] if found else ""


def tokens_of(subject: Subject, scope: str, rows: Sequence[Row]) -> int:
    """How much it is."""
    if scope != "section" or subject.turn is None:
        return sum(row.prompt_tokens + row.response_tokens for row in rows)
    try:
        sections = read_turn_of(subject.turn).reading.sections
    except (NotFound, Damaged, TurnError):
        return 0
    return next((section.tokens for section in sections if section.path == subject.section), 0)


def preview(subject: Subject, value: str, name: str, chosen: bool, mask: Collection[str]) -> Preview:
    """What this choice would show."""
    rows = rows_of(subject, value)
    counts: Counter[str] = Counter()
    places: list[Place] = []
    seen: set[str] = set()
    left = SCANNED
    for seq, text in texts(subject, value, rows):
        if left <= 0:
            break
        part, left = text[:left], left - len(text)
        finds = sorted([*secrets_in(part), *emails_in(part)])
        counts.update(name for _, _, name in finds)
        if chosen and finds and len(places) < PLACES:
            places += new_places(seq, masked(part, mask), finds, seen)
    return Preview(
        value,
        name,
        chosen,
        len(rows),
        tokens_of(subject, value, rows),
        ", ".join(f"{count:,} × {what}" for what, count in counts.most_common(6)),
        left <= 0 or len(rows) > TURNS,
        tuple(places[:PLACES]),
    )


def new_places(seq: int, covered: str, finds: Sequence[tuple[int, int, str]], seen: set[str]) -> list[Place]:
    """The lines of these finds that were not shown yet, covered."""
    found = []
    for start, end, _ in finds[: 4 * PLACES]:
        low = max(covered.rfind("\n", 0, start) + 1, start - AROUND)
        stop = covered.find("\n", end)
        high = min(len(covered) if stop < 0 else stop, end + AROUND)
        line = covered[low:high][:300]
        if line not in seen:
            seen.add(line)
            found.append(Place(f"turn {seq}", line))
    return found[:PLACES]
