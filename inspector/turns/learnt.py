"""Values of a section that change by themselves, learnt from the turns that show it.

A line is followed from turn to turn; what stays of it is its pattern, what does not are its values. Unlike
``volatile``, which knows clocks and ids by their form, this finds whatever changes at most turns.
"""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice, pairwise
from typing import Literal

from inspector.turns.changes.hunks import paired_lines
from inspector.turns.changes.lines import edits
from inspector.turns.changes.sequence import Budget
from inspector.turns.changes.words import changed_words
from inspector.turns.turn import ReadTurn, Section
from inspector.turns.volatile import PATTERN, Value, values_in

type Name = Literal["clock", "date", "id", "counter", "number", "text"]

TIMES = 2
"""Fewest turns that must have changed a value."""
OFTEN = 0.6
"""Share of the turns that must have."""
MOSTLY = 0.75
"""Share of its values that must have a form for all to be called by it."""
LONGEST = 64
"""Longest value, in code points; what is longer is text that is written anew."""
LINE_MAX = 2_000
"""Longest line that is looked into."""
FIXED = 4
"""Fewest letters and digits of a line that stay, unless its values are known by their form."""
PIECES = 100
"""Most changed pieces of a line that is looked into."""
COMPARED = 6
"""Earlier versions of a line that its latest one is held against."""
SAMPLES = 4
FOUND = 200
"""Most lines that are told."""
RANDOM = re.compile(r"(?=\S*[0-9])(?=\S*[A-Za-z])[\w.:-]{6,64}")
PARTED = 2
"""Longest stretch of marks, in code points, that does not part two changed pieces of one value."""


@dataclass(frozen=True, slots=True)
class Slot:
    """One value of a line."""

    name: Name
    changed: int
    """Turns that changed it …"""
    seen: int
    """… of those that could have."""
    samples: tuple[str, ...]
    """The latest values, the latest one last."""


@dataclass(frozen=True, slots=True)
class Pattern:
    """A line as it stays: ``fixed`` has one piece more than there are slots."""

    fixed: tuple[str, ...]
    slots: tuple[Slot, ...]
    line: int
    """Index of the line in the latest version."""

    def values(self, line: str) -> tuple[str, ...] | None:
        """The values of a line that fits; None when it does not."""
        return _values(self.fixed, line)


type Chain = list[tuple[str, int]]
"""A line's versions, oldest first, each with the turns that it stayed."""


def learn(versions: Sequence[Sequence[str]], turns: Sequence[int] = ()) -> tuple[Pattern, ...]:
    """What changes by itself in a text, given its versions as lines, oldest first.

    ``turns``: how many turns in a row had each version; one each if not given.
    """
    budget, words = Budget(steps=600_000, cells=100_000_000), Budget(steps=600_000, cells=50_000_000)
    chains: list[Chain] = []
    before: Sequence[str] = ()
    for lines, count in zip(versions, turns or [1] * len(versions), strict=True):
        chains = _carried(before, lines, chains, budget)
        for line, chain in zip(lines, chains, strict=True):
            chain.append((line, count))
        before = lines
    found = (_pattern(chain, index, words) for index, chain in enumerate(chains))
    return tuple(islice((pattern for pattern in found if pattern is not None), FOUND))


def _carried(old: Sequence[str], new: Sequence[str], chains: Sequence[Chain], budget: Budget) -> list[Chain]:
    """The chains of the new lines: those of the lines that stayed, and of those that are versions of one."""
    carried: list[Chain] = []
    at = 0
    for edit in edits(old, new, budget):
        carried += chains[at : edit.old_start]
        older = {right: left for left, right in paired_lines(edit, old, new, budget)}
        places = range(edit.new_start, edit.new_end)
        carried += [chains[older[place]] if place in older else [] for place in places]
        at = edit.old_end
    return [*carried, *chains[at:]]


def _pattern(chain: Chain, line: int, budget: Budget) -> Pattern | None:
    """The pattern of a line; None when nothing of it changes often enough."""
    latest = chain[-1][0]
    if len(chain) <= TIMES or len(latest) > LINE_MAX or len({text for text, _ in chain}) < TIMES:
        return None
    spans = _spans(chain, budget)
    fixed = _outside(latest, spans)
    fitting = [(values, count) for text, count in chain if (values := _values(fixed, text)) is not None]
    slots = [_slot([(values[at], count) for values, count in fitting]) for at in range(len(spans))]
    return _told(latest, spans, slots, line) if any(slots) else None


def _told(
    latest: str, spans: Sequence[tuple[int, int]], slots: Sequence[Slot | None], line: int
) -> Pattern | None:
    """The pattern of the values that are volatile; the others count as fixed text."""
    kept = [(span, slot) for span, slot in zip(spans, slots, strict=True) if slot is not None]
    fixed = _outside(latest, [span for span, _ in kept])
    known = all(slot.name not in ("text", "number") for _, slot in kept)
    if not known and sum(map(str.isalnum, "".join(fixed))) < FIXED:
        return None
    return Pattern(fixed, tuple(slot for _, slot in kept), line)


def _spans(chain: Chain, budget: Budget) -> list[tuple[int, int]]:
    """The stretches of the latest version that earlier ones have otherwise, each a whole value."""
    latest = chain[-1][0]
    earlier = list(dict.fromkeys(text for text, _ in reversed(chain) if text != latest))
    found = {span for text in earlier[:COMPARED] for span in changed_words(text, latest, budget)[1]}
    if len(found) > PIECES:
        return []
    values = values_in(latest)
    wide = [_widened(values, *span) for span in found if span[0] < span[1]]
    joined: list[tuple[int, int]] = []
    for start, end in sorted(wide):
        if joined and (start <= joined[-1][1] or _is_mark(latest[joined[-1][1] : start])):
            joined[-1] = (joined[-1][0], max(end, joined[-1][1]))
        else:
            joined.append((start, end))
    return joined


def _widened(values: Sequence[Value], start: int, end: int) -> tuple[int, int]:
    """A changed stretch with the whole values that it touches."""
    for value in values:
        if value.start < end and start < value.end:
            start, end = min(start, value.start), max(end, value.end)
    return start, end


def _is_mark(between: str) -> bool:
    return len(between) <= PARTED and not any(each.isalnum() or each.isspace() for each in between)


def _outside(line: str, spans: Sequence[tuple[int, int]]) -> tuple[str, ...]:
    bounds = [0, *(bound for span in spans for bound in span), len(line)]
    return tuple(line[start:end] for start, end in zip(bounds[::2], bounds[1::2], strict=True))


def _values(fixed: Sequence[str], line: str) -> tuple[str, ...] | None:
    """What stands between the fixed pieces of a line."""
    first, last = fixed[0], fixed[-1]
    if not line.startswith(first) or not line.endswith(last) or len(line) < len(first) + len(last):
        return None
    at, end = len(first), len(line) - len(last)
    values: list[str] = []
    for piece in fixed[1:-1]:
        there = line.find(piece, at, end)
        if there < 0:
            return None
        values.append(line[at:there])
        at = there + len(piece)
    return (*values, line[at:end])


def _slot(values: Chain) -> Slot | None:
    """A value that changed often enough; ``values`` with the turns that each stayed, oldest first."""
    changed = sum(before != after for (before, _), (after, _) in pairwise(values))
    seen = sum(count for _, count in values) - 1
    texts = [text for text, _ in values]
    if changed < TIMES or changed < OFTEN * max(seen, 1) or max(map(len, texts)) > LONGEST:
        return None
    distinct = list(dict.fromkeys(reversed(texts)))
    return Slot(_name(texts), changed, seen, tuple(reversed(distinct[:SAMPLES])))


def _name(texts: Sequence[str]) -> Name:
    """What kind of value it is, by nearly all that were seen."""
    groups = Counter(match.lastgroup if (match := PATTERN.fullmatch(text)) else None for text in texts)
    group, count = groups.most_common(1)[0]
    if group == "counter" and count == len(texts):
        return "counter" if _climbs(texts) else "number"
    if group in ("clock", "date", "id") and count >= MOSTLY * len(texts):
        return group  # type: ignore[return-value]
    return "id" if all(RANDOM.fullmatch(text) for text in texts) else "text"


def _climbs(texts: Sequence[str]) -> bool:
    """Whole numbers that only go up, or only down."""
    if not all(text.isdecimal() and len(text) <= 15 for text in texts):
        return False
    numbers = [int(text) for text in texts]
    steps = {later > earlier for earlier, later in pairwise(numbers) if later != earlier}
    return len(steps) == 1


def masked_by(patterns: Sequence[Pattern], line: str) -> str:
    """The line without the values that are known to change by themselves."""
    for pattern in patterns:
        if pattern.values(line) is not None:
            return "\0".join(pattern.fixed)
    return line


# ---------------------------------------------------------------- sections of a session


def restless_in(session: Sequence[ReadTurn]) -> list[str]:
    """Paths of the sections that changed at least twice, in the order of the latest prompt."""
    counts: Counter[str] = Counter()
    for before, after in pairwise(session):
        olds = {section.path: section.digest for section in before.reading.sections}
        counts.update(
            section.path
            for section in after.reading.sections
            if section.path in olds and olds[section.path] != section.digest
        )
    latest = session[-1].reading.sections if session else ()
    return [section.path for section in latest if counts[section.path] >= TIMES]


def learn_sections(session: Sequence[ReadTurn], paths: Sequence[str]) -> dict[str, tuple[Pattern, ...]]:
    """What changes by itself in these sections, over turns with their texts, oldest first."""
    wanted = set(paths)
    versions: dict[str, list[tuple[str, list[str], int]]] = {path: [] for path in paths}
    for read in session:
        for section in read.reading.sections:
            if section.path in wanted and section.message < len(read.turn.messages):
                _add(versions[section.path], section, read)
    found = {
        path: learn([lines for _, lines, _ in seen], [count for _, _, count in seen])
        for path, seen in versions.items()
    }
    return {path: patterns for path, patterns in found.items() if patterns}


def _add(seen: list[tuple[str, list[str], int]], section: Section, read: ReadTurn) -> None:
    """One more turn of a section; its text is only taken where it is another one."""
    if seen and seen[-1][0] == section.digest:
        digest, lines, count = seen[-1]
        seen[-1] = (digest, lines, count + 1)
        return
    text = read.turn.messages[section.message].text
    seen.append((section.digest, text[section.start : section.end].split("\n"), 1))
