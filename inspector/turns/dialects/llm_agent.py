"""LLM::Agent (Raku): a baked system message under headings, or a head and a tail around the conversation.

Layouts: ``baked``, ``context`` (a tail of current facts that supersedes what came before; an empty one sends
nothing) and ``compaction`` (the request for a summary, and a conversation whose middle has become one). Files
are put in under their base names and may hold headings of their own, so only a heading that is a file's name
begins a file.
"""

import re
from collections.abc import Mapping

from inspector.turns.dialects.card import Cut, Dialect, Note, Piece
from inspector.turns.dialects.cutting import cut, limits
from inspector.turns.dialects.llm_agent_compaction import REQUEST, SUMMARY
from inspector.turns.dialects.llm_agent_compaction import pieces as of_compaction
from inspector.turns.dialects.outline import slug
from inspector.turns.scan import Mark, scan
from inspector.turns.turn import Kind, Message, Turn

_ENVIRONMENT = "\n## Environment\n\n- platform: "
_CURRENT = "## Current context\n\n- "
_SUPERSEDES = "This block supersedes any environment description"
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
    if any(text.startswith(REQUEST) for text in texts):
        return 0.97
    summarised = any(m.role == "user" and m.text.startswith(SUMMARY) for m in turn.messages)
    return 0.9 if summarised else 0.0


def split(turn: Turn, kinds: Mapping[str, str]) -> Cut:
    """Cuts system messages by the headings of baked parts and of files; a summary is memory."""

    def knife(index: int, _: list[Note]) -> list[Piece]:
        return _pieces(turn.messages[index])

    return cut(turn, kinds, knife, _layout(turn))


def _pieces(message: Message) -> list[Piece]:
    if message.role != "system" or message.text.startswith(REQUEST):
        return of_compaction(message)
    return _tail(message.text) if message.text.startswith(_CURRENT) else _baked(message.text)


def _layout(turn: Turn) -> str:
    for message in turn.messages:
        if message.text.startswith((REQUEST, SUMMARY)):
            return "compaction"
        if message.role == "system" and message.text.startswith(_CURRENT):
            return "context"
    return "baked" if any(message.role == "system" for message in turn.messages) else "context"


def _baked(text: str) -> list[Piece]:
    """Identity, environment, tools and files, each under a heading of the second level."""
    marks = [mark for mark in scan(text).marks if mark.sort == "heading"]
    parts = _parts(marks, len(text))
    first = parts[0].start if parts else len(text)
    return [Piece(0, first, "instructions", "Identity", "identity"), *parts] if first else parts


def _parts(marks: list[Mark], end: int) -> list[Piece]:
    """The parts that begin at these headings; the last one ends at ``end``."""
    opening = _opening(marks)
    ends = limits([mark.start for mark in opening], end)
    return [_part(marks, mark, limit) for mark, limit in zip(opening, ends, strict=True)]


def _part(marks: list[Mark], mark: Mark, end: int) -> Piece:
    kind = _KNOWN.get(mark.name, "documents")
    body = min(mark.end + 1, end)
    children = _tools(marks, mark, end) if mark.name == "Tools" else ()
    return Piece(mark.start, end, kind, mark.name, slug(mark.name), "heading", body, end, children)


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
    ends = limits([mark.start for mark in inside], end)
    return tuple(_tool(mark, limit) for mark, limit in zip(inside, ends, strict=True))


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
    inside = [mark for mark in scan(text).marks if mark.sort == "heading" and facts <= mark.start < fixed]
    parts = _parts(inside, fixed)
    first = parts[0].start if parts else fixed
    if text[facts:first].strip():
        pieces.append(Piece(facts, first, "documents", "Tail Sections", "tail-sections"))
    pieces += parts
    if fixed < len(text):
        pieces.append(Piece(fixed, len(text), "instructions", "Precedence", "precedence"))
    return pieces


LLM_AGENT = Dialect(
    name="llm-agent",
    title="LLM::Agent",
    likelihood=likelihood,
    split=split,
    layouts=("baked", "context", "compaction"),
    grammar="tools",
    bare=True,
)
