"""Any prompt that no other dialect knows: roles, tags and headings, kinds guessed from names."""

from collections.abc import Mapping

from inspector.turns.dialects.card import Cut, Dialect, Note, Piece
from inspector.turns.dialects.outline import Manner, outline
from inspector.turns.turn import Kind, Message, Turn

MAX_NOTES = 20
SYSTEM = frozenset({"system", "developer"})


def likelihood(turn: Turn) -> float:
    """Always a little: there must be a winner."""
    return 0.1


def split(turn: Turn, kinds: Mapping[str, str]) -> Cut:
    """Cuts system and user messages by their own outline; other messages are one section each."""
    notes: list[Note] = []
    lone = _is_lone(turn)
    cut = tuple(_pieces(turn, index, lone, kinds, notes) for index in range(len(turn.messages)))
    return Cut(cut, None, tuple(notes))


def pieces_of(
    turn: Turn, index: int, kinds: Mapping[str, str], notes: list[Note] | None = None
) -> tuple[Piece, ...]:
    """The pieces of one message, for dialects that explain only some."""
    return _pieces(turn, index, _is_lone(turn), kinds, notes if notes is not None else [])


def _is_lone(turn: Turn) -> bool:
    """Whether all that the user says is one message: then it may be a whole prompt with headings."""
    return sum(message.role == "user" for message in turn.messages) == 1


def _pieces(
    turn: Turn, index: int, lone: bool, kinds: Mapping[str, str], notes: list[Note]
) -> tuple[Piece, ...]:
    message = turn.messages[index]
    if not message.text:
        return ()
    if message.role not in (*SYSTEM, "user"):
        return (whole(turn, index),)
    pieces, left_open = outline(message.text, _manner(turn, index, lone, kinds))
    for mark in left_open[:MAX_NOTES]:
        words = f"<{mark.name}> looks like a section, but is never closed."
        notes.append(Note("unclosed-section", index, mark.start, mark.end, words))
    return pieces or (whole(turn, index),)


def _manner(turn: Turn, index: int, lone: bool, kinds: Mapping[str, str]) -> Manner:
    """A system message and a lone prompt are an author's; what else a user says may only hold tags."""
    message = turn.messages[index]
    if message.role in SYSTEM or (lone and index == 0):
        unknown: Kind = "instructions" if message.role in SYSTEM else "other"
        return Manner("instructions", unknown, kinds=kinds)
    return Manner(
        prose=role_kind(turn, index),
        unknown="other",
        headings=lone,
        labels=lone,
        speaker=(_title(message), message.role),
        kinds=kinds,
    )


def whole(turn: Turn, index: int) -> Piece:
    """A message as one section."""
    message = turn.messages[index]
    if is_prefill(turn, index):
        return Piece(0, len(message.text), "format", "Prefill", "prefill", "role")
    return Piece(
        0, len(message.text), role_kind(turn, index), _title(message), message.role or "message", "role"
    )


def is_prefill(turn: Turn, index: int) -> bool:
    """Whether a message is the beginning of the answer: the last one, if it is the assistant's."""
    return index == len(turn.messages) - 1 and turn.messages[index].role == "assistant" and index > 0


def role_kind(turn: Turn, index: int) -> Kind:
    """A message's kind by its role and place: what came after the assistant's last word is new."""
    role = turn.messages[index].role
    if role in SYSTEM:
        return "instructions"
    later = turn.messages[index + 1 :]
    if role == "user" and not any(message.role == "user" for message in later):
        return "updates"
    if role in ("tool", "function") and not any(message.role in ("assistant", "user") for message in later):
        return "updates"
    return "history"


def _title(message: Message) -> str:
    words = {"user": "User message", "assistant": "Assistant message", "tool": "Tool result"}
    title = words.get(message.role, f"{message.role or 'Nameless'} message".capitalize())
    return f"{title}: {message.name}" if message.name else title


GENERIC = Dialect(name="generic", title="Generic", likelihood=likelihood, split=split)
