"""A prompt of lines that each begin with what they tell of: ``Context: chat(7)``. Prose goes between."""

import re
from itertools import islice

from inspector.turns.dialects.card import Piece
from inspector.turns.dialects.names import kind_of
from inspector.turns.dialects.outline import cues_answer, slug

MAX_LINES = 200
"""Keyed lines told apart in one text; what follows the last one belongs to it."""
_KEYED = re.compile(r"^([A-Z][\w ]{1,30}):(?=[ \t])", re.MULTILINE)


def keyed_lines(text: str) -> list[Piece]:
    """The pieces of a text that has at least two such lines of known kinds; else none."""
    known = ((match, kind_of(match[1])) for match in _KEYED.finditer(text))
    marks = [(match, kind) for match, kind in islice(known, MAX_LINES) if kind]
    if len(marks) < 2:
        return []
    pieces: list[Piece] = []
    for index, (match, kind) in enumerate(marks):
        limit = marks[index + 1][0].start() if index + 1 < len(marks) else len(text)
        blank = text.find("\n\n", match.start(), limit)
        end = blank + 2 if blank >= 0 else limit
        start = match.start() if pieces else 0
        pieces.append(Piece(start, end, kind, match[1], slug(match[1]), "label", match.end(), end))
        pieces += _prose(text, end, limit)
    return pieces


def _prose(text: str, start: int, end: int) -> list[Piece]:
    if not text[start:end].strip():
        return []
    if cues_answer(text, start):
        return [Piece(start, end, "format", "Response Format", "response-format", "text", start, end)]
    return [Piece(start, end, "instructions", "Text", "text", "text", start, end)]
