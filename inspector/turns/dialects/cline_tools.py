"""The tools that Cline and Roo document: a heading, a description, parameters, and usage in XML."""

import re
from collections.abc import Sequence
from itertools import islice

from inspector.turns.dialects.card import Piece
from inspector.turns.dialects.cutting import limits
from inspector.turns.dialects.documented import Parameter, schema_of
from inspector.turns.turn import Contract, Offer, Section, Source, Turn

MAX_TOOLS = 200
_TOOL = re.compile(r"\n## ([a-z][a-z0-9_]{1,60})\n(?=(?:[*_]{0,2})Description(?:[*_]{0,2}):)")
_PARAMETERS = re.compile(r"\n[*_]{0,2}(?:Required )?Parameters?[*_]{0,2}:")
_PARAMETER = re.compile(r"\n- ([a-z]\w{0,60}): (?:\((required|optional)[^()\n]{0,60}\):? ?)?([^\n]*+)")
_USAGE = re.compile(r"\n[*_]{0,2}(?:Usage|Examples?)\b[^\n]{0,60}:")


def tool_entries(text: str, start: int, end: int) -> tuple[Piece, ...]:
    """The tools between two offsets as pieces."""
    marks = list(islice(_TOOL.finditer(text, start, end), MAX_TOOLS))
    starts = [match.start() + 1 for match in marks]
    return tuple(
        Piece(place, limit, "actions", match[1], f"tool[{match[1]}]", "heading", match.end(), limit)
        for match, place, limit in zip(marks, starts, limits(starts, end), strict=True)
    )


def offers(turn: Turn, sections: Sequence[Section]) -> Contract:
    """The documented tools, each answered in a tag of its name with its parameters as child tags."""
    return Contract(
        tuple(
            _offer(turn.messages[section.message].text, section)
            for section in sections
            if section.kind == "actions" and section.depth == 2
        )
    )


def _offer(text: str, section: Section) -> Offer:
    start, end = section.body_start, section.end
    usage = _USAGE.search(text, start, end)
    stop = usage.start() if usage else end
    listed = _PARAMETERS.search(text, start, stop)
    about = text[start : listed.start() if listed else stop].partition(":")[2].strip(" *_\n")
    parameters = (
        [
            Parameter(match[1], required=match[2] == "required", description=match[3])
            for match in islice(_PARAMETER.finditer(text, listed.end(), stop), 50)
        ]
        if listed
        else []
    )
    source = Source(section.message, section.start, section.end)
    schema = schema_of(parameters)
    return Offer(section.title, about, schema, source, section.path, rebuilt=True, call_format="xml")
