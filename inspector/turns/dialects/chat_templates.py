"""A conversation rendered into one text: by marks (ChatML, Llama 3, Gemma, Phi) or lines (``User:``).

Only a text that begins with such a mark is one. Each mark counts where it stands, as for the model: it can't
tell a forged one either. The last mark may be the cue to answer.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import islice
from typing import NamedTuple

from inspector.turns.dialects.card import Piece
from inspector.turns.dialects.cutting import limits
from inspector.turns.turn import Kind

MAX_PARTS = 2_000
"""Messages told apart in one text; the last one holds the rest."""
MAX_OUTLINED = 200
"""Sections from which on messages are not cut any further."""
_ROLES = {
    "human": "user",
    "model": "assistant",
    "ai": "assistant",
    "bot": "assistant",
    "ipython": "tool",
    "developer": "system",
}
_SPEAKERS = ("user", "assistant")
_TITLES = {"system": "System message", "user": "User message", "assistant": "Assistant message"}
_MARKS = re.compile(
    r"<\|im_start\|>(?P<chatml>\w{1,20})[^\n<]{0,40}\n?"
    r"|<\|start_header_id\|>(?P<llama>\w{1,20})<\|end_header_id\|>\s{0,2}"
    r"|<start_of_turn>(?P<gemma>\w{1,20})\n?"
    r"|<\|(?P<phi>system|user|assistant|tool)\|>\n?"
)
_ENDS = re.compile(r"\s*(?:<\|im_end\|>|<\|eot_id\|>|<end_of_turn>|<\|end\|>|</s>)\s*\Z")
_BEGIN = re.compile(r"\s*(?:<\|begin_of_text\|>|<bos>|<s>)?\s*")
_LINES = re.compile(r"^(System|Developer|Human|User|Assistant|AI|Tool)[ ]?:[ \t]*\n?", re.M | re.I)
_END_LOOK = 40

Outlined = Callable[[str, str], Sequence[Piece]]
"""Cuts a system's or a lone user's text (its role comes first) by its outline; no pieces: it has none."""


class _Part(NamedTuple):
    role: str
    start: int
    body: int
    end: int
    stop: int
    """Where its words end, before the mark that closes it."""


def conversation(text: str, outlined: Outlined) -> list[Piece]:
    """The messages of a rendered conversation; none where the text is another."""
    parts = _parts(text)
    if len({part.role for part in parts} & _TITLES.keys()) < 2:
        return []
    news = _news(parts)
    users = [part for part in parts if part.role == "user"]
    pieces: list[Piece] = []
    for part in parts:
        is_whole = part.role == "system" or (part.role == "user" and len(users) == 1)
        is_whole = is_whole and len(pieces) < MAX_OUTLINED
        inner = outlined(part.role, text[part.body : part.stop]) if is_whole else ()
        pieces += _fitted(part, [piece.moved(part.body) for piece in inner]) or [
            _whole(
                part, part.start in news, is_cue=part is parts[-1] and not text[part.body : part.stop].strip()
            )
        ]
    pieces[0] = replace(pieces[0], start=0)
    return pieces


def _parts(text: str) -> list[_Part]:
    start = _begin(text)
    marks = _MARKS if _MARKS.match(text, start) else _LINES if _LINES.match(text, start) else None
    if marks is None:
        return []
    found = list(islice(marks.finditer(text, start), MAX_PARTS))
    ends = limits([mark.start() for mark in found], len(text))
    return [_part(text, mark, end) for mark, end in zip(found, ends, strict=True)]


def _begin(text: str) -> int:
    found = _BEGIN.match(text)
    return found.end() if found else 0


def _part(text: str, mark: re.Match[str], end: int) -> _Part:
    name = next(name for name in mark.groups() if name).lower()
    look = max(mark.end(), end - _END_LOOK)
    closing = _ENDS.search(text, look, end)
    stop = closing.start() if closing else end
    return _Part(_ROLES.get(name, name), mark.start(), mark.end(), end, max(stop, mark.end()))


def _fitted(part: _Part, inner: list[Piece]) -> list[Piece]:
    """The pieces inside a message, which take its marks with them."""
    if inner:
        inner[0] = replace(inner[0], start=part.start)
        inner[-1] = replace(inner[-1], end=part.end)
    return inner


def _news(parts: Sequence[_Part]) -> set[int]:
    """Where the user's last message begins, and what calls gave since somebody spoke."""
    users = [part.start for part in parts if part.role == "user"]
    spoke = max((part.start for part in parts[:-1] if part.role in _SPEAKERS), default=0)
    return {*users[-1:], *(part.start for part in parts if part.role == "tool" and part.start > spoke)}


def _whole(part: _Part, is_new: bool, *, is_cue: bool) -> Piece:
    """A message as one section."""
    is_cue = is_cue and part.role == "assistant"
    title = "Cue" if is_cue else _TITLES.get(part.role, f"{part.role.capitalize()} message")
    kind: Kind = "updates" if is_new else "history"
    if part.role == "system":
        kind = "instructions"
    elif part.role == "assistant":
        kind = "format" if is_cue else "history"
    return Piece(part.start, part.end, kind, title, part.role, "role", part.body, part.stop)
