"""MetaGPT's messages joined into one text, as its cache and its models without roles have them.

The system's sentences come first, ``#MSG_SEP#`` between them; what ``#SYSTEM_MSG_END#`` ends is the user's.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import islice

from inspector.turns.dialects.card import Piece

MAX_PARTS = 200
"""Parts told apart in one text; the last one holds the rest."""
_END = re.compile(r"(?<![\"'])#SYSTEM_MSG_END#(?![\"'])")
_BETWEEN = re.compile(r"#(?:MSG_SEP|SYSTEM_MSG_END)#")


def users_part(text: str) -> int:
    """Where the user's part of a joined text begins; 0: the text is not joined. Code quotes the mark."""
    at = text.find("#SYSTEM_MSG_END#")  # most prompts hold none, and are found out fast
    found = _END.search(text, at) if at >= 0 else None
    return found.end() if found else 0


def joined(text: str, start: int, inside: Callable[[str], Sequence[Piece]]) -> list[Piece]:
    """The system's parts as one section each, and the user's part (from ``start`` on) by ``inside``."""
    pieces = []
    at = 0
    for mark in islice(_BETWEEN.finditer(text, 0, start), MAX_PARTS):
        pieces.append(
            Piece(at, mark.end(), "instructions", "System message", "system", "role", at, mark.start())
        )
        at = mark.end()
    if pieces and at < start:
        pieces[-1] = replace(pieces[-1], end=start)
    asked = [piece.moved(start) for piece in inside(text[start:])]
    return [*pieces, *(asked or [Piece(start, len(text), "updates", "User message", "user", "role", start)])]
