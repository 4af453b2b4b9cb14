"""The parts of a prompt that its author wrote, cut by headings or by how lines begin."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice

from inspector.turns.dialects.card import Piece
from inspector.turns.dialects.names import kind_of
from inspector.turns.dialects.outline import slug
from inspector.turns.turn import Kind, Syntax

MAX_HEADINGS = 500
"""Headings told apart in one stretch; what follows the last one is part of it."""
_HEADING = re.compile(r"^##[ \t]+([^\n]+)$", re.MULTILINE)
_RULE_ABOVE = re.compile(r"(?:^|\n)(-{3,})[ \t\r]*\n[ \t\r\n]*\Z")


@dataclass(frozen=True, slots=True)
class Lead:
    """A part that begins with a known line."""

    words: str
    """How its first line begins."""
    kind: Kind
    title: str


def by_headings(text: str, start: int, end: int) -> list[Piece]:
    """Pieces of a stretch by its second-level headings; a rule above one belongs to it."""
    headings = islice(_HEADING.finditer(text, start, end), MAX_HEADINGS)
    marks = [(_with_rule(text, start, match.start()), match) for match in headings]
    pieces = _first(text, start, marks[0][0] if marks else end)
    for index, (at, match) in enumerate(marks):
        limit = marks[index + 1][0] if index + 1 < len(marks) else end
        words = match[1].strip()
        title = words.split(" of High-Quality", 1)[0]
        kind = kind_of(title) or "instructions"
        if title.startswith("Response Format"):
            kind = "format"
        pieces.append(
            Piece(at, limit, kind, title, slug(title), "heading", min(match.end() + 1, limit), limit)
        )
    return pieces


def by_leads(text: str, start: int, end: int, leads: Sequence[Lead]) -> list[Piece]:
    """Pieces of a stretch by known first lines in their order; what comes before the first is its role."""
    marks: list[tuple[int, Lead]] = []
    at = start
    for lead in leads:
        place = line_start(text, lead.words, at, end)
        if place >= 0:
            marks.append((place, lead))
            at = place + len(lead.words)
    pieces = _first(text, start, marks[0][0] if marks else end)
    for index, (place, lead) in enumerate(marks):
        limit = marks[index + 1][0] if index + 1 < len(marks) else end
        syntax: Syntax = "heading" if lead.words.startswith("#") else "text"
        line = text.find("\n", place, limit) + 1 or limit
        body = line if text[place:line].strip() == lead.words or syntax == "heading" else place
        pieces.append(Piece(place, limit, lead.kind, lead.title, slug(lead.title), syntax, body, limit))
    return pieces


def line_start(text: str, words: str, start: int, end: int) -> int:
    """Where a line first begins with these words, or -1."""
    if text.startswith(words, start) and (start == 0 or text[start - 1] == "\n"):
        return start
    place = text.find(f"\n{words}", start, end)
    return place + 1 if place >= 0 else -1


def _first(text: str, start: int, end: int) -> list[Piece]:
    """What stands before the first known part."""
    if not text[start:end].strip():
        return []
    if start == 0:
        return [Piece(start, end, "instructions", "Role", "role")]
    return [Piece(start, end, "other", "Text", "text")]


def _with_rule(text: str, start: int, at: int) -> int:
    above = text[max(start, at - 80) : at]
    rule = _RULE_ABOVE.search(above)
    return at - len(above) + rule.start(1) if rule else at
