"""The unchanged lines of a gap in a comparison, opened in place."""

from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest

from inspector.turns.changes.change import Line
from inspector.turns.turn import ReadTurn
from inspector.web.comparison.rows import Pair, Room, Row, line_code, pairs_of
from inspector.web.markup import EMPTY
from inspector.web.numbers import number

LINES = 200
"""Lines that one opening brings; the rest stays a gap."""


@dataclass(frozen=True, slots=True)
class Opened:
    """The rows that take the gap's place."""

    rows: tuple[Row, ...]
    pairs: tuple[Pair, ...]


def lines_from(read: ReadTurn, first: int, count: int) -> list[str]:
    """Lines of the whole prompt by number; only the messages that hold them are taken apart."""
    found: list[str] = []
    facts = read.reading.messages
    for index, fact in enumerate(facts):
        end = facts[index + 1].line if index + 1 < len(facts) else read.reading.lines + 1
        wanted = first + len(found)
        if not fact.line <= wanted < end:
            continue
        lines = read.turn.messages[index].text.split("\n")
        found += lines[wanted - fact.line : end - fact.line][: count - len(found)]
        if len(found) >= count:
            break
    return found


def opened(read: ReadTurn, new: int, was: int, count: int, split: bool) -> Opened:
    """``count`` lines from line ``new`` on, which is line ``was`` of the older prompt."""
    rows: list[Row] = []
    room = Room()
    for offset, text in enumerate(lines_from(read, new, min(count, LINES))):
        line = Line("=", text, (), was + offset, new + offset)
        row = Row("", "", line.old_line, line.new_line, line_code(line))
        if not room.takes(row, split) and rows:
            break
        rows.append(row)
    left = min(count, read.reading.lines + 1 - new) - len(rows)
    if left > 0 and rows:
        rows.append(Row("gap", "", None, new + len(rows), EMPTY, left, was + len(rows)))
    return Opened(tuple(rows), tuple(pairs_of(rows)) if split else ())


def gap_of(request: HttpRequest, read: ReadTurn, split: bool) -> dict[str, Any] | None:
    """What the template needs when the address asks for a gap; None when it asks for the page."""
    new, was, count = (number(request, name) for name in ("gap", "was", "count"))
    if not new or not was or not count:
        return None
    return {"opened": opened(read, new, was, count, split)}
