"""The messages of a conversation as sections, by role and place, for what no dialect explains."""

import re
from collections.abc import Mapping, Sequence

from inspector.turns.dialects.card import Note, Piece
from inspector.turns.dialects.outline import Manner, outline
from inspector.turns.shown import call_of, is_result
from inspector.turns.turn import Kind, Message, Part, Turn

MAX_NOTES = 20
MAX_RESULTS = 500
"""Results told apart in one message of a user; what follows is outlined as text."""
SYSTEM = frozenset({"system", "developer"})
_ADDED: frozenset[Kind] = frozenset(
    {"instructions", "documents", "environment", "contexts", "memory", "updates", "format"}
)
"""Kinds of what hosts add to a user's message in tags; other tags there are results and files."""
_ANSWER_FORM = re.compile(
    r"\s*(?:Format|Structure|Ensure(?: that)?|Return|Write|Give) (?:your|the) (?:final )?"
    r"(?:answer|response|output)\b[^.\n]{0,120}\b(?:schema|format|JSON)\b"
)
"""How a system message begins that says nothing but what an answer must look like."""
_TITLES = {"user": "User message", "assistant": "Assistant message", "tool": "Tool result"}


class Chat:
    """A turn's messages and who spoke last; made once a turn, since conversations can be long."""

    def __init__(self, turn: Turn, kinds: Mapping[str, str]) -> None:
        self._messages = turn.messages
        self._kinds = kinds
        self.notes: list[Note] = []
        """What was seen while cutting."""
        self._results_only = frozenset(i for i, m in enumerate(turn.messages) if _is_results(m))
        users = [i for i, m in enumerate(turn.messages) if m.role == "user" and i not in self._results_only]
        said = [i for i, m in enumerate(turn.messages) if m.role == "assistant"]
        self.first_user = users[0] if users else -1
        self._last_user = users[-1] if users else -1
        self._last_word = max(self._last_user, said[-1] if said else -1)
        self._is_lone = len(users) == 1
        """Whether all that the user says is one message: then it may be a whole prompt with headings."""
        self._called = {call.id: call.name for m in turn.messages for call in m.calls if call.id}

    def pieces(self, index: int) -> tuple[Piece, ...]:
        """System and user messages by their own outline; results and other messages as one section each."""
        message = self._messages[index]
        if not message.text:
            return ()
        if message.role not in SYSTEM and message.role != "user":
            return (self._whole(index),)
        results = [part for part in message.parts if part.end > part.start and is_result(part)]
        return self._around(index, results) if results else self._outlined(index, 0, len(message.text))

    def _around(self, index: int, results: Sequence[Part]) -> tuple[Piece, ...]:
        """A user's message that brings results: these, and the words between them."""
        pieces: list[Piece] = []
        at = 0
        kind = self._kind(index)
        for part in results[:MAX_RESULTS]:
            pieces += self._outlined(index, at, part.start)
            title = self._result(call_of(part.value))
            pieces.append(Piece(part.start, part.end, kind, title, "tool", "role", part.start, part.end))
            at = part.end
        return (*pieces, *self._outlined(index, at, len(self._messages[index].text)))

    def _outlined(self, index: int, start: int, end: int) -> tuple[Piece, ...]:
        """A stretch of a message by its own outline, or as one section where it has none."""
        whole = self._messages[index].text
        text = whole[start:end]
        if len(text) < len(whole) and not text.strip():
            return ()
        pieces, left_open = outline(text, self._manner(index))
        for mark in left_open[:MAX_NOTES]:
            words = f"<{mark.name}> looks like a section, but is never closed."
            self.notes.append(Note("unclosed-section", index, start + mark.start, start + mark.end, words))
        return tuple(piece.moved(start) for piece in pieces) or (self._whole(index, start, end),)

    def _result(self, call: str | None) -> str:
        name = self._called.get(call or "")
        return f"Tool result: {name}" if name else "Tool result"

    def _manner(self, index: int) -> Manner:
        """A system message and a lone prompt are an author's; what else a user says may only hold tags."""
        message = self._messages[index]
        if message.role in SYSTEM or (self._is_lone and index == 0):
            unknown: Kind = "instructions" if message.role in SYSTEM else "other"
            return Manner("instructions", unknown, kinds=self._kinds)
        return Manner(
            prose=self._kind(index),
            unknown="other",
            headings=self._is_lone,
            labels=self._is_lone,
            tags=None if self._is_lone else _ADDED,
            speaker=(self._title(message), message.role),
            kinds=self._kinds,
        )

    def _whole(self, index: int, start: int = 0, end: int | None = None) -> Piece:
        """A message, or a stretch of it, as one section."""
        message = self._messages[index]
        end = len(message.text) if end is None else end
        if message.role == "assistant" and 0 < index == len(self._messages) - 1:
            return Piece(start, end, "format", "Prefill", "prefill", "role", start, end)
        if message.role in SYSTEM and _ANSWER_FORM.match(message.text, start, min(end, start + 400)):
            return Piece(start, end, "format", "Response Format", "response-format", "role", start, end)
        name = message.role or "message"
        return Piece(start, end, self._kind(index), self._title(message), name, "role", start, end)

    def _title(self, message: Message) -> str:
        if message.role == "tool" and not message.name:
            return self._result(message.call_id)
        title = _TITLES.get(message.role, f"{message.role or 'Nameless'} message".capitalize())
        return f"{title}: {message.name}" if message.name else title

    def _kind(self, index: int) -> Kind:
        """A message's kind by its role and place: what came after the assistant's last word is new."""
        message = self._messages[index]
        if message.role in SYSTEM:
            return "instructions"
        answers = message.role in ("tool", "function") or index in self._results_only
        is_new = index == self._last_user or (answers and index > self._last_word)
        return "updates" if is_new else "history"


def _is_results(message: Message) -> bool:
    """Whether a message brings nothing but results, whatever its role is."""
    return bool(message.parts) and all(is_result(part) for part in message.parts)
