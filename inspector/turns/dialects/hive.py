"""Hive: the pursuit of a goal (persona, context, native tools), the generation of one (titles, JSON).

Layouts: ``pursuit``, ``generation``, and ``anthropic``, the pursuit as Anthropic's wire carries it, with all
system notes joined into the one system text.
"""

import re
from collections.abc import Mapping
from dataclasses import replace
from itertools import islice, pairwise

from inspector.turns.dialects.card import Cut, Dialect, Note, Piece
from inspector.turns.dialects.chat import Chat
from inspector.turns.dialects.hive_toolkits import parted, split_at
from inspector.turns.dialects.names import own_kind
from inspector.turns.dialects.outline import slug
from inspector.turns.dialects.statics import Lead, by_leads, line_start
from inspector.turns.dialects.titles import Title, by_titles
from inspector.turns.turn import Message, Turn

_PERSONA = re.compile(r"You are [^\n]{1,200}\.\n\n(?:Personality|Values|Fears|Purpose|Long-term goals): ")
_NO_PERSONA = "You are an autonomous agent named "
_MEMORIES = "Relevant memories:"
_UPDATED = "Updated pursuit context:"
_NOTE = re.compile(rf"^(?:{_MEMORIES}|{_UPDATED})", re.MULTILINE)
_CONTEXT = "Context:"
MAX_NOTES = 200
"""Notes told apart in one system text; the last one holds the rest."""
_SYSTEM = (
    Lead("Role: ", "instructions", "Role Description"),
    Lead("You live in a persistent simulated world.", "instructions", "World"),
    Lead("Always respond in the exact JSON format", "format", "Response Format"),
    Lead("Personality: ", "instructions", "Personality"),
    Lead("Values: ", "instructions", "Values"),
    Lead("Fears: ", "instructions", "Fears"),
    Lead("Purpose: ", "instructions", "Purpose"),
    Lead("Long-term goals: ", "instructions", "Long-term Goals"),
    Lead("Instructions:", "instructions", "Instructions"),
    Lead("Context: ", "instructions", "Profile"),
    Lead("Communication style: ", "instructions", "Communication Style"),
    Lead("Behavior style: ", "instructions", "Behavior Style"),
    Lead("Current behavioral state:", "contexts", "Behavioral State"),
    Lead("--- Skills & Methodologies ---", "documents", "Skills & Methodologies"),
    Lead("Respond with a JSON object matching this schema:", "format", "Response Schema"),
)
_STATE = (
    Lead("Your name is ", "instructions", "Identity"),
    Lead("Story so far:", "memory", "Story So Far"),
    Lead("Recent history:", "memory", "Recent History"),
    Lead("Your worldview:", "memory", "Worldview"),
    Lead("Your opinions:", "memory", "Opinions"),
    Lead("Open questions:", "memory", "Open Questions"),
    Lead("Current mood:", "contexts", "Mood"),
    Lead("Current suffering load:", "contexts", "Suffering"),
)
_GENERATION = (
    Title("--- Your identity ---", "instructions", "Your Identity"),
    Title("--- Your notepad ---", "memory", "Your Notepad"),
    Title("--- Relevant memories ---", "memory", "Relevant Memories"),
    Title("--- Your economic status ---", "contexts", "Your Economic Status"),
    Title("--- Your current condition ---", "contexts", "Your Current Condition"),
    Title("--- Your current state ---", "contexts", "Your Current State"),
    Title("--- Your behavioral state ---", "contexts", "Your Behavioral State"),
    Title("--- Messages from the user ---", "updates", "Messages from the User"),
    Title("--- Recent goals ---", "memory", "Recent Goals"),
    Title("--- What others are doing ---", "contexts", "What Others Are Doing"),
    Title("--- Available tools ---", "actions", "Available Tools"),
    Title("--- Available actions ---", "actions", "Available Actions"),
    Title("--- Your task ---", "format", "Your Task"),
)
_FENCES = ("--- Available tools ---\n", "--- Available actions ---\n", "--- Your task ---\n")


def likelihood(turn: Turn) -> float:
    """By the first words of the system message and the shape of what follows."""
    messages = turn.messages
    if not messages or messages[0].role != "system":
        return 0.0
    system = messages[0].text
    known = system.startswith(_NO_PERSONA) or _PERSONA.match(system) is not None
    if _is_generation(messages):
        return 0.97
    if not known:
        return 0.0
    marks = ("Current behavioral state:", "You live in a persistent simulated world.", _UPDATED, _MEMORIES)
    return 0.95 if any(f"\n{mark}" in system for mark in marks) else 0.3


def split(turn: Turn, kinds: Mapping[str, str]) -> Cut:
    """Cuts the system text by its paragraphs, the user's by its titles or its context block."""
    generation = _is_generation(turn.messages)
    chat = Chat(turn, kinds)
    cut: list[tuple[Piece, ...]] = []
    for index, message in enumerate(turn.messages):
        pieces = _pieces(turn, index, generation, chat) if message.text else []
        cut.append(tuple(_own(piece, kinds) for piece in pieces) or chat.pieces(index))
    joined = any(
        f"\n{mark}" in message.text for message in turn.messages[:1] for mark in (_UPDATED, _MEMORIES)
    )
    return Cut(
        tuple(cut), "generation" if generation else "anthropic" if joined else "pursuit", tuple(chat.notes)
    )


def _is_generation(messages: tuple[Message, ...]) -> bool:
    users = [message.text for message in messages if message.role == "user"]
    return len(users) == 1 and all(f"\n{line}" in users[0] for line in _FENCES)


def _pieces(turn: Turn, index: int, generation: bool, chat: Chat) -> list[Piece]:
    message = turn.messages[index]
    if message.role == "system":
        return _system(message.text) if index == 0 else _note(message.text)
    if message.role != "user":
        return []
    if generation:
        return _situation(message.text, index, chat.notes)
    return _goal(message.text) if index == chat.first_user else []


def _system(text: str) -> list[Piece]:
    """The system text; Anthropic's wire has the notes of later cycles at its end."""
    end = len(text)
    for mark in (_MEMORIES, _UPDATED):
        place = line_start(text, mark, 0, end)
        end = place if place >= 0 else end
    pieces = [part for piece in by_leads(text, 0, end, _SYSTEM) for part in _parted(text, piece)]
    starts = [match.start() for match in islice(_NOTE.finditer(text, end), MAX_NOTES)]
    for start, limit in pairwise([*starts, len(text)]):
        pieces += _note(text, start, limit)
    return pieces


def _parted(text: str, piece: Piece) -> list[Piece]:
    """A part without what comes behind it as paragraphs with no first words of their own."""
    if piece.title in ("Profile", "Skills & Methodologies"):
        return parted(text, piece)
    if piece.title == "Communication Style":
        return _profiled(text, piece)
    blank = text.find("\n\n", piece.start, piece.end) if piece.title == "Behavioral State" else -1
    behind = blank >= 0 and text[blank : piece.end].strip()
    return split_at(text, piece, blank + 2) if behind else [piece]


def _profiled(text: str, piece: Piece) -> list[Piece]:
    """How the agent speaks, and behind it what its profile says, then its toolkits."""
    blank = text.find("\n\n", piece.start, piece.end)
    if blank < 0 or not text[blank : piece.end].strip():
        return [piece]
    start = blank + 2
    head = replace(piece, end=start, body_start=min(piece.body_start, start), body_end=start)
    title = "Profile"
    return [head, *parted(text, Piece(start, piece.end, "instructions", title, slug(title), "text", start))]


def _note(text: str, start: int = 0, end: int | None = None) -> list[Piece]:
    """A system note: recalled memories or the context of a later cycle."""
    end = len(text) if end is None else end
    line = text.find("\n", start, end) + 1 or end
    if text.startswith(_MEMORIES, start):
        return [Piece(start, end, "memory", "Relevant Memories", "relevant-memories", "label", line, end)]
    if text.startswith(_UPDATED, start):
        parts = _parts(text, line, end)
        title, name = "Updated Pursuit Context", "updated-pursuit-context"
        return [Piece(start, end, "contexts", title, name, "label", line, end, parts)]
    return []


def _goal(text: str) -> list[Piece]:
    """The first user message: the goal, then the context of the first cycle."""
    context = text.find(f"\n\n{_CONTEXT}\n")
    if context < 0:
        return [Piece(0, len(text), "updates", "Goal", "goal")]
    start = context + 2
    body = start + len(_CONTEXT) + 1
    parts = _parts(text, body, len(text))
    end = len(text)
    return [
        Piece(0, start, "updates", "Goal", "goal"),
        Piece(start, end, "contexts", "Context", "context", "label", body, end, parts),
    ]


def _parts(text: str, start: int, end: int) -> tuple[Piece, ...]:
    return tuple(piece for piece in by_leads(text, start, end, _STATE) if piece.title not in ("Role", "Text"))


def _situation(text: str, index: int, notes: list[Note]) -> list[Piece]:
    pieces, seen = by_titles(text, 0, _GENERATION, index)
    notes += seen
    first = pieces[0].start if pieces else len(text)
    intro = Piece(0, first, "instructions", "Introduction", "intro")
    return [intro, *pieces] if first else pieces


def _own(piece: Piece, kinds: Mapping[str, str]) -> Piece:
    own = own_kind(piece.title, kinds) or own_kind(piece.name, kinds)
    return piece.with_kind(own) if own and own != "none" else piece


HIVE = Dialect(
    name="hive",
    title="Hive",
    likelihood=likelihood,
    split=split,
    layouts=("pursuit", "generation", "anthropic"),
    grammar="tools",
    facts={"generation": {"grammar": "json"}},
)
