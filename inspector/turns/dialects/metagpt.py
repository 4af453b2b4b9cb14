"""MetaGPT: one user message under known headings, with code and designs of earlier roles pasted in.

Layouts: ``node`` (``## context`` … ``## nodes`` … ``## action``, answered in ``[CONTENT]``), ``role``
(``NOTICE`` or ``# System``, then ``# Context``, ``# Format example``, ``# Instruction``), ``data`` (the data
interpreter), ``lesson``, ``run`` (what came of running code), ``talk`` (a debate) and ``joined`` (a system's
and a user's message in one text). Pasted code has comments that look like headings: only known ones count.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import islice
from typing import Any

from inspector.turns.dialects.card import Cut, Dialect, Fences, Note, Piece
from inspector.turns.dialects.cutting import cut, headed
from inspector.turns.dialects.documented import Parameter, schema_of
from inspector.turns.dialects.metagpt_joined import joined, users_part
from inspector.turns.dialects.outline import Manner, outline
from inspector.turns.dialects.statics import Lead, by_leads
from inspector.turns.dialects.titles import Title, by_titles
from inspector.turns.turn import Contract, Offer, Section, Source, Turn

MAX_NODES = 200
CONTENT = "content"
_EXAMPLE = "\n## format example\n[CONTENT]"
_NODES = '\n## nodes: "<node>: <type>'
_SPLIT = "Use '##' to SPLIT SECTIONS"
_NOTEBOOK = "in a continuous Jupyter notebook"
_LESSON = "Do not refer to the context of the previous conversation records, start the conversation anew."
_NODE = re.compile(r"\n- ([^:\n]{1,100}): ([^#\n]{0,300})(?:# ?([^\n]*+))?")
_STANDS_IN = re.compile(r"key(?:\d{1,3}|n)")
"""Nodes that stand for others: ``key1: the first key name of mismatch key``."""
_LAX = frozenset({"bool", "int", "float"})
"""Types that MetaGPT makes of texts such as ``"True"``, which its own examples show."""
_NODE_TITLES = (
    Title("## context", "contexts", "Context"),
    Title("## format example", "format", "Format Example"),
    Title("## nodes:", "format", "Nodes", begins=True),
    Title("## constraint", "instructions", "Constraint"),
    Title("## action", "instructions", "Action"),
)
_ROLE_TITLES = (
    Title("NOTICE", "instructions", "Notice"),
    Title("# System", "instructions", "System"),
    Title("# Context", "contexts", "Context"),
    Title("# System Design", "contexts", "System Design"),
    Title("# Tasks", "contexts", "Tasks"),
    Title("# Task", "contexts", "Task"),
    Title("# Legacy Code", "contexts", "Legacy Code"),
    Title("# Unit Test Code", "contexts", "Unit Test Code"),
    Title("# Console logs", "contexts", "Console Logs"),
    Title("# Format example 1", "format", "Format Example 1"),
    Title("# Format example 2", "format", "Format Example 2"),
    Title("# Format example", "format", "Format Example", begins=True),
    Title("## Code Review All:", "instructions", "Review Instruction", begins=True),
    Title("# Instruction", "instructions", "Instruction", begins=True),
)
_CONTEXT = (
    Title("## User New Requirements", "contexts", "User New Requirements"),
    Title("## Code Plan And Change", "contexts", "Code Plan And Change"),
    Title("## System Design", "contexts", "System Design"),
    Title("## Design", "contexts", "Design"),
    Title("## Tasks", "contexts", "Tasks"),
    Title("## Task", "contexts", "Task"),
    Title("## Legacy Code", "contexts", "Legacy Code"),
    Title("## Code Files", "contexts", "Code Files"),
    Title("## Debug logs", "contexts", "Debug Logs"),
    Title("## Bug Feedback logs", "contexts", "Bug Feedback Logs"),
    Title("## Code to be Reviewed:", "contexts", "Code to be Reviewed", begins=True),
)
_DATA_TITLES = (
    Title("# User Requirement", "updates", "User Requirement"),
    Title("# Background", "instructions", "Background"),
    Title("# Plan Status", "memory", "Plan Status"),
    Title("## Finished Tasks", "memory", "Finished Tasks"),
    Title("## Current Task", "updates", "Current Task"),
    Title("## Task Guidance", "instructions", "Task Guidance"),
    Title("# Task", "updates", "Task"),
    Title("# Tool Info", "actions", "Tool Info"),
    Title("# Constraints", "instructions", "Constraints"),
    Title("# Constraints:", "instructions", "Constraints"),
    Title("# Instruction", "format", "Instruction"),
    Title("# Output", "format", "Output"),
    Title("# Latest Data Info", "contexts", "Latest Data Info"),
)
_LESSON_PARTS = (
    Lead("Formation:", "instructions", "Formation"),
    Lead("Capacity and role:", "instructions", "Capacity and Role"),
    Lead("Statement:", "updates", "Statement"),
    Lead("[LESSON_BEGIN]", "contexts", "Lesson"),
)
_RUN = "Role: You are a senior development and qa engineer, your role is summarize the code running result."
_RUN_TITLES = (
    Title(_RUN, "instructions", "Role"),
    Title("## Development Code File Name", "contexts", "Development Code File Name"),
    Title("## Development Code", "contexts", "Development Code"),
    Title("## Test File Name", "contexts", "Test File Name"),
    Title("## Test Code", "contexts", "Test Code"),
    Title("## Running Command", "contexts", "Running Command"),
    Title("## Running Output", "contexts", "Running Output"),
    Title("Now you should begin your analysis", "format", "Answer Form"),
)
_TALK_TITLES = (
    Title("## History Messages", "history", "History Messages"),
    Title("## Actions", "instructions", "Actions"),
)
_TITLES: Mapping[str, tuple[Title, ...]] = {
    "node": _NODE_TITLES,
    "role": _ROLE_TITLES,
    "data": _DATA_TITLES,
    "run": _RUN_TITLES,
    "talk": _TALK_TITLES,
}


def likelihood(turn: Turn) -> float:
    """By the format example in ``[CONTENT]``, the sentence about splitting, or a fixed first sentence."""
    return 0.95 if _layout(turn) else 0.0


def _layout(turn: Turn) -> str | None:
    texts = (message.text for message in turn.messages[:4] if message.role == "user")
    return next((layout for text in texts if (layout := _layout_of(text))), None)


def _layout_of(text: str) -> str | None:
    start = users_part(text)
    return _known_layout(text[start:]) or _known_layout(text) or ("joined" if start else None)


def _known_layout(text: str) -> str | None:
    if _EXAMPLE in text or _NODES in text:
        return "node"
    head = text[:1_000].lstrip()
    if head.startswith(("NOTICE\n", "# System\n")) and (_SPLIT in head or "Role: You are a " in head[:60]):
        return "role"
    if head.startswith("As a data scientist, you need to help user") and _NOTEBOOK in head:
        return "data"
    if head.startswith("# Background\n") and "\n## Finished Tasks\n" in text and "\n# Instruction\n" in text:
        return "data"
    if head.startswith(_RUN):
        return "run"
    if head.startswith("## History Messages\n") and "\n## Actions\nLanguage: " in text:
        return "talk"
    return "lesson" if head.startswith(_LESSON) and "\nFormation: " in head else None


def split(turn: Turn, kinds: Mapping[str, str]) -> Cut:
    """Cuts each of the user's messages by the headings of its layout."""

    def knife(index: int, notes: list[Note]) -> Sequence[Piece]:
        message = turn.messages[index]
        layout = _layout_of(message.text) if message.role == "user" else None
        if layout is None:
            return ()
        start = users_part(message.text)
        if start:
            return joined(message.text, start, lambda text: _asked(text, layout, index, kinds))
        return _by_layout(message.text, layout, index, notes)

    return cut(turn, kinds, knife, _layout(turn))


def _asked(text: str, layout: str, index: int, kinds: Mapping[str, str]) -> Sequence[Piece]:
    """The user's part of a joined text; notes would point at the wrong places in it."""
    if layout != "joined":
        return _by_layout(text, layout, index, [])
    return outline(text, Manner("updates", "contexts", kinds=kinds))[0]


def _by_layout(text: str, layout: str, index: int, notes: list[Note]) -> Sequence[Piece]:
    if layout == "lesson":
        return by_leads(text, 0, len(text), _LESSON_PARTS)
    pieces, seen = by_titles(text, 0, _TITLES[layout], index)
    notes += seen
    told = [_with_children(text, piece, layout, index) for piece in pieces]
    return headed(text, told) if told else ()


def _with_children(text: str, piece: Piece, layout: str, index: int) -> Piece:
    """The context of a role with what is in it; a rule above the next heading belongs to that."""
    if layout != "role" or piece.title != "Context":
        return piece
    children, _ = by_titles(text, piece.body_start, _CONTEXT, index, piece.end)
    return replace(piece, children=tuple(children))


def offers(turn: Turn, sections: Sequence[Section]) -> Contract:
    """The nodes, which are the fields of the one thing that is to be said."""
    for section in sections:
        if section.title == "Nodes":
            text = turn.messages[section.message].text
            nodes = islice(_NODE.finditer(text, section.start, section.end), MAX_NODES)
            parameters = [
                Parameter(node[1].strip(), _type(node[2]), description=(node[3] or "").strip())
                for node in nodes
                if not _STANDS_IN.fullmatch(node[1].strip())
            ]
            if not parameters:
                return Contract()
            source = Source(section.message, section.start, section.end)
            schema: dict[str, Any] = schema_of(parameters)
            offer = Offer(CONTENT, None, schema, source, section.path, required=True, rebuilt=True)
            return Contract((), (offer,))
    return Contract()


def _type(written: str) -> str:
    """``<class 'str'>`` and ``typing.List[str]`` as plain words; nothing where a text will do as well."""
    plain = written.strip().removeprefix("<class '").rstrip("'> ").removeprefix("typing.")
    return "" if plain in _LAX else plain


METAGPT = Dialect(
    name="metagpt",
    title="MetaGPT",
    likelihood=likelihood,
    split=split,
    layouts=("node", "role", "data", "lesson", "run", "talk", "joined"),
    offers=offers,
    facts={"data": {"fences": Fences(names=("python", "py"), code="python_interpreter")}},
)
