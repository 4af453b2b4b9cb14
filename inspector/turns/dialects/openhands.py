"""OpenHands in its generations: native tools, code in tags, JSON actions, a browser's functions.

Layouts: ``tools`` (upper-case blocks in the system message), ``codeact`` (``<execute_bash>`` and its kin, one
long example), ``json`` (micro agents and the planner: one user message under headings), ``monologue``,
``browsing`` (an action space of functions) and ``commands`` (a list of shell-like commands).
"""

from collections.abc import Mapping, Sequence

from inspector.turns.dialects.blocks import blocks
from inspector.turns.dialects.card import Cut, Dialect, Fences, Note, Piece
from inspector.turns.dialects.cutting import cut, headed
from inspector.turns.dialects.openhands_offers import offers
from inspector.turns.dialects.outline import slug
from inspector.turns.dialects.statics import Lead, by_leads
from inspector.turns.dialects.titles import Title, by_titles
from inspector.turns.turn import Kind, Message, Turn

_AGENT = "You are OpenHands agent"
_CHAT = "A chat between a curious user and an artificial intelligence assistant."
_ROBOT = "You're a thoughtful robot."
_BROWSE = "# Instructions\nReview the current state of the page"
_COMMANDS = "SYSTEM INFO:\nYou am an autonomous coding agent"
_EXAMPLE = "Here is an example of how you can interact with the environment for task solving:"
_START = "NOW, LET'S START!"
_REMINDER = "ENVIRONMENT REMINDER:"
_OBSERVED = ("OBSERVATION:", "Observation:")
_BLOCKS: Mapping[str, Kind] = {
    "RUNTIME_INFORMATION": "environment",
    "REPOSITORY_INFO": "environment",
    "REPOSITORY_INSTRUCTIONS": "documents",
    "EXTRA_INFO": "documents",
    "CONVERSATION_INSTRUCTIONS": "instructions",
}
_UPLOAD = (
    Title("<uploaded_files>", "environment", "Uploaded Files"),
    Title("I've uploaded a ", "updates", "Task", begins=True),
    Title("<issue_description>", "updates", "Issue Description"),
    Title("Can you help me implement the necessary changes", "instructions", "Instructions", begins=True),
    Title("Follow these steps to resolve the issue:", "instructions", "Steps"),
)
_CODE = (
    Lead("The assistant can ", "actions", "Execution"),
    Lead("Apart from the standard Python library", "actions", "Python Functions"),
    Lead("IMPORTANT:\n", "instructions", "Important"),
    Lead("Please note that THE", "instructions", "Edit Note"),
    Lead("The assistant's response should be", "instructions", "Response Rules"),
    Lead("Responses should be", "instructions", "Response Rules"),
)
_TASK = Title("# Task", "updates", "Task")
_PLAN = Title("## Plan", "memory", "Plan")
_AGENTS = Title("## Agents", "contexts", "Agents")
_ACTIONS = Title("## Available Actions", "actions", "Available Actions")
_HISTORY = Title("## History", "history", "History")
_FORMAT = (
    Title("## Action", "actions", "Action"),
    Title("## Format", "format", "Format"),
    Title("## Examples", "format", "Examples"),
)
_MONOLOGUE = (
    Title(_ROBOT, "updates", "Task", begins=True),
    Title("This is your internal monologue, in JSON format:", "history", "Monologue"),
    Title("Your most recent thought is at the bottom", "format", "Format", begins=True),
    Title("Here are the possible actions:", "actions", "Possible Actions"),
    Title("You MUST take time to think", "instructions", "Instructions", begins=True),
    Title("Notes:", "environment", "Notes"),
    Title("What is your next single thought or action? Again", "format", "Cue", begins=True),
)
_BROWSING = (
    Title("# Instructions", "instructions", "Instructions"),
    Title("# Goal:", "updates", "Goal"),
    Title("# Action Space", "actions", "Action Space"),
)
_PAGE = (
    Title("# Current Page URL:", "contexts", "Current Page URL"),
    Title("# Current Accessibility Tree:", "contexts", "Current Accessibility Tree"),
    Title("# Previous Actions", "history", "Previous Actions"),
    Title("Here is an example with chain of thought", "format", "Example", begins=True),
)
_SHELL = (
    Title("SYSTEM INFO:", "instructions", "System Info"),
    Title("INSTRUCTIONS:", "instructions", "Instructions"),
    Title("NOTE ABOUT THE", "instructions", "Note", begins=True),
    Title("IMPORTANT TIPS:", "instructions", "Important Tips"),
    Title("DOCUMENTATION:", "actions", "Documentation"),
    Title("Commands:", "actions", "Commands"),
)
_SHELL_STEP = (
    Title("These are your past ", "history", "Past Actions", begins=True),
    Title("RESPONSE FORMAT:", "format", "Response Format"),
    Title("You are currently trying to complete this task:", "updates", "Task"),
    Title("CURRENT WORKSPACE:", "environment", "Current Workspace"),
    Title("Keep all of the guidelines above in mind", "instructions", "Reminder", begins=True),
)


def likelihood(turn: Turn) -> float:
    """By the first words of the first message; of micro agents by their headings and the JSON rule."""
    return 0.95 if _layout(turn.messages) else 0.0


def _layout(messages: Sequence[Message]) -> str | None:
    text = messages[0].text if messages else ""
    if text.startswith(_AGENT):
        return "tools"
    if text.startswith(_CHAT):
        return "codeact" if "<execute_" in text[:4_000] else None
    if text.startswith(_ROBOT):
        return "monologue" if _MONOLOGUE[1].line in text[:8_000] else None
    if text.startswith(_BROWSE):
        return "browsing" if "\n# Action Space\n" in text else None
    if text.startswith(_COMMANDS):
        return "commands"
    if text.startswith("# Task\nYou") and "\n## History\nHere is a recent history of actions" in text:
        return "json"
    return None


def split(turn: Turn, kinds: Mapping[str, str]) -> Cut:
    """Cuts each generation's messages by their known lines."""
    layout = _layout(turn.messages)
    last_said = max((i for i, m in enumerate(turn.messages[:-1]) if m.role == "assistant"), default=-1)

    def knife(index: int, notes: list[Note]) -> Sequence[Piece]:
        message = turn.messages[index]
        if layout == "tools":
            return blocks(message.text, _block_kind) if index == 0 else _uploaded(message, index, notes)
        if layout == "codeact":
            return _step(message, is_new=index > last_said) if index else _code(message.text)
        titles = _titles(layout, message.text, index)
        pieces, seen = by_titles(message.text, 0, titles, index)
        notes += seen
        return headed(message.text, pieces) if pieces else ()

    return cut(turn, kinds, knife, layout)


def _titles(layout: str | None, text: str, index: int) -> tuple[Title, ...]:
    if layout == "json":
        history = text.rfind(f"\n{_HISTORY.line}\n")
        late = text.rfind(f"\n{_ACTIONS.line}\n") > history
        middle = (_HISTORY, _ACTIONS) if late else (_ACTIONS, _HISTORY)
        return (_TASK, _PLAN, _AGENTS, *middle, *_FORMAT)
    if layout == "browsing":
        return _PAGE if index else _BROWSING
    if layout == "commands":
        return _SHELL_STEP if index else _SHELL
    return _MONOLOGUE


def _block_kind(name: str) -> Kind | None:
    """Blocks of the system message are in upper case."""
    return _BLOCKS.get(name, "instructions") if name.upper() == name else None


def _uploaded(message: Message, index: int, notes: list[Note]) -> list[Piece]:
    if index > 2 or message.role != "user" or not message.text.startswith(_UPLOAD[0].line):
        return []
    pieces, seen = by_titles(message.text, 0, _UPLOAD, index)
    notes += seen
    return pieces


def _code(text: str) -> list[Piece]:
    return by_leads(text, 0, len(text), _CODE)


def _step(message: Message, *, is_new: bool) -> list[Piece]:
    """A message of a run: the long example with the task behind it, or an observation, and the reminder."""
    text, end = message.text, len(message.text)
    pieces: list[Piece] = []
    start = 0
    if text.startswith(_EXAMPLE):
        cue = text.rfind(f"\n{_START}")
        start = text.find("\n", cue + 1) + 1 if cue >= 0 else end
        start = start or end
        pieces.append(Piece(0, start, "format", "Example", "example", "text", 0, start))
    elif message.role == "assistant" and _REMINDER not in text and not text.startswith(_OBSERVED):
        return []
    reminder = text.rfind(_REMINDER, start) if is_new else -1
    stop = reminder if reminder >= 0 else end
    if text[start:stop].strip():
        title = "Observation" if text.startswith(_OBSERVED) else "Task"
        kind: Kind = "updates" if is_new or title == "Task" else "history"
        pieces.append(Piece(start, stop, kind, title, slug(title), "role", start, stop))
    if reminder >= 0:
        title = "Environment Reminder"
        pieces.append(Piece(reminder, end, "environment", title, slug(title), "label", reminder, end))
    return pieces


OPENHANDS = Dialect(
    name="openhands",
    title="OpenHands",
    likelihood=likelihood,
    split=split,
    layouts=("tools", "codeact", "json", "monologue", "browsing", "commands"),
    grammar="tools",
    facts={
        "codeact": {"grammar": "tools"},
        "json": {"grammar": "json"},
        "monologue": {"grammar": "json"},
        "browsing": {"grammar": "markers", "fences": Fences(inline=True)},
        "commands": {"grammar": "markers", "fences": Fences(last=True)},
    },
    offers=offers,
)
