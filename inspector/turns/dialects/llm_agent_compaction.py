"""LLM::Agent's compaction: the request for a summary, the transcript to be summed up, and the summary."""

import re
from itertools import islice

from inspector.turns.dialects.card import Piece
from inspector.turns.dialects.cutting import limits
from inspector.turns.turn import Message

REQUEST = "You are compacting the middle of a long agent conversation"
SUMMARY = "[Conversation summary — earlier turns compacted]"
MAX_ENTRIES = 500
"""Messages told apart in one transcript; the last one holds the rest."""
_OPEN, _CLOSE = "<transcript>\n", "\n</transcript>"
_HEADINGS = re.compile(r"\n\n(?=1\. )")
_ENTRY = re.compile(r"(?<=\n)\[(system|user|assistant|tool)\](?=\n|\Z)")


def pieces(message: Message) -> list[Piece]:
    """The pieces of a message of a compaction; none where it is another one."""
    text = message.text
    if message.role == "system" and text.startswith(REQUEST):
        return _request(text)
    if message.role == "user" and text.startswith(SUMMARY):
        return [_summary(text)]
    if message.role == "user" and text.startswith(_OPEN):
        return [_transcript(text)]
    return []


def _request(text: str) -> list[Piece]:
    """The task, the headings that the summary must have, and the rules for it."""
    found = _HEADINGS.search(text)
    start = found.end() if found else len(text)
    end = text.find("\n\n", start) + 2 if found else len(text)
    end = end if end > start else len(text)
    parts = [
        Piece(0, start, "instructions", "Task", "task"),
        Piece(start, end, "format", "Summary Headings", "summary-headings"),
        Piece(end, len(text), "instructions", "Rules", "rules"),
    ]
    return [part for part in parts if part.start < part.end]


def _summary(text: str) -> Piece:
    title = "Conversation Summary"
    return Piece(0, len(text), "memory", title, "conversation-summary", "label", len(SUMMARY))


def _transcript(text: str) -> Piece:
    """The messages that are to be summarised, as the summariser is shown them."""
    close = text.rfind(_CLOSE)
    end = close + 1 if close >= 0 else len(text)
    marks = list(islice(_ENTRY.finditer(text, 0, end), MAX_ENTRIES))
    ends = limits([mark.start() for mark in marks], end)
    entries = tuple(_entry(mark, stop) for mark, stop in zip(marks, ends, strict=True))
    return Piece(0, len(text), "history", "Transcript", "transcript", "tag", len(_OPEN), end, entries)


def _entry(mark: re.Match[str], end: int) -> Piece:
    role = mark[1]
    return Piece(mark.start(), end, "history", role.title(), role, "role", min(mark.end() + 1, end), end)
