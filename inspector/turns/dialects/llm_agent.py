"""LLM::Agent (Raku): a baked system message under headings, or a head and a tail around the conversation.

Layouts: ``baked``, ``context`` (a tail of current facts that supersedes what came before) and ``compaction``
(the request for a summary, and a conversation whose middle has become one). Files are put in under their
base names and may hold headings of their own, so only a heading that is a file's name begins a file.
"""

import re
from collections.abc import Mapping
from dataclasses import replace

from inspector.turns.dialects.card import Cut, Dialect, Piece
from inspector.turns.dialects.chat import Chat
from inspector.turns.dialects.names import own_kind
from inspector.turns.dialects.outline import slug
from inspector.turns.scan import Mark, scan
from inspector.turns.turn import Kind, Turn

_ENVIRONMENT = "\n## Environment\n\n- platform: "
_CURRENT = "## Current context\n\n- "
_SUPERSEDES = "This block supersedes any environment description"
_SUMMARY = "[Conversation summary — earlier turns compacted]"
_COMPACTING = "You are compacting the middle of a long agent conversation"
MAX_PARTS = 500
"""Parts, and tools, told apart in one message; the last one holds the rest."""
_FILE = re.compile(r"[\w.-]{1,100}\.[A-Za-z]{1,10}\Z|(?:README|LICENSE|AGENTS|CLAUDE|Makefile)\Z")
_KNOWN: Mapping[str, Kind] = {"Environment": "environment", "Tools": "actions"}


def likelihood(turn: Turn) -> float:
    """By the baked headings, the tail's fixed words or the compaction's first ones."""
    texts = [message.text for message in turn.messages if message.role == "system"]
    if any(_ENVIRONMENT in text for text in texts):
        return 0.9
    if any(text.startswith(_CURRENT) and _SUPERSEDES in text for text in texts):
        return 0.97
    if any(text.startswith(_COMPACTING) for text in texts):
        return 0.97
    summarised = any(m.role == "user" and m.text.startswith(_SUMMARY) for m in turn.messages)
    return 0.9 if summarised else 0.0


def split(turn: Turn, kinds: Mapping[str, str]) -> Cut:
    """Cuts system messages by the headings of baked parts and of files; a summary is memory."""
    chat = Chat(turn, kinds)
    cut: list[tuple[Piece, ...]] = []
    for index, message in enumerate(turn.messages):
        pieces: list[Piece] = []
        if message.role == "system" and not message.text.startswith(_COMPACTING):
            pieces = _tail(message.text) if message.text.startswith(_CURRENT) else _baked(message.text)
        elif message.role == "user" and message.text.startswith(_SUMMARY):
            title, body = "Conversation Summary", len(_SUMMARY)
            pieces = [Piece(0, len(message.text), "memory", title, slug(title), "label", body)]
        cut.append(tuple(_own(piece, kinds) for piece in pieces) or chat.pieces(index))
    return Cut(tuple(cut), _layout(turn), tuple(chat.notes))


def _layout(turn: Turn) -> str:
    for message in turn.messages:
        if message.text.startswith((_COMPACTING, _SUMMARY)):
            return "compaction"
        if message.role == "system" and message.text.startswith(_CURRENT):
            return "context"
    return "baked"


def _baked(text: str) -> list[Piece]:
    """Identity, environment, tools and files, each under a heading of the second level."""
    marks = [mark for mark in scan(text).marks if mark.sort == "heading"]
    opening = _opening(marks)
    if not text:
        return []
    first = opening[0].start if opening else len(text)
    pieces = [Piece(0, first, "instructions", "Identity", "identity")] if first else []
    for index, mark in enumerate(opening):
        end = opening[index + 1].start if index + 1 < len(opening) else len(text)
        kind = _KNOWN.get(mark.name, "documents")
        piece = Piece(
            mark.start, end, kind, mark.name, slug(mark.name), "heading", min(mark.end + 1, end), end
        )
        children = _tools(marks, mark, end) if mark.name == "Tools" else ()
        pieces.append(replace(piece, children=children))
    return pieces


def _opening(marks: list[Mark]) -> list[Mark]:
    """Headings that begin a part: the known ones until the first file, then only names of files."""
    opening: list[Mark] = []
    known = dict(_KNOWN)
    for mark in marks:
        if mark.level != 2:
            continue
        if _FILE.match(mark.name):
            known = {}
            opening.append(mark)
        elif known.pop(mark.name, None):
            opening.append(mark)
    return opening[:MAX_PARTS]


def _tools(marks: list[Mark], tools: Mark, end: int) -> tuple[Piece, ...]:
    inside = [mark for mark in marks if tools.start < mark.start < end and mark.level == 3]
    inside = inside[:MAX_PARTS]
    limits = [*(mark.start for mark in inside), end][1:]
    return tuple(_tool(mark, limit) for mark, limit in zip(inside, limits, strict=True))


def _tool(mark: Mark, end: int) -> Piece:
    name = f"tool[{mark.name}]"
    return Piece(mark.start, end, "actions", mark.name, name, "heading", min(mark.end + 1, end), end)


def _tail(text: str) -> list[Piece]:
    """The facts of the moment, the sections behind them, and the two fixed lines that say what wins."""
    fixed = text.rfind(f"\n{_SUPERSEDES}") + 1 or len(text)
    facts = text.find("\n\n", len(_CURRENT), fixed)
    facts = facts + 2 if facts >= 0 else fixed
    title = "Current Context"
    pieces = [Piece(0, facts, "environment", title, slug(title), "heading", text.find("\n") + 1, facts)]
    if text[facts:fixed].strip():
        pieces.append(Piece(facts, fixed, "documents", "Tail Sections", "tail-sections"))
    if fixed < len(text):
        pieces.append(Piece(fixed, len(text), "instructions", "Precedence", "precedence"))
    return pieces


def _own(piece: Piece, kinds: Mapping[str, str]) -> Piece:
    own = own_kind(piece.title, kinds) or own_kind(piece.name, kinds)
    return piece.with_kind(own) if own and own != "none" else piece


LLM_AGENT = Dialect(
    name="llm-agent",
    title="LLM::Agent",
    likelihood=likelihood,
    split=split,
    layouts=("baked", "context", "compaction"),
    grammar="tools",
)
