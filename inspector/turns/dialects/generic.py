"""Any prompt that no other dialect knows: roles, tags and headings, kinds guessed from names."""

from collections.abc import Mapping

from inspector.turns.dialects.card import Cut, Dialect
from inspector.turns.dialects.chat import Chat
from inspector.turns.turn import Turn


def likelihood(turn: Turn) -> float:
    """Always a little: there must be a winner."""
    return 0.1


def split(turn: Turn, kinds: Mapping[str, str]) -> Cut:
    """Cuts each message by its role and its own outline."""
    chat = Chat(turn, kinds)
    cut = tuple(chat.pieces(index) for index in range(len(turn.messages)))
    return Cut(cut, None, tuple(chat.notes))


GENERIC = Dialect(name="generic", title="Generic", likelihood=likelihood, split=split)
