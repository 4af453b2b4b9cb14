"""The messages of a conversation as sections, by role and place, for what no dialect explains."""

from collections.abc import Mapping

from inspector.turns.dialects.card import Note, Piece
from inspector.turns.dialects.outline import Manner, outline
from inspector.turns.turn import Kind, Message, Turn

MAX_NOTES = 20
SYSTEM = frozenset({"system", "developer"})
_ADDED: frozenset[Kind] = frozenset(
    {"instructions", "documents", "environment", "contexts", "memory", "updates", "format"}
)
"""Kinds of what hosts add to a user's message in tags; other tags there are results and files."""
_TITLES = {"user": "User message", "assistant": "Assistant message", "tool": "Tool result"}


class Chat:
    """A turn's messages and who spoke last; made once a turn, since conversations can be long."""

    def __init__(self, turn: Turn, kinds: Mapping[str, str]) -> None:
        self._messages = turn.messages
        self._kinds = kinds
        self.notes: list[Note] = []
        """What was seen while cutting."""
        spoke = [[i for i, m in enumerate(turn.messages) if m.role == role] for role in ("user", "assistant")]
        users, assistants = spoke
        self.first_user = users[0] if users else -1
        self._last_user = users[-1] if users else -1
        self._last_word = max(self._last_user, assistants[-1] if assistants else -1)
        self._is_lone = len(users) == 1
        """Whether all that the user says is one message: then it may be a whole prompt with headings."""

    def pieces(self, index: int) -> tuple[Piece, ...]:
        """System and user messages by their own outline; other messages as one section each."""
        message = self._messages[index]
        if not message.text:
            return ()
        if message.role not in SYSTEM and message.role != "user":
            return (self._whole(index),)
        pieces, left_open = outline(message.text, self._manner(index))
        for mark in left_open[:MAX_NOTES]:
            words = f"<{mark.name}> looks like a section, but is never closed."
            self.notes.append(Note("unclosed-section", index, mark.start, mark.end, words))
        return pieces or (self._whole(index),)

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
            speaker=(_title(message), message.role),
            kinds=self._kinds,
        )

    def _whole(self, index: int) -> Piece:
        """A message as one section."""
        message = self._messages[index]
        end = len(message.text)
        if message.role == "assistant" and 0 < index == len(self._messages) - 1:
            return Piece(0, end, "format", "Prefill", "prefill", "role", 0, end)
        name = message.role or "message"
        return Piece(0, end, self._kind(index), _title(message), name, "role", 0, end)

    def _kind(self, index: int) -> Kind:
        """A message's kind by its role and place: what came after the assistant's last word is new."""
        role = self._messages[index].role
        if role in SYSTEM:
            return "instructions"
        is_new = index == self._last_user or (role in ("tool", "function") and index > self._last_word)
        return "updates" if is_new else "history"


def _title(message: Message) -> str:
    title = _TITLES.get(message.role, f"{message.role or 'Nameless'} message".capitalize())
    return f"{title}: {message.name}" if message.name else title
