"""SWE-agent: a setting with commands, an issue with instructions, then shell output under a prompt line.

Layouts: ``fences`` (discussion and one fenced command), ``tags`` (the command in ``<command>``), ``tools``
(native tools, 1.x included). The issue's own text stands between known lines and may hold any of them.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from inspector.turns.dialects.card import Cut, Dialect, Fences, Note, Piece
from inspector.turns.dialects.cutting import cut, limits
from inspector.turns.dialects.swe_agent_commands import commands, offers
from inspector.turns.dialects.titles import Title, by_titles
from inspector.turns.turn import Kind, Message, Turn

_SETTING = "SETTING: You are "
_INTERFACE = "working directly in the command line with a special interface"
_COMPUTER = "You are a helpful assistant that can interact with a computer to solve tasks."
_UPLOADED = "<uploaded_files>"
_DEMONSTRATION = "--- DEMONSTRATION ---"
_STATE = "(Open file: "
_SYSTEM = (
    Title(_SETTING, "instructions", "Setting", begins=True),
    Title("COMMANDS:", "actions", "Commands"),
    Title("Please note that THE EDIT COMMAND", "instructions", "Edit Note", begins=True),
    Title("RESPONSE FORMAT:", "format", "Response Format"),
)
_TASK = (
    Title("We're currently solving the following ", "updates", "Task", begins=True),
    Title("ISSUE:", "updates", "Issue"),
    Title("INSTRUCTIONS:", "instructions", "Instructions"),
    Title("NOTE ABOUT THE EDIT COMMAND:", "instructions", "Edit Note", begins=True),
    Title("IMPORTANT TIPS:", "instructions", "Important Tips"),
    Title(_STATE, "environment", "Shell State", begins=True),
)
_UPLOAD = (
    Title(_UPLOADED, "environment", "Uploaded Files"),
    Title("I've uploaded a ", "updates", "Task", begins=True),
    Title("<pr_description>", "updates", "PR Description"),
    Title("Can you help me implement the necessary changes", "instructions", "Instructions", begins=True),
    Title("Follow these steps to resolve the issue:", "instructions", "Steps"),
)


def likelihood(turn: Turn) -> float:
    """By the setting's fixed words; of 1.x by its first sentence and the uploaded files."""
    messages = turn.messages
    if not messages or messages[0].role not in ("system", "developer"):
        return 0.0
    system = messages[0].text
    if system.startswith(_SETTING) and _INTERFACE in system[:1_500]:
        return 0.97
    return 0.9 if _is_upload(messages) else 0.0


def split(turn: Turn, kinds: Mapping[str, str]) -> Cut:
    """Cuts the setting, the task and the latest observation by their known lines."""
    last_said = max((i for i, m in enumerate(turn.messages) if m.role == "assistant"), default=-1)

    def knife(index: int, notes: list[Note]) -> Sequence[Piece]:
        message = turn.messages[index]
        if index == 0:
            return _system(message.text, notes)
        if message.role not in ("user", "tool"):
            return ()
        if _DEMONSTRATION in message.text[:1_000]:
            end = len(message.text)
            return (Piece(0, end, "format", "Demonstration", "demonstration", "role", 0, end),)
        if index < 4 and message.text.startswith((_TASK[0].line, _UPLOADED)):
            return _task(message.text, index, notes)
        return _observation(message, is_new=index > last_said)

    return cut(turn, kinds, knife, _layout(turn))


def _is_upload(messages: Sequence[Message]) -> bool:
    task = next((message.text for message in messages[1:4] if message.role == "user"), "")
    return (
        messages[0].text.startswith(_COMPUTER) and task.startswith(_UPLOADED) and "\n<pr_description>" in task
    )


def _layout(turn: Turn) -> str:
    system = turn.messages[0].text if turn.messages else ""
    if "\nCOMMANDS:\n" not in system:
        return "tools"
    return "tags" if "\n<command>\n" in system else "fences"


def _system(text: str, notes: list[Note]) -> list[Piece]:
    pieces, seen = by_titles(text, 0, _SYSTEM, 0)
    notes += seen
    return [
        replace(piece, children=_entries(text, piece)) if piece.name == "commands" else piece
        for piece in pieces
    ]


def _entries(text: str, piece: Piece) -> tuple[Piece, ...]:
    found = list(commands(text, piece.body_start, piece.body_end))
    ends = limits([command.start for command in found], piece.end)
    return tuple(
        Piece(command.start, end, "actions", command.name, f"command[{command.name}]", "label")
        for command, end in zip(found, ends, strict=True)
    )


def _task(text: str, index: int, notes: list[Note]) -> list[Piece]:
    titles = _UPLOAD if text.startswith(_UPLOADED) else _TASK
    pieces, seen = by_titles(text, 0, titles, index)
    notes += seen
    return pieces


def _observation(message: Message, *, is_new: bool) -> list[Piece]:
    """What a command printed; under the latest output the state that the shell is in."""
    text, end = message.text, len(message.text)
    kind: Kind = "updates" if is_new else "history"
    state = text.rfind(_STATE) if is_new else -1
    if state > 0 and text[state - 1] != "\n":
        state = -1
    if state < 0:
        return [Piece(0, end, kind, "Observation", "observation", "role", 0, end)]
    shell = Piece(state, end, "environment", "Shell State", "shell-state", "label", state, end)
    if not text[:state].strip():
        return [shell]
    return [Piece(0, state, kind, "Observation", "observation", "role", 0, state), shell]


SWE_AGENT = Dialect(
    name="swe-agent",
    title="SWE-agent",
    likelihood=likelihood,
    split=split,
    layouts=("fences", "tags", "tools"),
    grammar="markers",
    facts={"tools": {"grammar": "tools"}},
    fences=Fences(last=True, element="command"),
    offers=offers,
)
