"""A message that is a row of blocks, each a tag at a line's start with its matching end, prose between."""

from collections.abc import Callable

from inspector.turns.dialects.card import Piece
from inspector.turns.dialects.names import words_of
from inspector.turns.scan import Mark, attributes_of, scan
from inspector.turns.turn import Kind

MAX_BLOCKS = 500
"""Blocks told apart in one message; what follows is prose."""


def blocks(
    text: str,
    kind_of: Callable[[str], Kind | None],
    *,
    prose: tuple[Kind, str] = ("instructions", "Identity"),
) -> list[Piece]:
    """The blocks of a text. ``kind_of`` answers None for tags that are none; ``prose``: what stands first."""
    pieces: list[Piece] = []
    at = 0
    for mark in scan(text).marks:
        if mark.sort != "tag" or mark.start < at or mark.close_start < 0 or len(pieces) >= MAX_BLOCKS:
            continue
        kind = kind_of(mark.name)
        if kind is None or "\n" not in text[mark.end : mark.close_start]:
            continue
        if text[at : mark.start].strip():
            pieces.append(_prose(at, mark.start, prose))
        pieces.append(_block(mark, kind))
        at = mark.close_end
    if pieces and text[at:].strip():
        pieces.append(_prose(at, len(text), prose))
    return pieces


def _prose(start: int, end: int, prose: tuple[Kind, str]) -> Piece:
    kind, title = prose if start == 0 else (prose[0], "Text")
    return Piece(start, end, kind, title, title.lower(), "text", start, end)


def _block(mark: Mark, kind: Kind) -> Piece:
    attributes = attributes_of(mark.attributes)
    title = words_of(mark.name).title()
    return Piece(
        mark.start,
        mark.close_end,
        kind,
        title,
        mark.name,
        "tag",
        mark.end,
        mark.close_start,
        attributes=attributes,
    )
