"""Entries of a tagged section: actions, outputs, contexts, log lines, each an element that begins a line.

Frameworks write user text into elements without escaping it, so an entry may hold what looks like tags of
its own. An entry begins only where the one before it is closed, counting elements of its own name inside.
"""

import re
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from inspector.turns.dialects.card import Piece
from inspector.turns.scan import attributes_of
from inspector.turns.turn import Kind

MAX_ENTRIES = 2_000
"""Entries told apart in one section; what follows is text of the section."""
_KEYS = ("id", "callId", "key", "timestamp")


class _Span(NamedTuple):
    """An entry: its opening tag, where its body ends and where it ends itself."""

    opener: re.Match[str]
    body_end: int
    end: int


def entries(text: str, start: int, end: int, tags: tuple[str, ...], kind: Kind) -> tuple[Piece, ...]:
    """The entries between two offsets as pieces of that kind."""
    if not tags:
        return ()
    spans = _counted(text, start, end, tags)
    if spans is None:
        spans = list(_simple(text, start, end, tags))
    return tuple(_entry(text, span, kind) for span in spans[:MAX_ENTRIES])


@cache
def _element(tags: tuple[str, ...]) -> re.Pattern[str]:
    """An opening tag at a line's start or a closing tag at a line's end."""
    names = "|".join(map(re.escape, tags))
    attributes = r'(?:[ \t](?:[^<>"\n]++|"[^"\n]*+")*+)?+'
    return re.compile(
        rf"^[ \t]*+<(?P<open>{names})(?P<attributes>{attributes})(?P<empty>/?)>"
        rf"|^[ \t]*+<(?P<odd>{names})(?P<rest>[ \t][^\n]*?)>"
        rf"|</(?P<close>{names})>(?=[ \t\r]*+$)",
        re.MULTILINE,
    )


def _counted(text: str, start: int, end: int, tags: tuple[str, ...]) -> list[_Span] | None:
    """Entries by counting openings and closings of the same name; None when one is never closed."""
    spans: list[_Span] = []
    opener: re.Match[str] | None = None
    depth = 0
    for match in _element(tags).finditer(text, start, end):
        name = match["open"] or match["odd"]
        if opener is None:
            if name and _is_empty(match):
                spans.append(_Span(match, match.end(), match.end()))
            elif name:
                opener, depth = match, 1
            continue
        if name == _name(opener) and not _is_empty(match):
            depth += 1
        elif match["close"] == _name(opener):
            depth -= 1
        if depth == 0:
            spans.append(_Span(opener, match.start(), match.end()))
            opener = None
    return spans if opener is None else None


def _simple(text: str, start: int, end: int, tags: tuple[str, ...]) -> Iterator[_Span]:
    """Entries by their closings alone: each ends at the last closing of its name before the next begins."""
    opener: re.Match[str] | None = None
    close: re.Match[str] | None = None
    for match in _element(tags).finditer(text, start, end):
        name = match["open"] or match["odd"]
        if opener and close and name:
            yield _Span(opener, close.start(), close.end())
            opener = None
        if opener is None:
            opener, close = (match if name else None), None
        elif match["close"] == _name(opener):
            close = match
    if opener is not None:
        yield _Span(opener, close.start(), close.end()) if close else _Span(opener, end, end)


def _name(opener: re.Match[str]) -> str:
    return opener["open"] or opener["odd"]


def _is_empty(match: re.Match[str]) -> bool:
    return bool(match["empty"]) or (match["attributes"] or "").endswith("/")


def _entry(text: str, span: _Span, kind: Kind) -> Piece:
    name = _name(span.opener)
    written = span.opener["attributes"]
    attributes = attributes_of(span.opener["rest"] if written is None else written)
    return Piece(
        start=span.opener.start(),
        end=span.end + 1 if text.startswith("\n", span.end) else span.end,
        kind=kind,
        title=_title(name, attributes),
        name=_segment(name, attributes),
        syntax="tag",
        body_start=span.opener.end(),
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
