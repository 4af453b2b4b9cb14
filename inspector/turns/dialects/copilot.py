"""GitHub Copilot in VS Code: camelCase blocks in the system message; environment, context, request in users'.

Layouts: ``chat``. A user's message ends with the request; attachments before it hold files of any content.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from inspector.turns.dialects.blocks import blocks
from inspector.turns.dialects.card import Cut, Dialect, Note, Piece
from inspector.turns.dialects.cutting import cut, headed, limits
from inspector.turns.dialects.names import kind_of
from inspector.turns.dialects.titles import Title, by_titles
from inspector.turns.scan import attributes_of
from inspector.turns.turn import Kind, Turn

_START = "You are an expert AI programming assistant, working with a user in "
_NAME = "GitHub Copilot"
_OWN_RULES = "When generating code, please follow these user provided coding instructions."
_INFO = "<environment_info>\n"
MAX_ATTACHMENTS = 200
_SYSTEM: Mapping[str, Kind] = {
    "communicationStyle": "instructions",
    "workflowGuidance": "instructions",
    "context_management": "instructions",
    "skills": "documents",
    "agents": "contexts",
    "memory_scopes": "memory",
}
_ENVIRONMENT = (
    Title("<environment_info>", "environment", "Environment Info"),
    Title("<workspace_info>", "environment", "Workspace Info"),
    Title("<userMemory>", "memory", "User Memory"),
    Title("<sessionMemory>", "memory", "Session Memory"),
    Title("<repoMemory>", "memory", "Repo Memory"),
)
_RULES = (
    Title(_OWN_RULES, "instructions", "Custom Instructions", begins=True),
    Title("<modeInstructions>", "instructions", "Mode Instructions"),
)
_REQUEST = (
    Title("<conversation-summary>", "memory", "Conversation Summary"),
    Title("<attachments>", "contexts", "Attachments"),
    Title("<context>", "environment", "Context"),
    Title("<editorContext>", "contexts", "Editor Context"),
    Title("<repoContext>", "contexts", "Repo Context"),
    Title("<toolReferences>", "contexts", "Tool References"),
    Title("<reminderInstructions>", "instructions", "Reminder Instructions"),
    Title("<userRequest>", "updates", "User Request"),
)


def likelihood(turn: Turn) -> float:
    """By the first sentence and the name, else by the blocks that only Copilot puts into users' messages."""
    for message in turn.messages[:4]:
        text = message.text
        if message.role in ("system", "developer"):
            if text.startswith(_START) and _NAME in text[:1_000]:
                return 0.96
        elif message.role == "user":
            if text.startswith(_INFO) and "\n<workspace_info>\n" in text:
                return 0.9
            if "\n<userRequest>\n" in text and "<reminderInstructions>\n" in text:
                return 0.9
    return 0.0


def split(turn: Turn, kinds: Mapping[str, str]) -> Cut:
    """Cuts the system message by its blocks and the users' messages by the known ones in their order."""
    last_said = max((i for i, m in enumerate(turn.messages) if m.role == "assistant"), default=-1)

    def knife(index: int, notes: list[Note]) -> Sequence[Piece]:
        message = turn.messages[index]
        if message.role in ("system", "developer"):
            return blocks(message.text, _kind)
        if message.role != "user":
            return ()
        pieces, seen = by_titles(message.text, 0, _titles(message.text), index)
        notes += seen
        if not pieces:
            return ()
        return [
            _told(message.text, piece, is_new=index > last_said) for piece in headed(message.text, pieces)
        ]

    return cut(turn, kinds, knife, "chat")


def _kind(name: str) -> Kind | None:
    return _SYSTEM.get(name) or kind_of(name) or "instructions"


def _titles(text: str) -> tuple[Title, ...]:
    if text.startswith(_INFO):
        return _ENVIRONMENT
    return _RULES if text.startswith(_OWN_RULES) else _REQUEST


def _told(text: str, piece: Piece, *, is_new: bool) -> Piece:
    """A piece of a user's message: attachments each on their own, an answered request as history."""
    if piece.name == "user-request" and not is_new:
        return piece.with_kind("history")
    if piece.name != "attachments":
        return piece
    starts = _attachments(text, piece.body_start, piece.end)
    return replace(
        piece,
        children=tuple(
            _attachment(text, start, limit)
            for start, limit in zip(starts, limits(starts, piece.end), strict=True)
        ),
    )


def _attachments(text: str, start: int, end: int) -> Sequence[int]:
    found: list[int] = []
    place = start if text.startswith("<attachment ", start) else text.find("\n<attachment ", start, end) + 1
    while place > 0 and len(found) < MAX_ATTACHMENTS:
        found.append(place)
        place = text.find("</attachment>\n<attachment ", place, end)
        place = place + len("</attachment>\n") if place >= 0 else 0
    return found


def _attachment(text: str, start: int, end: int) -> Piece:
    close = text.find(">", start, start + 4_096)
    body = close + 1 if close >= 0 else start
    attributes = attributes_of(text[start + len("<attachment") : max(body - 1, start)])
    name = attributes.get("id") or attributes.get("filePath") or "attachment"
    last = text.rfind("</attachment>", body, end)
    name_in_path = f"attachment[{name[:100]}]"
    return Piece(
        start, end, "contexts", name, name_in_path, "tag", body, max(body, last), attributes=attributes
    )


COPILOT = Dialect(
    name="copilot",
    title="GitHub Copilot",
    likelihood=likelihood,
    split=split,
    layouts=("chat",),
    grammar="tools",
)
