"""mini-SWE-agent: a task with rules in one user message, one fenced bash command an answer, results in tags.

Layouts: ``format-example`` (the form of the answer in the system message, ``<returncode>`` and ``<output>``
back) and ``first`` (the earliest: rules in ``<IMPORTANT>``, what was run in ``<args>``).
"""

from collections.abc import Mapping, Sequence

from inspector.turns.dialects.card import Cut, Dialect, Fences, Note, Piece
from inspector.turns.dialects.cutting import cut
from inspector.turns.dialects.documented import Parameter, schema_of
from inspector.turns.dialects.titles import Title, by_titles
from inspector.turns.turn import Contract, Kind, Offer, Section, Source, Turn

_SYSTEM_START = "You are a helpful assistant that can interact with a computer."
_TASK_START = "Please solve this issue:"
_FENCE = "```mswea_bash_command"
_ONE_BLOCK = "exactly ONE bash code block"
_SYSTEM = (
    Title("You are a helpful assistant", "instructions", "Role", begins=True),
    Title("Your response must contain ", "format", "Response Rules", begins=True),
    Title("<format_example>", "format", "Format Example"),
    Title("Failure to follow these rules", "instructions", "Finish", begins=True),
)
_TASK = (
    Title(_TASK_START, "updates", "Task", begins=True),
    Title("You can execute bash commands and edit files", "instructions", "Instructions", begins=True),
    Title("<IMPORTANT>", "instructions", "Important"),
    Title("## Recommended Workflow", "instructions", "Recommended Workflow"),
    Title("## Important Rules", "instructions", "Important Rules"),
    Title("## Formatting your response", "format", "Formatting your response"),
    Title("## Useful command examples", "format", "Useful command examples"),
)
_RESULTS = ("<returncode>", "<args>\n", "<warning>", "<exception>")


def likelihood(turn: Turn) -> float:
    """By the system message and the form of the task, of the answer or of what comes back."""
    messages = turn.messages
    if not messages or not messages[0].text.startswith(_SYSTEM_START):
        return 0.0
    if _FENCE in messages[0].text or _ONE_BLOCK in messages[0].text:
        return 0.95
    task = messages[1].text if len(messages) > 1 else ""
    if task.startswith(_TASK_START):
        return 0.9
    back = messages[3].text if len(messages) > 3 else ""
    return 0.8 if back.startswith(_RESULTS) or _FENCE in task else 0.0


def split(turn: Turn, kinds: Mapping[str, str]) -> Cut:
    """Cuts the rules and the task by their known lines; results are one section each."""
    last_said = max((i for i, m in enumerate(turn.messages) if m.role == "assistant"), default=-1)

    def knife(index: int, notes: list[Note]) -> Sequence[Piece]:
        message = turn.messages[index]
        if index < 2 and message.role in ("system", "user"):
            titles = _SYSTEM if message.role == "system" else _TASK
            pieces, seen = by_titles(message.text, 0, titles, index)
            notes += seen
            return pieces
        if message.role == "user" and message.text.startswith(_RESULTS):
            end = len(message.text)
            kind: Kind = "updates" if index > last_said else "history"
            return (Piece(0, end, kind, "Command Result", "command-result", "tag", 0, end),)
        return ()

    system = turn.messages[0].text if turn.messages else ""
    return cut(turn, kinds, knife, "format-example" if "<format_example>" in system else "first")


def offers(turn: Turn, sections: Sequence[Section]) -> Contract:
    """The shell is all there is; it is offered where the prompt first says so."""
    if turn.tools:
        return Contract()
    for section in sections:
        if section.title in ("Response Rules", "Instructions", "Role"):
            source = Source(section.message, section.start, section.end)
            schema = schema_of([Parameter("command", "string")])
            return Contract((Offer("bash", None, schema, source, section.path, rebuilt=True),))
    return Contract()


MINI_SWE = Dialect(
    name="mini-swe",
    title="mini-SWE-agent",
    likelihood=likelihood,
    split=split,
    layouts=("format-example", "first"),
    grammar="markers",
    fences=Fences(names=("mswea_bash_command", "bash")),
    offers=offers,
)
