"""Ankole: a system prompt of blocks, native tools, user messages that begin with an environment block.

Layouts: ``2026-07`` (runtime context before the policies) and ``seed``, the later one (completion contract,
policies, skills; runtime and durable context last). Only known blocks at a line's start are sections:
policies name each other's tags in prose, and a SOUL may hold headings of its own.
"""

from collections.abc import Mapping

from inspector.turns.dialects.card import Cut, Dialect, Note, Piece
from inspector.turns.dialects.generic import pieces_of
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
_EPOCH = "<!-- ankole-system-prompt-epoch:"


def likelihood(turn: Turn) -> float:
    """By the first sentence of the system message, else by two of its blocks."""
    system = next((message.text for message in turn.messages if message.role == "system"), "")
    if system.startswith(_EPOCH):
        return 0.98
    if "powered by Ankole." in system[:400]:
        return 0.97
    known = [tag for tag in ("agent_environment_info_policy", "runtime_context") if f"\n<{tag}>\n" in system]
    return 0.9 if len(known) == 2 else 0.0


def split(turn: Turn, kinds: Mapping[str, str]) -> Cut:
    """Cuts the system message by its blocks; the others by their own outline."""
    notes: list[Note] = []
    cut = []
    first = next((index for index, message in enumerate(turn.messages) if message.role == "system"), -1)
    for index, message in enumerate(turn.messages):
        if index == first and message.text:
            cut.append(tuple(_system(message.text, kinds)))
        else:
            cut.append(pieces_of(turn, index, kinds, notes))
    system = turn.messages[first].text if first >= 0 else ""
    layout = "seed" if "\n<completion_contract>\n" in system else "2026-07"
    return Cut(tuple(cut), layout, tuple(notes))


def _system(text: str, kinds: Mapping[str, str]) -> list[Piece]:
    pieces: list[Piece] = []
    marks = [mark for mark in scan(text).marks if mark.sort == "tag" and mark.close_start >= 0]
    at = 0
    for mark in marks:
        if mark.start < at or mark.name not in _BLOCKS or own_kind(mark.name, kinds) == "none":
            continue
        start = _start(text, mark, at)
        if not pieces:
            pieces += _before(text, start)
        pieces.append(_block(text, mark, start, marks, kinds))
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


def _block(text: str, mark: Mark, start: int, marks: list[Mark], kinds: Mapping[str, str]) -> Piece:
    kind = _kind(mark.name, _BLOCKS[mark.name], kinds)
    children = tuple(
        Piece(
            inner.start,
            inner.close_end,
            _kind(inner.name, _INNER[inner.name], kinds),
            words_of(inner.name).title(),
            inner.name,
            "tag",
            inner.end,
            inner.close_start,
        )
        for inner in marks
        if mark.start < inner.start < mark.close_start and inner.name in _INNER
    )
    title = _TITLES.get(mark.name, words_of(mark.name).title())
    return Piece(start, mark.close_end, kind, title, mark.name, "tag", mark.end, mark.close_start, children)


def _kind(name: str, kind: Kind, kinds: Mapping[str, str]) -> Kind:
    own = own_kind(name, kinds)
    return own if own and own != "none" else kind


ANKOLE = Dialect(
    name="ankole",
    title="Ankole",
    likelihood=likelihood,
    split=split,
    layouts=("2026-07", "seed"),
    grammar="tools",
)
