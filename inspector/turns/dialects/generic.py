"""Any prompt that no other dialect knows: roles, tags and headings, kinds guessed from names.

A prompt of one message may be a conversation rendered into one text: then its layout is ``chat``.
"""

from collections.abc import Mapping

from inspector.turns.dialects.card import Cut, Dialect, Piece
from inspector.turns.dialects.chat import Chat
from inspector.turns.dialects.chat_templates import conversation
from inspector.turns.dialects.outline import Manner, outline
from inspector.turns.turn import Kind, Turn


def likelihood(turn: Turn) -> float:
    """Always a little: there must be a winner."""
    return 0.1


def split(turn: Turn, kinds: Mapping[str, str]) -> Cut:
    """Cuts each message by its role and its own outline."""
    if len(turn.messages) == 1:
        pieces = conversation(turn.messages[0].text, lambda role, text: _outlined(role, text, kinds))
        if pieces:
            return Cut((tuple(pieces),), CHAT)
    chat = Chat(turn, kinds)
    cut = tuple(chat.pieces(index) for index in range(len(turn.messages)))
    return Cut(cut, None, tuple(chat.notes))


def _outlined(role: str, text: str, kinds: Mapping[str, str]) -> tuple[Piece, ...]:
    unknown: Kind = "instructions" if role == "system" else "other"
    return outline(text, Manner("instructions", unknown, kinds=kinds))[0]


CHAT = "chat"
GENERIC = Dialect(name="generic", title="Generic", likelihood=likelihood, split=split, layouts=(CHAT,))
