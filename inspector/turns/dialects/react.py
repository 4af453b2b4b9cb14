"""ReAct prompts: a tool list, the Thought / Action / Observation form, a task and a scratchpad.

Layouts: ``crewai`` (role, goal, ``Tool Name:`` entries), ``crewai-tools`` (the same with native tools or
none, no form), ``crewai-plan`` (plans and their steps) and ``langchain`` (one ``name: description`` line a
tool, ``Begin!``).
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from inspector.turns.dialects.card import Cut, Dialect, Note, Piece
from inspector.turns.dialects.cutting import cut, headed, limits
from inspector.turns.dialects.outline import slug
from inspector.turns.dialects.react_plans import PLAN_SYSTEM, PLAN_USER, is_plan
from inspector.turns.dialects.react_tools import entries, offers
from inspector.turns.dialects.titles import Title, by_titles
from inspector.turns.turn import Kind, Message, Turn

_GOAL = "\nYour personal goal is: "
_TASK = "Current Task: "
_TOOLS = "You ONLY have access to the following tools"
_ANSWER = "To give my best complete final answer to the task"
_LANGCHAIN = "You have access to the following tools:"
_BEGIN = "Begin!"
_THOUGHT, _OBSERVATION = "\nThought:", "\nObservation:"
_FORM = "Use the following format:"
_SYSTEM = (
    Title("Your personal goal is: ", "instructions", "Goal", begins=True),
    Title(_TOOLS, "actions", "Tools", begins=True),
    Title("IMPORTANT: Use the following format", "format", "Format", begins=True),
    Title(_FORM, "format", "Format", begins=True),
    Title(_ANSWER, "format", "Final Answer Format", begins=True),
    Title("Once all necessary information is gathered", "format", "Final Answer Format", begins=True),
)
_USER = (
    Title(_TASK, "updates", "Current Task", begins=True),
    Title("This is the expect criteria for your final answer:", "format", "Expected Criteria", begins=True),
    Title("This is the expected criteria for your final answer:", "format", "Expected Criteria", begins=True),
    Title("you MUST return the actual complete content", "format", "Completeness", begins=True),
    Title("Ensure your final answer strictly adheres", "format", "Answer Schema", begins=True),
    Title("Format your final answer according to", "format", "Answer Schema", begins=True),
    Title("Do not include the OpenAPI schema in the final output", "format", "Schema Rule", begins=True),
    Title("This is the context you're working with:", "contexts", "Context", begins=True),
    Title("# Useful context:", "memory", "Useful Context", begins=True),
    Title("### Previous attempt failed validation:", "updates", "Failed Validation", begins=True),
    Title("### Previous result:", "history", "Previous Result"),
    Title("Provide your complete response:", "format", "Cue"),
    Title("This is VERY important to you, your job depends on it!", "instructions", "Urgency", begins=True),
    Title(_BEGIN, "instructions", "Begin", begins=True),
)
_PLAIN = (
    Title(_LANGCHAIN, "actions", "Tools"),
    Title(_FORM, "format", "Format"),
    Title(_BEGIN, "instructions", "Begin", begins=True),
)
_QUESTIONS = ("Question:", "New question:", "New input:", "Previous conversation history:")


def likelihood(turn: Turn) -> float:
    """By the goal's line together with the task's or the tools', else by the whole of LangChain's form."""
    messages = turn.messages
    if not messages:
        return 0.0
    system = messages[0].text
    if messages[0].role in ("system", "user") and system.startswith("You are ") and _GOAL in system[:20_000]:
        task = next((m.text for m in messages if m.role == "user"), "")
        known = f"\n{_TASK}" in f"\n{task[:20_000]}" or _TOOLS in system or _ANSWER in system
        return 0.95 if known else 0.5
    if is_plan(messages):
        return 0.9
    return 0.9 if any(_is_plain(message.text) for message in messages[:2]) else 0.0


def split(turn: Turn, kinds: Mapping[str, str]) -> Cut:
    """Cuts the system message and the task by their known lines."""
    layout = _layout(turn)

    def knife(index: int, notes: list[Note]) -> Sequence[Piece]:
        message = turn.messages[index]
        if message.role == "assistant":
            return _scratchpad(message.text) if index == len(turn.messages) - 1 else ()
        titles = _titles(message, index, layout)
        if not titles:
            return ()
        pieces, seen = by_titles(message.text, 0, titles, index)
        notes += seen
        told = [part for piece in pieces for part in _told(message.text, piece)]
        return headed(message.text, told) if told else ()

    return cut(turn, kinds, knife, layout)


def _is_plain(text: str) -> bool:
    listed = text.startswith(f"{_LANGCHAIN}\n") or text.find(f"\n{_LANGCHAIN}\n", 0, 20_000) >= 0
    return listed and f"\n{_FORM}\n" in text and "\nObservation: " in text


def _layout(turn: Turn) -> str:
    system = turn.messages[0].text if turn.messages else ""
    if _GOAL in system:
        return "crewai" if _TOOLS in system or _ANSWER in system else "crewai-tools"
    return "crewai-plan" if is_plan(turn.messages) else "langchain"


def _titles(message: Message, index: int, layout: str) -> tuple[Title, ...]:
    if layout == "crewai-plan":
        return (PLAN_SYSTEM, PLAN_USER)[index] if index < 2 else ()
    if layout == "langchain":
        return _PLAIN if _is_plain(message.text) else ()
    if index == 0 and message.role == "user":
        return (*_SYSTEM, *_USER)
    if index == 0:
        return _SYSTEM
    is_task = message.role == "user" and f"\n{_TASK}" in f"\n{message.text}"
    return _USER if is_task else ()


def _told(text: str, piece: Piece) -> list[Piece]:
    """Tools each on their own; behind the word to begin the question and the thoughts so far."""
    if piece.name == "tools":
        return [replace(piece, children=entries(text, piece))]
    return _begun(text, piece) if piece.name == "begin" else [piece]


def _begun(text: str, piece: Piece) -> list[Piece]:
    """The word to begin, the question where it stands behind it, the scratchpad or the bare cue."""
    line = text.find("\n", piece.start, piece.end) + 1 or piece.end
    thought = text.find(_THOUGHT, line - 1, piece.end) + 1 or piece.end
    asked = line
    while asked < thought and text[asked].isspace():
        asked += 1
    parts: list[tuple[int, Kind, str]] = [(piece.start, "instructions", "Begin")]
    if text.startswith(_QUESTIONS, asked, thought):
        parts.append((asked, "updates", "Question"))
    if thought < piece.end:
        is_cue = not text[thought + len(_THOUGHT) - 1 : piece.end].strip()
        parts.append((thought, "format", "Cue") if is_cue else (thought, "history", "Scratchpad"))
    ends = limits([start for start, _, _ in parts], piece.end)
    return [
        Piece(start, end, kind, title, slug(title), "label", start, end)
        for (start, kind, title), end in zip(parts, ends, strict=True)
    ]


def _scratchpad(text: str) -> list[Piece]:
    """A last message in which the framework wrote down what the tool answered."""
    place = text.rfind(_OBSERVATION) + 1
    if not place:
        return []
    end = len(text)
    return [
        Piece(0, place, "history", "Scratchpad", "scratchpad", "role", 0, place),
        Piece(place, end, "updates", "Observation", "observation", "label", place, end),
    ]


REACT = Dialect(
    name="react",
    title="ReAct",
    likelihood=likelihood,
    split=split,
    layouts=("crewai", "crewai-tools", "crewai-plan", "langchain"),
    grammar="react",
    facts={"crewai-tools": {"grammar": "tools"}, "crewai-plan": {"grammar": "tools"}},
    offers=offers,
)
