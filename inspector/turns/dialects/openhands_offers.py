"""What OpenHands prompts offer: tags to execute code with, documented JSON actions, a browser's functions."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice

from inspector.turns.dialects.documented import Parameter, schema_of
from inspector.turns.turn import Contract, Offer, Section, Source, Turn

MAX_ACTIONS = 200
_TAGS = ("execute_ipython", "execute_bash", "execute_browse", "finish")
_REMINDER = "reply with <finish></finish>"
_ACTION = re.compile(r"\n\* `(\w{1,80})` - ([^\n]*+)((?:\n  \* `[^\n]*+)*+)")
_ARGUMENT = re.compile(r"\n  \* `(\w{1,80})` - ([^\n]*+)")
_BASH = "<bash_command> <args>"
_OPTIONAL = re.compile(r"set to `true`|if true\b|if any\b|optional|leave empty|defaults? to", re.IGNORECASE)
_FUNCTION = re.compile(r"\n(\w{1,80})\(([^\n]{0,600})\)\n    Examples:")
_TYPED = re.compile(r"(\w{1,80}): ((?:[^,\[\]\n]|\[(?:[^\[\]\n]|\[[^\[\]\n]{0,200}\]){0,200}\]){1,200})")
_COMMAND = re.compile(r"\n([a-z_]{1,40})((?: \[?<\w{1,40}>\]?){0,10}) - ([^\n]*+)")
_WORD = re.compile(r"(\[?)<(\w{1,40})>")


def offers(turn: Turn, sections: Sequence[Section]) -> Contract:
    """The actions that a turn's prompt documents, whatever generation it is of."""
    found: list[Offer] = []
    for section in sections:
        if section.kind == "actions" and section.depth == 0:
            text = turn.messages[section.message].text
            found += islice(_offers(text, section), MAX_ACTIONS)
    if all(offer.name != "finish" for offer in found):
        found += islice(_reminded(turn, sections), 1)
    return Contract(tuple(found))


def _reminded(turn: Turn, sections: Sequence[Section]) -> Iterator[Offer]:
    """The action to finish with, where only the reminder behind a message of the user names it."""
    for index, message in enumerate(turn.messages):
        at = message.text.find(_REMINDER) if message.role == "user" else -1
        if at >= 0:
            start = at + _REMINDER.index("<")
            source = Source(index, start, at + len(_REMINDER))
            around = [each for each in sections if each.message == index and each.start <= start < each.end]
            path = around[-1].path if around else None
            yield Offer("finish", None, None, source, path, call_format="xml")


def _offers(text: str, section: Section) -> Iterator[Offer]:
    if section.title == "Execution":
        for tag in _TAGS:
            at = text.find(f"<{tag}>", section.start)
            if at >= 0:
                schema = None if tag == "finish" else {"type": "string"}
                offer = _offer(section, tag, None, schema, at, at + len(tag) + 2)
                yield replace(offer, call_format="xml")
    elif section.title == "Action Space":
        for match in _FUNCTION.finditer(text, section.body_start - 1, section.end):
            parameters = [
                Parameter(each[1], each[2].split(" = ")[0], required=" = " not in each[2])
                for each in islice(_TYPED.finditer(match[2]), 50)
            ]
            yield _offer(section, match[1], None, schema_of(parameters), match.start() + 1, match.end())
    elif section.title == "Commands":
        at = text.find(_BASH, section.start, section.end)
        if at >= 0:
            schema = schema_of([Parameter("command", "string")])
            yield _offer(section, "bash", None, schema, at, at + len(_BASH))
        for match in _COMMAND.finditer(text, section.body_start - 1, section.end):
            parameters = [Parameter(each[2], required=not each[1]) for each in _WORD.finditer(match[2])]
            schema = schema_of(parameters)
            yield _offer(section, match[1], match[3], schema, match.start() + 1, match.end())
    else:
        for match in _ACTION.finditer(text, section.body_start - 1, section.end):
            parameters = [
                Parameter(each[1], required=not _OPTIONAL.search(each[2]), description=each[2])
                for each in islice(_ARGUMENT.finditer(match[3]), 50)
            ]
            about = match[2].removesuffix(" Arguments:").removesuffix(":")
            yield _offer(section, match[1], about, schema_of(parameters), match.start() + 1, match.end())


def _offer(section: Section, name: str, about: str | None, schema: object, start: int, end: int) -> Offer:
    source = Source(section.message, start, end)
    return Offer(name, about, schema, source, section.path, rebuilt=schema is not None)
