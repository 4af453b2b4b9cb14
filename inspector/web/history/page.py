"""What a section's history shows: its versions, the chosen one line by line, and what changed in it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from django.utils.safestring import SafeString

from inspector.store.models import Turn as Row
from inspector.turns.changes.hunks import Limits, hunks
from inspector.turns.changes.numbered import Numbered
from inspector.web.comparison.rows import Room, rows_of
from inspector.web.comparison.rows import Row as DiffRow
from inspector.web.figures.steps import Size, Steps, steps
from inspector.web.highlight import PROMPT, Span, highlighted
from inspector.web.history.versions import Opened, Version, Versions, window_of
from inspector.web.links import section_query
from inspector.web.markup import LONGEST, worded
from inspector.web.turn.origins import age_of

DIFF_NODES = 800
NODES = 900
"""Elements of the lines on one page."""
LETTERS = 60_000
GONE = 20
"""Lines that are named of those that went."""
BY_TURN = 16
"""Most turns that have a column each; a longer session has one a version."""

type Href = Callable[[str], str]


@dataclass(frozen=True, slots=True)
class Column:
    """One step of the slider."""

    title: str
    words: str
    href: str
    here: bool
    same: bool


@dataclass(frozen=True, slots=True)
class BlameLine:
    """One line of the chosen version."""

    number: int
    code: SafeString
    age: int
    here: str
    """The line in this turn."""
    who: str = ""
    """Empty on all but the first line of a run."""
    at: datetime | None = None
    href: str = ""
    """The line in the turn that brought it."""


@dataclass(frozen=True, slots=True)
class GoneLine:
    """A line that is no longer there."""

    who: str
    href: str
    code: SafeString


@dataclass(frozen=True, slots=True)
class Places:
    """Addresses that the page needs."""

    here: str
    """This page without its query."""
    path: str
    turn: Href

    def at(self, seq: int) -> str:
        """This section's history, at a turn."""
        return f"{self.here}?{query(self.path, seq)}"

    def line(self, key: str, line: int) -> str:
        """A line of a turn."""
        return f"{self.turn(key)}?line={line}#L{line}"


def query(path: str, seq: int) -> str:
    """What the address of a section's history asks for."""
    return f"{section_query(path)}&seq={seq}"


def step_words(version: Version, before: Version | None) -> str:
    """``v5 +1 −0``, or the difference in tokens where lines were not followed."""
    if version.same_as:
        return f"v{version.number} = v{version.same_as}"
    if version.step is not None:
        return f"v{version.number} +{version.step.added} \u2212{version.step.removed}"
    delta = version.section.tokens - before.section.tokens if before else version.section.tokens
    sign = "+" if delta >= 0 else "\u2212"
    return f"v{version.number} {sign}{abs(delta):,} tok"


def columns_of(
    versions: Versions, rows: Sequence[Row], chosen: int, seq: int, places: Places
) -> tuple[list[Column], Steps]:
    """The slider and the drawing under it: a column a turn in a short session, else a column a version."""
    found = versions.found
    low, high = window_of(found, chosen)
    columns: list[Column] = []
    sizes: list[Size] = []
    for index in range(low, high):
        version = found[index]
        words = step_words(version, found[index - 1] if index else None)
        shown = version.words if len(rows) > BY_TURN else f"turn {version.first.seq}"
        inside = _rows_of(version, rows) if len(rows) <= BY_TURN else [version.first]
        here = index == chosen and (
            seq == version.first.seq or len(rows) > BY_TURN or seq not in _seqs(inside)
        )
        columns.append(Column(shown, words, places.at(version.first.seq), here, False))
        sizes.append(_size(version, shown, places))
        for row in inside[1:]:
            columns.append(
                Column(
                    f"turn {row.seq}",
                    f"= v{version.number}",
                    places.at(row.seq),
                    index == chosen and seq == row.seq,
                    True,
                )
            )
            title = f"Turn {row.seq}: {version.section.tokens:,} tokens, unchanged"
            sizes.append(Size(version.section.tokens, 0, 0, title, places.at(row.seq)))
    return columns, steps(sizes)


def _rows_of(version: Version, rows: Sequence[Row]) -> list[Row]:
    return [row for row in rows if version.first.seq <= row.seq <= version.last.seq]


def _seqs(rows: Sequence[Row]) -> set[int]:
    return {row.seq for row in rows}


def _size(version: Version, words: str, places: Places) -> Size:
    # The first version of all brought every line: its bar would dwarf what changed later.
    counted = version.step if version.number > 1 else None
    added, removed = (counted.added, counted.removed) if counted else (0, 0)
    title = f"{words.capitalize()}: {version.section.tokens:,} tokens"
    if version.step:
        title += f", {version.step.added} lines in, {version.step.removed} out"
    return Size(version.section.tokens, added, removed, title, places.at(version.first.seq))


# ---------------------------------------------------------------- the chosen version


def spans_of(lines: Sequence[str]) -> Sequence[Sequence[Span]]:
    """These lines in colour."""
    return highlighted("\n".join(line[: LONGEST + 1] for line in lines), PROMPT)


def blame_lines(
    opened: Opened, chosen: Version, places: Places, base_line: int
) -> tuple[list[BlameLine], int]:
    """The lines that fit, and how many don't."""
    lines, origins = opened.lines, opened.ancestry.origins
    first, last = opened.versions[0].first.seq, opened.versions[-1].first.seq
    shown: list[BlameLine] = []
    room, letters = NODES, LETTERS
    before: int | None = None
    for index, spans in enumerate(spans_of(lines[: NODES // 6])):
        letters -= min(len(lines[index]), LONGEST)
        room -= 6 + sum(1 for span in spans if span.css)
        if shown and (room < 0 or letters < 0):
            break
        who = opened.versions[origins[index]]
        code = worded(spans if len(lines[index]) <= LONGEST else [Span("", lines[index])], (), "ins")
        here = places.line(chosen.first.key, base_line + index)
        line = BlameLine(base_line + index, code, age_of(who.first.seq, first, last), here)
        if origins[index] != before:
            line = introduced(line, who, places, opened.texts[origins[index]].index(lines[index]))
        shown.append(line)
        before = origins[index]
    return shown, len(lines) - len(shown)


def introduced(line: BlameLine, who: Version, places: Places, at: int) -> BlameLine:
    """The line with the turn that brought it, where it stood on the ``at``-th line of the section."""
    return replace(
        line,
        who=f"turn {who.first.seq}",
        at=who.first.started_at or who.first.received_at,
        href=places.line(who.first.key, who.section.line + at),
    )


def gone_lines(opened: Opened, places: Places) -> tuple[list[GoneLine], int]:
    """The lines that went, the latest first, and how many are not named."""
    gone = opened.ancestry.gone[::-1]
    shown = [
        GoneLine(
            f"turn {opened.versions[each.version].first.seq}",
            places.at(opened.versions[each.version].first.seq),
            worded(spans_of([each.text[:2_000]])[0], (), "del"),
        )
        for each in gone[:GONE]
    ]
    return shown, len(gone) - len(shown)


@dataclass(frozen=True, slots=True)
class Diff:
    """What changed since the version before; named as the comparison's templates ask for it."""

    rows: list[DiffRow]
    left_out: int
    coarse: bool


def diff_of(opened: Opened, before: Version, chosen: Version) -> Diff | None:
    """The hunks against the version before."""
    if opened.before is None:
        return None
    limits = Limits.fresh()
    old, new = _numbered(opened.before, before), _numbered(opened.lines, chosen)
    rows, left = rows_of(hunks(old, new, limits), False, Room(DIFF_NODES, LETTERS))
    return Diff(rows, left, limits.coarse)


def _numbered(lines: list[str], version: Version) -> Numbered:
    return Numbered(lines, list(range(version.section.line, version.section.line + len(lines))))
