"""Ankole: a system prompt of blocks, native tools, user messages that begin with an environment block.

Layouts: ``2026-07`` (runtime context before the policies), ``seed``, the later one (completion contract,
policies, skills; runtime and durable context last), and ``ambient``, the question whether to speak. Only
known blocks at a line's start are sections: policies name each other's tags in prose, and a SOUL may hold
headings of its own.
"""

from bisect import bisect_left
from collections.abc import Mapping

from inspector.turns.dialects.ankole_ambient import is_ambient, system_pieces, user_pieces
from inspector.turns.dialects.card import Cut, Dialect, Note, Piece
from inspector.turns.dialects.chat import Chat
from inspector.turns.dialects.cutting import cut
from inspector.turns.dialects.names import own_kind, words_of
from inspector.turns.scan import Mark, scan
from inspector.turns.turn import Kind, Turn

_BLOCKS: Mapping[str, Kind] = {
    "mission": "documents",
    "completion_contract": "instructions",
    "background_agent_job_policy": "instructions",
    "agent_environment_info_policy": "instructions",
    "tools": "actions",
    "long_term_memory_policy": "instructions",
    "ambient_route": "instructions",
    "workflow_policy": "instructions",
    "available_skills": "documents",
    "runtime_context": "environment",
    "durable_context": "memory",
}
_INNER: Mapping[str, Kind] = {
    "about_computer": "environment",
    "tool_routing_policy": "instructions",
    "agent_context": "memory",
    "group_context": "memory",
}
_ABOVE = {"mission": "Your mission is:", "available_skills": "## Skills"}
"""First lines of blocks that begin above their tag."""
_TITLES = {"available_skills": "Skills"}
MAX_BLOCKS = 500
_EPOCH = "<!-- ankole-system-prompt-epoch:"


def likelihood(turn: Turn) -> float:
    """By the first sentence of the system message, else by two of its blocks."""
    system = next((message.text for message in turn.messages if message.role == "system"), "")
    if system.startswith(_EPOCH) or is_ambient(system):
        return 0.98
    if "powered by Ankole." in system[:400]:
        return 0.97
    known = [tag for tag in ("agent_environment_info_policy", "runtime_context") if f"\n<{tag}>\n" in system]
    return 0.9 if len(known) == 2 else 0.0


def split(turn: Turn, kinds: Mapping[str, str]) -> Cut:
    """Cuts the system message by its blocks; the others by their own outline."""
    first = next((index for index, message in enumerate(turn.messages) if message.role == "system"), -1)
    system = turn.messages[first].text if first >= 0 else ""
    if is_ambient(system):
        return cut(turn, kinds, lambda index, notes: _ambient(turn, index, first, notes), "ambient")
    chat = Chat(turn, kinds)
    pieces = [
        tuple(_system(system, kinds)) if index == first and system else chat.pieces(index)
        for index in range(len(turn.messages))
    ]
    layout = "seed" if "\n<completion_contract>\n" in system else "2026-07"
    return Cut(tuple(pieces), layout, tuple(chat.notes))


def _ambient(turn: Turn, index: int, first: int, notes: list[Note]) -> list[Piece]:
    """A message of the question whether to speak."""
    message = turn.messages[index]
    if index != first and message.role != "user":
        return []
    pieces, seen = (system_pieces if index == first else user_pieces)(message.text, index)
    notes += seen
    return pieces


def _system(text: str, kinds: Mapping[str, str]) -> list[Piece]:
    pieces: list[Piece] = []
    marks = [mark for mark in scan(text).marks if mark.sort == "tag" and mark.close_start >= 0]
    inner = [mark for mark in marks if mark.name in _INNER]
    blocks = [mark for mark in marks if mark.name in _BLOCKS and own_kind(mark.name, kinds) != "none"]
    at = 0
    for mark in blocks[:MAX_BLOCKS]:
        if mark.start < at:
            continue
        start = _start(text, mark, at)
        if not pieces:
            pieces += _before(text, start)
        pieces.append(_block(mark, start, inner, kinds))
        at = mark.close_end
    return pieces or _before(text, len(text))


def _start(text: str, mark: Mark, floor: int) -> int:
    """Where a block begins: at its tag's line, or at the line above it that announces it."""
    above = _ABOVE.get(mark.name)
    place = text.rfind(f"\n{above}", floor, mark.start) + 1 if above else 0
    return place or max(floor, text.rfind("\n", 0, mark.start) + 1)


def _before(text: str, end: int) -> list[Piece]:
    """What comes before the first block: epoch, identity and SOUL, none of them marked."""
    pieces: list[Piece] = []
    at = 0
    if text.startswith(_EPOCH):
        at = _paragraph(text, 0, end)
        pieces.append(Piece(0, at, "other", "Epoch", "epoch"))
    identity = _paragraph(text, at, end)
    pieces.append(Piece(at, identity, "instructions", "Identity", "identity"))
    if text[identity:end].strip():
        pieces.append(Piece(identity, end, "documents", "SOUL", "soul"))
    return pieces


def _paragraph(text: str, start: int, end: int) -> int:
    """Where the paragraph after the one at ``start`` begins."""
    blank = text.find("\n\n", start, end)
    return blank + 2 if blank >= 0 else end


def _block(mark: Mark, start: int, inner: list[Mark], kinds: Mapping[str, str]) -> Piece:
    kind = _kind(mark.name, _BLOCKS[mark.name], kinds)
    children = tuple(
        Piece(
            child.start,
            child.close_end,
            _kind(child.name, _INNER[child.name], kinds),
            words_of(child.name).title(),
            child.name,
            "tag",
            child.end,
            child.close_start,
        )
        for child in _within(inner, mark)
    )
    title = _TITLES.get(mark.name, words_of(mark.name).title())
    return Piece(start, mark.close_end, kind, title, mark.name, "tag", mark.end, mark.close_start, children)


def _within(inner: list[Mark], block: Mark) -> list[Mark]:
    first = bisect_left(inner, block.start, key=_start_of)
    return inner[first : bisect_left(inner, block.close_start, key=_start_of)]


def _start_of(mark: Mark) -> int:
    return mark.start


def _kind(name: str, kind: Kind, kinds: Mapping[str, str]) -> Kind:
    own = own_kind(name, kinds)
    return own if own and own != "none" else kind


ANKOLE = Dialect(
    name="ankole",
    title="Ankole",
    likelihood=likelihood,
    split=split,
    layouts=("2026-07", "seed", "ambient"),
    grammar="tools",
    facts={"ambient": {"grammar": "json"}},
)
