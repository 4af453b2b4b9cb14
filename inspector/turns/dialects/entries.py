"""Entries of a tagged section: actions, outputs, contexts, log lines, each an element that begins a line.

Frameworks write user text into elements without escaping it, so an entry may hold what looks like tags of
its own. An entry begins only where the one before it is closed, counting elements of its own name inside.
"""

import re
from collections.abc import Iterator
from dataclasses import replace
from functools import cache, lru_cache
from typing import Literal, NamedTuple

from inspector.turns.dialects.card import Piece
from inspector.turns.scan import attributes_of
from inspector.turns.turn import Kind

MAX_ENTRIES = 2_000
"""Entries told apart in one section; what follows is text of the section."""
REMEMBERED = 64 * 1024
"""Longest section whose entries are remembered, in code points."""
_KEYS = ("id", "callId", "key", "timestamp")


class _Tag(NamedTuple):
    """An opening tag at a line's start or a closing tag at a line's end."""

    start: int
    end: int
    name: str
    written: str
    """Attributes as they are written."""
    sort: Literal["open", "empty", "close"]


class _Span(NamedTuple):
    """An entry: its opening tag, where its body ends and where it ends itself."""

    opener: _Tag
    body_end: int
    end: int


def entries(text: str, start: int, end: int, tags: tuple[str, ...], kind: Kind) -> tuple[Piece, ...]:
    """The entries between two offsets as pieces of that kind."""
    if not tags:
        return ()
    if end - start > REMEMBERED:
        return _entries(text, start, end, tags, kind)
    return _remembered(text[start : end + 1], start, end - start, tags, kind)


@lru_cache(maxsize=64)
def _remembered(text: str, start: int, length: int, tags: tuple[str, ...], kind: Kind) -> tuple[Piece, ...]:
    """The entries of a section that stands where it stood: most do from turn to turn."""
    return tuple(_moved(piece, start) for piece in _entries(text, 0, length, tags, kind))


def _moved(piece: Piece, by: int) -> Piece:
    return replace(
        piece,
        start=piece.start + by,
        end=piece.end + by,
        body_start=piece.body_start + by,
        body_end=piece.body_end + by,
    )


def _entries(text: str, start: int, end: int, tags: tuple[str, ...], kind: Kind) -> tuple[Piece, ...]:
    found = _tags(text, start, end, tags)
    spans = _counted(found)
    if spans is None:
        spans = list(_simple(found, end))
    return tuple(_entry(text, span, kind) for span in spans[:MAX_ENTRIES])


@cache
def _patterns(tags: tuple[str, ...]) -> tuple[re.Pattern[str], re.Pattern[str]]:
    """Patterns of opening and of closing tags, each led by fixed characters: much faster than one of both."""
    names = "|".join(map(re.escape, tags))
    attributes = r'(?:[ \t](?:[^<>"\n]++|"[^"\n]*+")*+)?+'
    opening = rf"\n[ \t]*+<({names})(?:({attributes})(/?)>|([ \t][^\n]*?)>)"
    return re.compile(opening), re.compile(rf"</({names})>(?=[ \t\r]*+(?:\n|\Z))")


def _tags(text: str, start: int, end: int, tags: tuple[str, ...]) -> list[_Tag]:
    opening, closing = _patterns(tags)
    found = []
    for match in opening.finditer(text, start, end):
        name, attributes, slash, odd = match.groups()
        written = odd if attributes is None else attributes
        is_empty = slash or (attributes or "").endswith("/")
        found.append(_Tag(match.start() + 1, match.end(), name, written, "empty" if is_empty else "open"))
    found += [_Tag(m.start(), m.end(), m[1], "", "close") for m in closing.finditer(text, start, end)]
    found.sort()
    return found


def _counted(found: list[_Tag]) -> list[_Span] | None:
    """Entries by counting openings and closings of the same name; None when one is never closed."""
    spans: list[_Span] = []
    opener: _Tag | None = None
    depth = 0
    for tag in found:
        if opener is None:
            if tag.sort == "empty":
                spans.append(_Span(tag, tag.end, tag.end))
            elif tag.sort == "open":
                opener, depth = tag, 1
        elif tag.name == opener.name and tag.sort != "empty":
            depth += 1 if tag.sort == "open" else -1
            if depth == 0:
                spans.append(_Span(opener, tag.start, tag.end))
                opener = None
    return spans if opener is None else None


def _simple(found: list[_Tag], end: int) -> Iterator[_Span]:
    """Entries by their closings alone: each ends at the last closing of its name before the next begins."""
    opener: _Tag | None = None
    close: _Tag | None = None
    for tag in found:
        if opener and close and tag.sort != "close":
            yield _Span(opener, close.start, close.end)
            opener = None
        if opener is None:
            opener, close = (tag if tag.sort == "open" else None), None
        elif tag.sort == "close" and tag.name == opener.name:
            close = tag
    if opener is not None:
        yield _Span(opener, close.start, close.end) if close else _Span(opener, end, end)


def _entry(text: str, span: _Span, kind: Kind) -> Piece:
    opener = span.opener
    attributes = attributes_of(opener.written)
    return Piece(
        start=opener.start,
        end=span.end + 1 if text.startswith("\n", span.end) else span.end,
        kind=kind,
        title=_title(opener.name, attributes),
        name=_segment(opener.name, attributes),
        syntax="tag",
        body_start=opener.end,
        body_end=span.body_end,
        attributes=attributes,
    )


def _title(name: str, attributes: dict[str, str]) -> str:
    if "type" in attributes and "key" in attributes:
        return f"{attributes['type']}:{attributes['key']}"
    return attributes.get("name") or attributes.get("type") or name.replace("_", " ").capitalize()


def _segment(name: str, attributes: dict[str, str]) -> str:
    """``action[attack]``, ``context[game:s1]``, ``input[text:1796039250954]``: stable from turn to turn."""
    named = attributes.get("name") or attributes.get("type") or ""
    key = next((attributes[key] for key in _KEYS if attributes.get(key)), "")
    inside = ":".join(part[:100] for part in (named, key) if part)
    return f"{name}[{inside}]" if inside else name
