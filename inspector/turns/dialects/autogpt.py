"""AutoGPT: a system prompt of labelled or headed lists, small system messages around the history, JSON back.

Layouts: ``labels`` (``GOALS:``, ``Constraints:`` …), ``headings`` (``## Constraints`` … ``## Goals``) and
``errand`` (a request beside the main loop: condense what happened or a text, devise goals).

Commands are one numbered line each.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import islice

from inspector.turns.dialects.card import Cut, Dialect, Note, Piece
from inspector.turns.dialects.cutting import cut, headed, limits
from inspector.turns.dialects.documented import Parameter, schema_of
from inspector.turns.dialects.outline import slug
from inspector.turns.dialects.titles import Title, by_titles
from inspector.turns.turn import Contract, Kind, Offer, Section, Source, Turn

MAX_COMMANDS = 200
_DECISIONS = "Your decisions must always be made independently"
_LABELS = (
    Title("GOALS:", "instructions", "Goals"),
    Title("Constraints:", "instructions", "Constraints"),
    Title("Commands:", "actions", "Commands"),
    Title("Resources:", "contexts", "Resources"),
    Title("Performance Evaluation:", "instructions", "Performance Evaluation"),
    Title("You should only respond in JSON format", "format", "Response Format", begins=True),
    Title("Respond with only valid JSON conforming", "format", "Response Schema", begins=True),
)
_HEADINGS: Mapping[str, Kind] = {
    "Constraints": "instructions",
    "Resources": "contexts",
    "Commands": "actions",
    "Best practices": "instructions",
    "Goals": "instructions",
}
_HEADING = re.compile(r"\n## (Constraints|Resources|Commands|Best practices|Goals)[ \t\r]*+(?=\n)")
_ERRANDS = (
    Title("Your task is to create a concise running summary", "instructions", "Task", begins=True),
    Title("Your task is to devise up to 5 highly effective goals", "instructions", "Task", begins=True),
    Title("Write a concise summary of the following text", "instructions", "Task", begins=True),
    Title("Summary So Far:", "memory", "Summary So Far"),
    Title("Latest Development:", "updates", "Latest Development"),
    Title("Example input:", "format", "Example Input"),
    Title("Example output:", "format", "Example Output"),
    Title('LITERAL TEXT: """', "updates", "Literal Text", begins=True),
    Title("CONCISE SUMMARY:", "format", "Cue", begins=True),
)
_STARTS = tuple(title.line for title in _ERRANDS[:3])
_SYSTEM_NOTES: tuple[tuple[str, Kind, str], ...] = (
    ("The current time and date is ", "environment", "Current Time"),
    ("This reminds you of these events from your past", "memory", "Past Events"),
    ("Respond strictly with JSON", "format", "Response Format"),
    ("## Progress", "memory", "Progress"),
    ("## Clock", "environment", "Clock"),
)
_RETURNED = re.compile(r"Command \w{0,80} (?:returned|threw)|Error: ")
_TRIGGERS = ("Determine exactly one command to use", "Determine which next command to use")
_COMMAND = re.compile(r"\n\d{1,3}\. (\w{1,80}): ([^\n]*+)")
_ARGUMENTS = re.compile(r"[,.] ?(?:args|params|Params): ?")
_QUOTED = re.compile(r'"(\w{1,80})": "([^"\n]{0,200})"')
_TYPED = re.compile(r"(\w{1,80}): ((?:[^,()\[\]\n]|\[[^\[\]\n]{0,80}\]){1,120})")


def likelihood(turn: Turn) -> float:
    """By the sentence about decisions and the lists under it; of an errand by its first words."""
    messages = turn.messages
    first = messages[0] if messages else None
    if first is None:
        return 0.0
    if first.role == "system" and _DECISIONS in first.text[:4_000]:
        lists = "\nConstraints:\n" in first.text or "\n## Constraints\n" in first.text
        return 0.97 if lists else 0.6
    return 0.95 if first.text[:200].lstrip().startswith(_STARTS) else 0.0


def split(turn: Turn, kinds: Mapping[str, str]) -> Cut:
    """Cuts the prompt by its lists and names the small messages by their first words."""
    last_said = max((i for i, m in enumerate(turn.messages) if m.role == "assistant"), default=-1)
    layout = _layout(turn)

    def knife(index: int, notes: list[Note]) -> Sequence[Piece]:
        message = turn.messages[index]
        if index == 0:
            return _prompt(message.text, layout, notes)
        if message.role == "system":
            return _note(message.text, is_new=index > last_said)
        if message.role == "user" and message.text.startswith(_TRIGGERS):
            return _one(message.text, "instructions", "Triggering Prompt")
        return ()

    return cut(turn, kinds, knife, layout)


def _layout(turn: Turn) -> str:
    text = turn.messages[0].text if turn.messages else ""
    if text[:200].lstrip().startswith(_STARTS):
        return "errand"
    return "headings" if "\n## Constraints\n" in text else "labels"


def _one(text: str, kind: Kind, title: str) -> tuple[Piece, ...]:
    return (Piece(0, len(text), kind, title, slug(title), "role", 0, len(text)),)


def _note(text: str, *, is_new: bool) -> tuple[Piece, ...]:
    """A system message beside the prompt, by its first words."""
    for words, kind, title in _SYSTEM_NOTES:
        if text.startswith(words):
            return _one(text, kind, title)
    if _RETURNED.match(text):
        return _one(text, "updates" if is_new else "history", "Command Result")
    return ()


def _prompt(text: str, layout: str, notes: list[Note]) -> list[Piece]:
    if layout == "headings":
        pieces = _by_headings(text)
    else:
        titles = _LABELS if layout == "labels" else _ERRANDS
        pieces, seen = by_titles(text, 0, titles, 0)
        notes += seen
    return [
        replace(piece, children=_entries(text, piece)) if piece.name == "commands" else piece
        for piece in headed(text, pieces)
    ]


def _by_headings(text: str) -> list[Piece]:
    """Parts under the headings, whose order changed with the versions; each heading counts once."""
    marks = {match[1]: match for match in islice(_HEADING.finditer(text), 50)}
    starts = sorted(match.start() + 1 for match in marks.values())
    ends = dict(zip(starts, limits(starts, len(text)), strict=True))
    return [
        Piece(
            match.start() + 1,
            ends[match.start() + 1],
            _HEADINGS[name],
            name,
            slug(name),
            "heading",
            match.end() + 1,
            ends[match.start() + 1],
        )
        for name, match in sorted(marks.items(), key=lambda item: item[1].start())
    ]


def _entries(text: str, piece: Piece) -> tuple[Piece, ...]:
    found = _lines(text, piece.body_start - 1, piece.end)
    ends = limits([match.start() + 1 for match in found], piece.end)
    return tuple(
        Piece(match.start() + 1, end, "actions", match[1], f"command[{match[1]}]", "label")
        for match, end in zip(found, ends, strict=True)
    )


def _lines(text: str, start: int, end: int) -> list[re.Match[str]]:
    return list(islice(_COMMAND.finditer(text, start, end), MAX_COMMANDS))


def offers(turn: Turn, sections: Sequence[Section]) -> Contract:
    """The numbered commands with schemas rebuilt from their arguments."""
    found: list[Offer] = []
    for section in sections:
        if section.path == "commands":
            text = turn.messages[section.message].text
            for match in _lines(text, section.body_start - 1, section.end):
                about, schema = _described(match[2])
                source = Source(section.message, match.start() + 1, match.end())
                path = f"{section.path}/command[{match[1]}]"
                found.append(Offer(match[1], about, schema, source, path, rebuilt=True))
    return Contract(tuple(found))


def _described(words: str) -> tuple[str, dict[str, object]]:
    """What a command's line says: its description and its parameters."""
    marks = list(islice(_ARGUMENTS.finditer(words), 20))
    if not marks:
        return words.strip(), schema_of(())
    about, given = words[: marks[-1].start()], words[marks[-1].end() :]
    quoted = [Parameter(match[1]) for match in _QUOTED.finditer(given)]
    typed = [
        Parameter(match[1], match[2], required="Optional" not in match[2])
        for match in _TYPED.finditer(given)
        if not quoted
    ]
    return about.strip(), schema_of(quoted or typed)


AUTOGPT = Dialect(
    name="autogpt",
    title="AutoGPT",
    likelihood=likelihood,
    split=split,
    layouts=("labels", "headings", "errand"),
    grammar="json",
    facts={"errand": {"grammar": "text"}},
    offers=offers,
)
