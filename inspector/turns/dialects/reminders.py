"""What command-line agents put into users' messages as ``<system-reminder>`` blocks, beside the own words."""

from inspector.turns.dialects.card import Piece
from inspector.turns.turn import Kind

MAX_REMINDERS = 200
"""Reminders told apart in one message; the rest is text."""
_OPEN, _CLOSE = "<system-reminder>", "</system-reminder>"
_SUBJECTS: tuple[tuple[str, Kind, str], ...] = (
    ("skills are available", "documents", "Available Skills"),
    ("# claudeMd", "documents", "CLAUDE.md"),
    ("CLAUDE.md", "documents", "CLAUDE.md"),
    ("## Device Information", "environment", "Device Information"),
    ("todo list", "memory", "Todo List"),
    ("TodoWrite", "memory", "Todo List"),
    ("Called the ", "history", "Earlier Call"),
    ("Result of calling", "history", "Earlier Result"),
    ("was modified", "contexts", "Changed File"),
    ("opened the file", "contexts", "Open File"),
    ("Plan mode", "instructions", "Plan Mode"),
)
"""What a reminder is about, by words near its beginning."""


def with_reminders(text: str, *, is_new: bool, title: str = "User message") -> tuple[Piece, ...]:
    """A user's message in reminders and the user's own words; nothing where there are no reminders."""
    kind: Kind = "updates" if is_new else "history"
    pieces: list[Piece] = []
    at = 0
    while len(pieces) < MAX_REMINDERS and (start := _opening(text, at)) >= 0:
        close = text.find(_CLOSE, start)
        if close < 0:
            break
        end = close + len(_CLOSE)
        if text[at:start].strip():
            pieces.append(Piece(at, start, kind, title, "user", "role", at, start))
        pieces.append(_reminder(text, start, close, end))
        at = end
    if pieces and text[at:].strip():
        pieces.append(Piece(at, len(text), kind, title, "user", "role", at, len(text)))
    return tuple(pieces)


def _opening(text: str, start: int) -> int:
    """Where a reminder begins that is a block of its own: at a line's start or behind another one."""
    place = text.find(_OPEN, start)
    while place > 0 and text[place - 1] not in "\n>":
        place = text.find(_OPEN, place + 1)
    return place


def _reminder(text: str, start: int, close: int, end: int) -> Piece:
    body = start + len(_OPEN)
    head = text[body : min(close, body + 1_500)]
    found = ((kind, title) for words, kind, title in _SUBJECTS if words in head)
    kind, title = next(found, ("instructions", "System Reminder"))
    return Piece(start, end, kind, title, "system-reminder", "tag", body, close)
