"""The tools that a ReAct prompt lists: ``Tool Name:`` entries, or one line each."""

import ast
import re
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any, NamedTuple

from inspector.turns.dialects.card import Piece
from inspector.turns.dialects.documented import Parameter, schema_of
from inspector.turns.turn import Contract, Offer, Section, Source, Turn

MAX_TOOLS = 200
MAX_ARGUMENTS = 20_000
"""Longest argument dictionary that is read, in code points."""
_NAMED = re.compile(r"\nTool Name: ([^\n(]{1,200})(\([^\n]{0,2000})?")
_ARGUMENTS = re.compile(r"\nTool Arguments: (\{[^\n]*+)")
_ABOUT = re.compile(r"\nTool Description: ([^\n]*+)")
_LINE = re.compile(
    r"\n(?:[-*>] )?(\w[\w .-]{0,60})(\([^\n]{0,600}?\)(?: -> [\w\[\], .]{1,60})?)?(?:: | - )([^\n]++)"
)
_TYPED = re.compile(r"(\w{1,60}): ([^,()\n]{1,80})")


class _Tool(NamedTuple):
    name: str
    about: str | None
    start: int
    end: int
    schema: dict[str, Any] | None
    rebuilt: bool


def entries(text: str, piece: Piece) -> tuple[Piece, ...]:
    """The tools of a section as pieces."""
    found = list(_tools(text, piece.body_start, piece.end))
    return tuple(
        Piece(tool.start, tool.end, "actions", tool.name, f"tool[{tool.name}]", "label") for tool in found
    )


def offers(turn: Turn, sections: Sequence[Section]) -> Contract:
    """The listed tools, schemas as printed or rebuilt from their argument lists."""
    found: list[Offer] = []
    for section in sections:
        if section.title == "Tools" and section.depth == 0:
            text = turn.messages[section.message].text
            for tool in _tools(text, section.body_start, section.end):
                source = Source(section.message, tool.start, tool.end)
                path = f"{section.path}/tool[{tool.name}]"
                found.append(Offer(tool.name, tool.about, tool.schema, source, path, rebuilt=tool.rebuilt))
    return Contract(tuple(found))


def _tools(text: str, start: int, end: int) -> Iterator[_Tool]:
    named = list(islice(_NAMED.finditer(text, start - 1, end), MAX_TOOLS))
    if not named:
        for match in islice(_LINE.finditer(text, start - 1, end), MAX_TOOLS):
            schema = schema_of(_signature(match[2])) if match[2] else None
            at = match.start() + 1
            yield _Tool(match[1].strip(), match[3], at, match.end(), schema, schema is not None)
        return
    ends = [*(match.start() + 1 for match in named[1:]), end]
    for match, limit in zip(named, ends, strict=True):
        arguments = _ARGUMENTS.search(text, match.end(), limit)
        about = _ABOUT.search(text, match.end(), limit)
        printed = _literal(arguments[1]) if arguments else None
        schema, rebuilt = _schema(printed, match[2])
        yield _Tool(match[1].strip(), about[1] if about else None, match.start() + 1, limit, schema, rebuilt)


def _schema(printed: Any, signature: str | None) -> tuple[dict[str, Any] | None, bool]:
    """A printed JSON Schema as it is; a dictionary of parameters made one."""
    if not isinstance(printed, dict):
        return (schema_of(_signature(signature)), True) if signature else (None, False)
    if isinstance(printed.get("properties"), dict):
        return printed, False
    needed = (
        {parameter.name for parameter in _signature(signature) if parameter.required} if signature else None
    )
    parameters = []
    for name, facts in printed.items():
        if name == "kwargs" or not isinstance(facts, dict):
            continue
        kind = str(facts.get("type") or "")
        about = facts.get("description")
        required = name in needed if needed is not None else not ("None" in kind or "default" in facts)
        parameters.append(Parameter(str(name), kind, required, about if isinstance(about, str) else ""))
    return schema_of(parameters), True


def _signature(written: str) -> list[Parameter]:
    found = islice(_TYPED.finditer(written[:2_000]), 50)
    return [Parameter(match[1], match[2].split("=")[0], required="=" not in match[2]) for match in found]


def _literal(written: str) -> Any:
    """A dictionary as Python prints it, or None."""
    if len(written) > MAX_ARGUMENTS:
        return None
    try:
        return ast.literal_eval(written.strip())
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return None
