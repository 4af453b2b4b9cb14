"""A dialect's cut made into the section tree: parts that add up to exactly the text, each with its place."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import NamedTuple

from inspector.turns import tokens
from inspector.turns.dialects.card import NO_KINDS, Dialect, Note, Piece
from inspector.turns.memo import Memo
from inspector.turns.turn import Section, Turn

MAX_LABEL = 200
"""Longest title, path segment or attribute value in code points; what is longer is cut."""
_UNFIT_IN_PATH = re.compile("[/#\x00-\x20\x7f\ud800-\udfff]+")
_UNFIT_IN_LABEL = re.compile("[\x00-\x1f\x7f\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class Sections:
    """What a prompt is made of, by one dialect. An empty message has no sections."""

    sections: tuple[Section, ...]
    """Depth first, parents before children, in the prompt's order."""
    layout: str | None = None
    notes: tuple[Note, ...] = ()


class _Placed(NamedTuple):
    """A piece with its place in the tree."""

    piece: Piece
    message: int
    depth: int
    path: str
    line: int
    text: str


def sections_of(
    turn: Turn,
    dialect: Dialect,
    kinds: Mapping[str, str] = NO_KINDS,
    memo: Memo | None = None,
) -> Sections:
    """Cuts a turn's messages by a dialect. Whatever the dialect answers, the sections tile every message."""
    cut = dialect.split(turn, kinds)
    names = _Names()
    placed: list[_Placed] = []
    line = 1
    for index, message in enumerate(turn.messages):
        pieces = cut.messages[index] if index < len(cut.messages) else ()
        tiles = tiled(pieces, len(message.text), message.text)
        placed.extend(_placed(tiles, index, message.text, line, names))
        line += message.text.count("\n") + 1
    return Sections(_finished(placed, memo), cut.layout, cut.notes)


def digest(text: str) -> str:
    """First 16 hex digits of a text's SHA-256, as in ``Section.digest``."""
    return whole_digest(text)[:16]


def tiled(pieces: Iterable[Piece], length: int, text: str) -> list[Piece]:
    """Top-level pieces mended so that they tile a message: clipped, with gaps given to a piece of their own.

    A gap of white space goes to the piece before it (the first one's to the piece after it).
    """
    tiles: list[Piece] = []
    at = 0
    for piece in pieces:
        start, end = max(piece.start, at), min(piece.end, length)
        if start >= end:
            continue
        if start > at:
            start = _fill(tiles, text, at, start)
        tiles.append(_moved(piece, start, end))
        at = end
    if at < length:
        _fill(tiles, text, at, length, last=True)
    return tiles


def _fill(tiles: list[Piece], text: str, at: int, start: int, last: bool = False) -> int:
    """Gives the gap between ``at`` and ``start`` to a piece; answers where the next piece begins."""
    blank = text[at:start].isspace()
    if blank and tiles:
        tiles[-1] = _moved(tiles[-1], tiles[-1].start, start)
    elif blank and not last:
        return at
    else:
        tiles.append(Piece(at, start, "other", "Text", "text", "text", at, start))
    return start


def _moved(piece: Piece, start: int, end: int) -> Piece:
    """A piece with other bounds, its body and children clipped to them."""
    if start == piece.start and end == piece.end and start <= piece.body_start <= piece.body_end <= end:
        children = _clipped(piece.children, start, end)
        return piece if children == piece.children else replace(piece, children=children)
    body_start = piece.body_start if piece.body_start >= 0 else piece.start
    body_end = piece.body_end if piece.body_end >= 0 else piece.end
    body_start = min(max(body_start, start), end)
    body_end = min(max(body_end, body_start), end)
    children = _clipped(piece.children, start, end)
    return replace(piece, start=start, end=end, body_start=body_start, body_end=body_end, children=children)


def _clipped(pieces: tuple[Piece, ...], start: int, end: int) -> tuple[Piece, ...]:
    """Children made to lie inside their parent, in order and without overlap."""
    if not pieces:
        return pieces
    inside = []
    for piece in pieces:
        first, last = max(piece.start, start), min(piece.end, end)
        if first < last:
            inside.append(_moved(piece, first, last))
            start = last
    return tuple(inside)


class _Names:
    """Makes paths that are unique in a prompt: a repeat gets ``#2``, ``#3`` …"""

    def __init__(self) -> None:
        self._counts: dict[str, int] = {}

    def path(self, parent: str, name: str) -> str:
        segment = _UNFIT_IN_PATH.sub("_", name[:MAX_LABEL]) or "_"
        path = f"{parent}/{segment}" if parent else segment
        count = self._counts.get(path, 0) + 1
        self._counts[path] = count
        return path if count == 1 else f"{path}#{count}"


def _placed(tiles: list[Piece], message: int, text: str, line: int, names: _Names) -> Iterable[_Placed]:
    """Pieces and their children in reading order, which is also the order of their starts."""
    at = 0
    waiting = [(piece, 0, "") for piece in reversed(tiles)]
    while waiting:
        piece, depth, parent = waiting.pop()
        path = names.path(parent, piece.name)
        line += text.count("\n", at, piece.start)
        at = piece.start
        yield _Placed(piece, message, depth, path, line, text[at : piece.end])
        waiting.extend((child, depth + 1, path) for child in reversed(piece.children))


def _finished(placed: list[_Placed], memo: Memo | None) -> tuple[Section, ...]:
    digests = [whole_digest(item.text) for item in placed]
    counts = _counts(placed, digests, memo)
    return tuple(
        _section(item, count, whole[:16]) for item, count, whole in zip(placed, counts, digests, strict=True)
    )


def _counts(placed: list[_Placed], digests: list[str], memo: Memo | None) -> list[int]:
    """Tokens of each piece, from the memo where it knows them."""
    if memo is None:
        return tokens.count_all([item.text for item in placed])
    known = [memo.get(f"tokens:{whole}") for whole in digests]
    new = [index for index, count in enumerate(known) if count is None]
    for index, count in zip(new, tokens.count_all([placed[index].text for index in new]), strict=True):
        known[index] = count
        memo.set(f"tokens:{digests[index]}", count)
    return known


def _section(item: _Placed, count: int, digest: str) -> Section:
    piece = item.piece
    return Section(
        path=item.path,
        kind=piece.kind,
        title=_label(piece.title),
        syntax=piece.syntax,
        depth=item.depth,
        message=item.message,
        start=piece.start,
        end=piece.end,
        body_start=piece.body_start,
        body_end=piece.body_end,
        line=item.line,
        end_line=item.line + item.text.count("\n", 0, -1),
        tokens=count,
        digest=digest,
        attributes={_label(name): _label(value) for name, value in piece.attributes.items()},
    )


def _label(text: str) -> str:
    """Text fit for a label: one line, no NUL or lone surrogate (databases refuse them), not too long."""
    if len(text) <= MAX_LABEL and text.isprintable():
        return text
    return _UNFIT_IN_LABEL.sub("\ufffd", text[:MAX_LABEL])


def whole_digest(text: str) -> str:
    """SHA-256 of a text in hex, lone surrogates passed through."""
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
