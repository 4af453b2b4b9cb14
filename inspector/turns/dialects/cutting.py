"""A turn's messages cut by what a dialect knows of them, and by their own outlines where it knows nothing."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from inspector.turns.dialects.card import Cut, Note, Piece
from inspector.turns.dialects.chat import Chat
from inspector.turns.dialects.names import own_kind
from inspector.turns.dialects.outline import slug
from inspector.turns.turn import Kind, Turn

Knife = Callable[[int, list[Note]], Sequence[Piece]]
"""Cuts the message of an index; no pieces: the dialect knows nothing of it. Adds what it saw to the notes."""


def cut(turn: Turn, kinds: Mapping[str, str], knife: Knife, layout: str | None = None) -> Cut:
    """All messages of a turn, the project's own kinds put in."""
    chat = Chat(turn, kinds)
    notes: list[Note] = []
    messages: list[tuple[Piece, ...]] = []
    for index, message in enumerate(turn.messages):
        pieces = tuple(knife(index, notes)) if message.text else ()
        messages.append(by_project(pieces, kinds) if pieces else chat.pieces(index))
    return Cut(tuple(messages), layout, (*notes, *chat.notes))


def by_project(pieces: Sequence[Piece], kinds: Mapping[str, str]) -> tuple[Piece, ...]:
    """Pieces with the kinds that a project gives their names; what it calls none joins the one before it."""
    if not kinds:
        return tuple(pieces)
    kept: list[Piece] = []
    for piece in pieces:
        own = own_kind(piece.title, kinds) or own_kind(piece.name, kinds)
        if own == "none" and kept:
            kept[-1] = replace(kept[-1], end=piece.end, body_end=piece.end)
        elif own and own != "none":
            kept.append(piece.with_kind(own))
        else:
            kept.append(replace(piece, children=by_project(piece.children, kinds)))
    return tuple(kept)


def headed(
    text: str, pieces: Sequence[Piece], kind: Kind = "instructions", title: str = "Role"
) -> list[Piece]:
    """Pieces with what stands before the first one, which has no title of its own."""
    first = pieces[0].start if pieces else len(text)
    if not text[:first].strip():
        return list(pieces)
    return [Piece(0, first, kind, title, slug(title), "text", 0, first), *pieces]


def limits(starts: Sequence[int], end: int) -> list[int]:
    """Where parts that begin at these places end: each at the next one's start, the last one at ``end``."""
    return [*starts[1:], end] if starts else []
