"""The commands that SWE-agent documents: a docstring, a signature and arguments, or one line each."""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from inspector.turns.dialects.cutting import limits
from inspector.turns.dialects.documented import Parameter, schema_of
from inspector.turns.turn import Contract, Offer, Section, Source, Turn

BASH = "bash"
MAX_COMMANDS = 200
_BLOCK = re.compile(r"\n([A-Za-z_]\w{0,60}+):[ \t]*+\n  docstring: ?([^\n]*+)")
_ARGUMENT = re.compile(r"\n    - (\w{1,60}+) \(([^()\n]{0,60}+)\) \[(required|optional)\]: ?([^\n]*+)")
_LINE = re.compile(
    r"\n([a-z_]\w{0,60}+)((?: [<\[(][^\n]{0,200}?)?)(?:\n<[^\n>]{1,100}+>\n\w{1,40}+)? - ([^\n]++)"
)
_PARAMETER = re.compile(r"(\[?)<(\w{1,60}+)>")
_ANY_BASH = "In addition to typical bash commands"


class Command(NamedTuple):
    """One documented command; offsets into the text."""

    name: str
    about: str
    start: int
    end: int
    parameters: tuple[Parameter, ...]


def commands(text: str, start: int, end: int) -> Iterator[Command]:
    """The commands between two offsets, in order."""
    padded = "\n" + text[start:end]
    pattern = _BLOCK if "\n  docstring:" in padded else _LINE
    found = []
    for match in pattern.finditer(padded):
        found.append(match)
        if len(found) == MAX_COMMANDS:
            break
    ends = limits([match.start() for match in found], len(padded))
    for match, limit in zip(found, ends, strict=True):
        at = start + match.start()
        if pattern is _BLOCK:
            parameters = tuple(
                Parameter(each[1], each[2], each[3] == "required", each[4])
                for each in _ARGUMENT.finditer(padded, match.end(), limit)
            )
            yield Command(match[1], match[2], at, start + limit - 1, parameters)
        else:
            signature = padded[match.start() : match.start(3)]
            parameters = tuple(
                Parameter(each[2], required=not each[1]) for each in _PARAMETER.finditer(signature)
            )
            yield Command(match[1], match[3], at, start + match.end() - 1, parameters)


def offers(turn: Turn, sections: Sequence[Section]) -> Contract:
    """The documented commands, and bash where the prompt says that it may be used."""
    found: list[Offer] = []
    for section in sections:
        text = turn.messages[section.message].text
        if section.title == "Setting" and _ANY_BASH in text and "\nCOMMANDS:\n" in text:
            at = text.index(_ANY_BASH)
            found.append(bash(section, at, at + len(_ANY_BASH)))
        if section.title == "Commands" and section.depth == 0:
            found += [
                Offer(
                    command.name,
                    command.about,
                    schema_of(command.parameters),
                    Source(section.message, command.start, command.end),
                    f"{section.path}/command[{command.name}]",
                    rebuilt=True,
                )
                for command in commands(text, section.body_start, section.body_end)
            ]
    return Contract(tuple(found))


def bash(section: Section, start: int, end: int) -> Offer:
    """The shell itself, offered in words."""
    schema = schema_of([Parameter("command", "string")])
    return Offer(BASH, None, schema, Source(section.message, start, end), section.path, rebuilt=True)
