"""Ankole's question beside its turns: should the agent speak in a room where nobody addressed it?

Asked of a cheap model in three ways so far: tagged blocks and a YAML window (2026-07), headings and a
transcript, and headings with the room's facts in the user's message. All of them want a JSON answer.
"""

from dataclasses import replace

from inspector.turns.dialects.card import Note, Piece
from inspector.turns.dialects.cutting import headed
from inspector.turns.dialects.titles import Title, by_titles

_FIRST = 400
"""How far into a system message its first words are looked for."""
_SOUL = Title("<agent_soul>", "documents", "SOUL")
_MISSION = Title("<mission>", "documents", "Mission")
_RUNTIME = Title("<runtime_context>", "environment", "Runtime Context")
_DURABLE = Title("<durable_context>", "memory", "Durable Context")
_INSIDE = (_SOUL, _MISSION, _RUNTIME, _DURABLE)
"""Blocks that stand under a heading."""
_SYSTEM: tuple[tuple[tuple[str, ...], tuple[Title, ...]], ...] = (
    (
        ("You are deciding whether ", "should proactively speak in an IM room."),
        (
            Title("<agent_identity>", "instructions", "Agent Identity"),
            _SOUL,
            _MISSION,
            _RUNTIME,
            Title("<intervention_policy>", "instructions", "Intervention Policy"),
        ),
    ),
    (
        ("is an AI colleague Agent and a member of the ", "\n## About "),
        (
            Title("## About ", "documents", "About", begins=True),
            Title("## Situation", "instructions", "Situation"),
            Title("## Context", "contexts", "Context"),
            Title("Be conservative:", "instructions", "Intervention Policy"),
        ),
    ),
    (
        ("## Agent\n\n<about>\n<display_name>",),
        (
            Title("## Agent", "documents", "About"),
            Title("Decide whether this Agent should proactively", "instructions", "Policy", begins=True),
        ),
    ),
)
"""First words of each way → its titles in order."""
_USER = (
    _RUNTIME,
    Title("Standing Orders (operator policy for this room):", "instructions", "Standing Orders"),
    Title("Earlier Context (already reviewed", "history", "Earlier Context", begins=True),
    Title("New Messages (not yet judged", "updates", "New Messages", begins=True),
    Title("Conversation History:", "history", "Conversation History"),
    Title("Current decision point:", "updates", "Decision Point"),
    Title("<decision_input>", "updates", "Decision Input"),
    Title("Use only the current observed messages as the trigger.", "instructions", "Trigger", begins=True),
)


def is_ambient(system: str) -> bool:
    """Whether a system message asks whether to speak."""
    return bool(_titles(system))


def system_pieces(text: str, message: int) -> tuple[list[Piece], list[Note]]:
    """The system message by its titles; blocks under a heading are its children."""
    pieces, notes = by_titles(text, 0, _titles(text), message)
    whole = [replace(piece, children=_inside(text, piece, message)) for piece in pieces]
    return headed(text, whole, "instructions", "Task"), notes


def user_pieces(text: str, message: int) -> tuple[list[Piece], list[Note]]:
    """The user's message: the room's facts and what was said in it."""
    pieces, notes = by_titles(text, 0, _USER, message)
    return headed(text, pieces, "updates", "Question"), notes


def _titles(system: str) -> tuple[Title, ...]:
    first = system[:_FIRST]
    return next((titles for words, titles in _SYSTEM if all(word in first for word in words)), ())


def _inside(text: str, piece: Piece, message: int) -> tuple[Piece, ...]:
    if piece.syntax == "tag":
        return ()
    return tuple(by_titles(text, piece.body_start, _INSIDE, message, piece.end)[0])
