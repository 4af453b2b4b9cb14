"""The versions of one section over a chain of turns: from outlines alone, texts opened for a few."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from inspector.store.models import Turn as Row
from inspector.store.texts import opened
from inspector.turns.ancestry import Ancestry, Step, ancestry
from inspector.turns.learnt import Pattern, learn
from inspector.turns.turn import Section

WINDOW = 16
"""Versions in the slider."""
LETTERS = 8_000_000
"""Code points of prompts that are opened for one page."""
TOLD_FROM = 2
"""Versions that tell nothing yet of what changes by itself."""
LARGEST = 400_000
"""Code points of a section whose lines are followed."""

type Sections = Sequence[tuple[Section, ...] | None]


@dataclass(slots=True)
class Version:
    """A text that a section had over some turns in a row."""

    number: int
    section: Section
    first: Row
    last: Row
    turns: int = 1
    gap: int = 0
    """Turns without the section before it."""
    same_as: int | None = None
    """Number of an earlier version with this very text."""
    step: Step | None = None
    """None: its lines were not looked at."""

    @property
    def words(self) -> str:
        """``turn 4`` or ``turns 4–6``."""
        one = self.first.seq == self.last.seq
        return f"turn {self.first.seq}" if one else f"turns {self.first.seq}–{self.last.seq}"


@dataclass(slots=True)
class Versions:
    """All of one section."""

    path: str
    found: list[Version] = field(default_factory=list)
    turns: int = 0
    """Turns that show it."""
    pairs: int = 0
    """Turns that could have changed it: those whose turn before was looked at too."""
    changes: int = 0
    """Turns that changed it, brought it or lost it."""


def section_at(sections: tuple[Section, ...] | None, path: str) -> Section | None:
    """The section at a path."""
    return next((each for each in sections or () if each.path == path), None)


def versions_of(rows: Sequence[Row], sections: Sections, path: str) -> Versions:
    """The versions of the section at a path, over turns in order."""
    all_of = Versions(path)
    seen: dict[str, int] = {}
    last: Section | None = None
    gap = 0
    for index, (row, inside) in enumerate(zip(rows, sections, strict=True)):
        section = section_at(inside, path)
        if index:
            all_of.pairs += 1
            all_of.changes += _digest(section) != _digest(last)
        if section is None:
            gap += bool(all_of.found)
        elif last is not None and last.digest == section.digest:
            all_of.found[-1].last = row
            all_of.found[-1].turns += 1
        else:
            number = len(all_of.found) + 1
            all_of.found.append(Version(number, section, row, row, gap=gap, same_as=seen.get(section.digest)))
            seen.setdefault(section.digest, number)
        if section is not None:
            all_of.turns += 1
            gap = 0
        last = section
    return all_of


def _digest(section: Section | None) -> str | None:
    return section.digest if section else None


@dataclass(frozen=True, slots=True)
class Opened:
    """The chosen version's lines, with what is known of versions around it."""

    lines: list[str]
    before: list[str] | None
    """Lines of the version before it."""
    ancestry: Ancestry
    versions: list[Version]
    """Those whose lines were followed, oldest first, up to the chosen one."""
    texts: list[list[str]]
    patterns: tuple[Pattern, ...] = ()
    """What changes by itself over all versions that were opened …"""
    latest: Version | None = None
    """… told by the lines of the latest of them."""


def lines_of(text: str) -> list[str]:
    """Lines; the line end that only closes the last one makes no line of its own."""
    lines = text.split("\n")
    return lines[:-1] if len(lines) > 1 and not lines[-1] else lines


def window_of(versions: Sequence[Version], chosen: int) -> tuple[int, int]:
    """First index of the slider's versions, and the index behind the last."""
    start = max(0, min(chosen - WINDOW // 2, len(versions) - WINDOW))
    return start, min(len(versions), start + WINDOW)


def affordable(versions: Sequence[Version], chosen: int, window: tuple[int, int]) -> tuple[int, int]:
    """The part of the window whose texts may be opened: the chosen one, and those around it that fit."""
    low = high = chosen
    room = LETTERS - versions[chosen].first.prompt_chars
    while True:
        before = low - 1 if low > window[0] else None
        after = high + 1 if high + 1 < window[1] else None
        if before is not None and _fits(versions[before], room if low < chosen else LETTERS):
            room -= versions[before].first.prompt_chars
            low = before
        elif after is not None and _fits(versions[after], room):
            room -= versions[after].first.prompt_chars
            high = after
        else:
            return low, high + 1


def _fits(version: Version, room: int) -> bool:
    return version.section.chars <= LARGEST and version.first.prompt_chars <= room


def open_versions(versions: list[Version], path: str, chosen: int) -> Opened | None:
    """The texts around the chosen version; fills ``step`` of those that were followed. None: text is gone."""
    low, high = affordable(versions, chosen, window_of(versions, chosen))
    texts: list[list[str]] = []
    for read in opened([version.first for version in versions[low:high]]):
        section = section_at(read.reading.sections, path)
        if section is None or section.message >= len(read.turn.messages):
            return None
        texts.append(lines_of(read.turn.messages[section.message].text[section.start : section.end]))
    at = chosen - low
    if versions[chosen].section.chars > LARGEST:
        return Opened(texts[at], None, ancestry([texts[at]]), [versions[chosen]], [texts[at]])
    found = ancestry(texts[: at + 1])
    later = ancestry(texts[at:])
    for version, step in zip(versions[low:high], [*found.steps, *later.steps[1:]], strict=True):
        version.step = step if version.number > low + 1 or low == 0 else None
    turns = [version.turns for version in versions[low:high]]
    return Opened(
        texts[at],
        texts[at - 1] if at else None,
        found,
        versions[low : chosen + 1],
        texts[: at + 1],
        learn(texts, turns) if len(texts) > TOLD_FROM else (),
        versions[high - 1],
    )
