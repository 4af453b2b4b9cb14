"""Lines of a comparison as rows: one above the other or side by side, within what a page may hold."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from django.utils.safestring import SafeString

from inspector.turns.changes.change import Hunk, Line
from inspector.web.highlight import Span, highlighted, plain
from inspector.web.markup import EMPTY, worded

NODES = 2_300
"""Elements of one page's panels."""
PANEL_NODES, ROW_NODES, PAIR_NODES = 30, 6, 11
LETTERS = 60_000
"""Code points of changed text in one page."""


@dataclass(frozen=True, slots=True)
class Row:
    """One line of a unified diff, or a gap."""

    css: str
    sign: str
    old: int | None
    new: int | None
    code: SafeString
    gap: int = 0
    """Unchanged lines that are left out here; 0 for a line."""
    was: int | None = None
    """Number of the gap's first line in the older prompt."""


@dataclass(frozen=True, slots=True)
class Pair:
    """Two sides of a split diff; None where a side has no line."""

    left: Row | None
    right: Row | None
    gap: int = 0
    new: int | None = None
    was: int | None = None


def line_code(line: Line) -> SafeString:
    """A line with its colours and its changed words."""
    spans: Sequence[Span] = (highlighted(line.text) if len(line.text) < 4_000 else plain(line.text))[0]
    tag = "del" if line.op == "-" else "ins"
    return worded(spans, line.words if line.op != "=" else (), tag)


@dataclass
class Room:
    """What is left on the page."""

    nodes: int = NODES
    letters: int = LETTERS

    def takes(self, row: Row, split: bool) -> bool:
        """Whether the row still fits; it is then counted."""
        own = PAIR_NODES if split and row.css != "del" else ROW_NODES
        self.nodes -= own + row.code.count("</")
        self.letters -= len(row.code) // 2
        return self.nodes > 0 and self.letters > 0


def all_rows(hunks: Sequence[Hunk]) -> Iterator[Row]:
    """Rows of all hunks with the gaps between them."""
    last: int | None = None
    for hunk in hunks:
        if last is not None and hunk.new_line > last:
            gap = hunk.new_line - last
            yield Row("gap", "", None, last, EMPTY, gap, hunk.old_line - gap)
        for line in hunk.lines:
            css, sign = {"+": ("add", "+"), "-": ("del", "−")}.get(line.op, ("", ""))
            yield Row(css, sign, line.old_line, line.new_line, line_code(line))
            last = line.new_line + 1 if line.new_line is not None else last


def rows_of(hunks: Sequence[Hunk], split: bool, room: Room) -> tuple[list[Row], int]:
    """The rows that fit, and how many lines are left out."""
    rows: list[Row] = []
    for row in all_rows(hunks):
        if not room.takes(row, split):
            break
        rows.append(row)
    total = sum(len(hunk.lines) for hunk in hunks)
    return rows, total - sum(1 for row in rows if not row.gap)


def pairs_of(rows: Sequence[Row]) -> list[Pair]:
    """The same rows side by side: removed lines stand beside the added lines that follow them."""
    pairs: list[Pair] = []
    left: list[Row] = []
    right: list[Row] = []

    def flush() -> Iterator[Pair]:
        for index in range(max(len(left), len(right))):
            yield Pair(
                left[index] if index < len(left) else None, right[index] if index < len(right) else None
            )
        left.clear()
        right.clear()

    for row in rows:
        if row.css == "del" and not right:
            left.append(row)
        elif row.css == "add":
            right.append(row)
        else:
            pairs.extend(flush())
            if row.css == "del":
                left.append(row)
            elif row.gap:
                pairs.append(Pair(None, None, row.gap, row.new, row.was))
            else:
                pairs.append(Pair(row, row))
    pairs.extend(flush())
    return pairs
