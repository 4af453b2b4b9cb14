"""elizaOS: a character's prompt, filled by providers, answered with thought, actions and text.

Layouts: ``xml`` (``<task>``, ``<providers>``, ``<instructions>``, ``<output>``), ``blocks`` (their own names
as lines: ``provider:FACTS:``, ``message:user:``) and ``json`` (the oldest: headings, a JSON block back).
Providers hold what people wrote in rooms, so the known lines count only in their order.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import islice

from inspector.turns.dialects.card import Cut, Dialect, Note, Piece, Tags
from inspector.turns.dialects.cutting import cut, headed, limits
from inspector.turns.dialects.names import kind_of
from inspector.turns.dialects.outline import slug
from inspector.turns.dialects.titles import Title, by_titles
from inspector.turns.turn import Contract, Kind, Offer, Section, Source, Turn

MAX_BLOCKS = 500
HEAD = 20_000
"""How far into a message its layout is looked for, in code points."""
_OLD_STARTS = ("# Action Examples", "# Knowledge", "# Task: ", "# TASK: ")
_SAID = ("text", "message", "providers", "name", "simple", "params")
"""Tags of an answer beside its thought and its actions."""
_TASKS = (
    "<task>Generate dialog and actions for the character",
    "<task>Generate dialog for the character",
    "<task>Decide on behalf of",
)
_OLD_TASK = re.compile(
    r"(?:\A|\n)# (?:Task|TASK): (?:Generate|GENERATE) (?:dialog|the next message|THE NEXT MESSAGE)"
)
_XML = (
    Title("<task>", "instructions", "Task", begins=True),
    Title("<providers>", "contexts", "Providers"),
    Title("<availableActions>", "actions", "Available Actions"),
    Title("<instructions>", "instructions", "Instructions"),
    Title("<rules>", "instructions", "Rules"),
    Title("<keys>", "format", "Keys"),
    Title("<output>", "format", "Output"),
)
_JSON = (
    Title("# Action Examples", "format", "Action Examples"),
    Title("# Knowledge", "memory", "Knowledge"),
    Title("# Task:", "instructions", "Task", begins=True),
    Title("# TASK:", "instructions", "Task", begins=True),
    Title("# Capabilities", "actions", "Capabilities"),
    Title("# Instructions:", "instructions", "Instructions", begins=True),
    Title("# INSTRUCTIONS:", "instructions", "Instructions", begins=True),
    Title("Response format should be formatted in a", "format", "Response Format", begins=True),
)
_HEADING = re.compile(
    r"\n#{1,2} ((?:About|Additional Information|Available Actions|Possible response actions|Key facts|Facts"
    r"|People in the Room|Conversation Messages|Recent|Received Message|Focus your response|Knowledge"
    r"|Message Directions|Post Directions|Action|Current|World|Example|Interaction|Capabilities|Attachments"
    r"|Time|Room|Sender)[^:\n]{0,120})[^\n]{0,2000}"
)
_HEADINGS: tuple[tuple[str, Kind], ...] = (
    ("About", "instructions"),
    ("Message Directions", "instructions"),
    ("Post Directions", "instructions"),
    ("Additional Information", "contexts"),
    ("Available Actions", "actions"),
    ("Possible response actions", "actions"),
    ("Capabilities", "actions"),
    ("Key facts", "memory"),
    ("Facts", "memory"),
    ("Knowledge", "memory"),
    ("Conversation Messages", "history"),
    ("Recent", "history"),
    ("Received Message", "updates"),
    ("Focus your response", "instructions"),
    ("Example", "format"),
    ("Time", "environment"),
)
_BLOCK = re.compile(
    r"(?:\A|\n)(provider:[A-Z][A-Z0-9_]{1,60}|message:[a-z]{2,20}|event:[a-z_]{2,60}|[a-z]{2,30}_stage|user_role"
    r"|task|available_actions|tools|conversation):(?=[ \n])"
)
_KINDS: Mapping[str, Kind] = {
    "provider:FACTS": "memory",
    "provider:KNOWLEDGE": "memory",
    "provider:ACTIONS": "actions",
    "provider:RECENT_MESSAGES": "history",
    "provider:TIME": "environment",
    "provider:CHARACTER": "instructions",
    "message:user": "updates",
    "message:agent": "history",
    "user_role": "contexts",
    "task": "instructions",
    "available_actions": "actions",
    "tools": "actions",
    "conversation": "history",
}
_PROVIDER = re.compile(r"provider:[A-Z][A-Z0-9_]{1,60}:\n")
_POSSIBLE = re.compile(
    r"(?:Possible response actions|Available actions are|<availableActions>)[: \n]{1,3}([A-Z][A-Z0-9_, ]++)"
)
_ENTRY = re.compile(r"\n(?:- |## )\*{0,2}([A-Z][A-Z0-9_]{2,60})\*{0,2}(?:: ?([^\n]*+))?")


def likelihood(turn: Turn) -> float:
    """By the task's first words, or by a provider's or a message's own line."""
    for message in turn.messages[:3]:
        if message.role not in ("user", "system", "developer"):
            continue
        text = message.text
        if text[:200].lstrip().startswith(_TASKS):
            return 0.96
        if text.startswith(("message:user:\n", "user_role:")) or _has_provider(text):
            return 0.9
        if _is_old(text) and '"action": ' in text:
            return 0.9
    return 0.0


def split(turn: Turn, kinds: Mapping[str, str]) -> Cut:
    """Cuts each message by the lines of its layout."""
    layout = next((of for message in turn.messages[:3] if (of := _layout_of(message.text))), "blocks")

    def knife(index: int, notes: list[Note]) -> Sequence[Piece]:
        message = turn.messages[index]
        if message.role not in ("user", "system", "developer"):
            return ()
        if layout == "blocks":
            return _blocks(message.text)
        pieces, seen = by_titles(message.text, 0, _XML if layout == "xml" else _JSON, index)
        notes += seen
        return headed(message.text, [_told(message.text, piece) for piece in pieces]) if pieces else ()

    return cut(turn, kinds, knife, layout)


def _has_provider(text: str) -> bool:
    """Whether a block of a provider begins near the beginning."""
    place = 0 if text.startswith("provider:") else text.find("\nprovider:", 0, HEAD) + 1
    for _ in range(5):
        if _PROVIDER.match(text, place):
            return True
        place = text.find("\nprovider:", place, HEAD) + 1
        if not place:
            break
    return False


def _is_old(text: str) -> bool:
    """Whether a text is of the oldest layout: by its first heading and its task."""
    return text[:200].lstrip().startswith(_OLD_STARTS) and _OLD_TASK.search(text) is not None


def _layout_of(text: str) -> str | None:
    if text[:200].lstrip().startswith(_TASKS):
        return "xml"
    return "json" if _is_old(text) else None


def _told(text: str, piece: Piece) -> Piece:
    """The providers, and the oldest task, with what each provider wrote under its heading."""
    if piece.title not in ("Providers", "Task") or piece.end - piece.start < 200:
        return piece
    marks = list(islice(_HEADING.finditer(text, piece.body_start - 1, piece.body_end), MAX_BLOCKS))
    starts = [match.start() + 1 for match in marks]
    children = tuple(
        Piece(
            start, end, _heading_kind(match[1]), match[1].strip(), slug(match[1]), "heading", match.end(), end
        )
        for match, start, end in zip(marks, starts, limits(starts, piece.body_end), strict=True)
    )
    return replace(piece, children=children)


def _heading_kind(words: str) -> Kind:
    known = next((kind for start, kind in _HEADINGS if words.startswith(start)), None)
    return known or kind_of(words) or "contexts"


def _blocks(text: str) -> list[Piece]:
    """Blocks that begin with their own name on a line."""
    marks = list(islice(_BLOCK.finditer(text), MAX_BLOCKS))
    starts = [match.start(1) for match in marks]
    pieces = [
        Piece(
            start,
            end,
            _block_kind(match[1]),
            _title(match[1]),
            f"block[{match[1]}]",
            "label",
            match.end(),
            end,
        )
        for match, start, end in zip(marks, starts, limits(starts, len(text)), strict=True)
    ]
    return headed(text, pieces) if pieces else []


def _block_kind(name: str) -> Kind:
    if name in _KINDS:
        return _KINDS[name]
    if name.startswith("provider:"):
        return kind_of(name.partition(":")[2]) or "contexts"
    return "history" if name.startswith(("event:", "message:")) else "instructions"


def _title(name: str) -> str:
    return name.partition(":")[2].replace("_", " ").title() or name.replace("_", " ").title()


def offers(turn: Turn, sections: Sequence[Section]) -> Contract:
    """The actions that are listed, by name, and the text that is said beside them."""
    actions: dict[str, Offer] = {}
    for section in sections:
        if section.kind == "actions":
            for offer in islice(_offers(turn.messages[section.message].text, section), MAX_BLOCKS):
                actions.setdefault(offer.name, offer)
    said = next((section for section in sections if section.title == "Output"), None)
    if not actions or said is None:
        return Contract(tuple(actions.values()))
    source = Source(said.message, said.start, said.end)
    outputs = tuple(Offer(name, None, None, source, said.path) for name in _SAID)
    return Contract(tuple(actions.values()), outputs)


def _offers(text: str, section: Section) -> list[Offer]:
    found: list[Offer] = []
    listed = _POSSIBLE.search(text, section.start, section.end)
    if listed:
        source = Source(section.message, listed.start(1), listed.end(1))
        names = [name.strip() for name in listed[1].split(",")]
        found += [Offer(name, None, None, source, section.path) for name in names if name]
    for match in islice(_ENTRY.finditer(text, section.body_start - 1, section.end), MAX_BLOCKS):
        source = Source(section.message, match.start() + 1, match.end())
        found.append(Offer(match[1], match[2], None, source, section.path))
    return found


ELIZA = Dialect(
    name="eliza",
    title="elizaOS",
    likelihood=likelihood,
    split=split,
    layouts=("xml", "blocks", "json"),
    grammar="tagged",
    tags=Tags(
        container="response",
        reasoning=("thought", "reasoning", "think"),
        calls=("actions", "action"),
        outputs=_SAID,
        names=(),
        lists=("actions", "action"),
    ),
    facts={"json": {"grammar": "json"}, "blocks": {"grammar": "text"}},
    offers=offers,
)
