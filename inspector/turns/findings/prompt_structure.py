"""Rules on what a prompt is made of: its sections and what it offers."""

from collections.abc import Iterator

from inspector.turns.compiled import is_usable
from inspector.turns.contract import broken_schemas
from inspector.turns.findings.rule import Context, Rule, shown
from inspector.turns.turn import Finding, Offer, Place, Section, Source

_ONCE = ("instructions", "environment", "format", "actions", "outputs", "memory")
"""Kinds of which a prompt has one section of a name."""
DUPLICATE_CHARS = 200
"""Shortest text whose repetition is worth telling."""


def _noted(name: str, context: Context, rule: Rule) -> Iterator[Finding]:
    for note in context.notes:
        if note.rule == name:
            yield rule.finding(note.text, context.in_prompt(note.message, note.start, note.end))


def _unclosed(context: Context) -> Iterator[Finding]:
    return _noted("unclosed-section", context, UNCLOSED_SECTION)


def _forged(context: Context) -> Iterator[Finding]:
    return _noted("forged-boundary", context, FORGED_BOUNDARY)


def _duplicate(context: Context) -> Iterator[Finding]:
    """The same text more than once, outermost only; tool results, user words and answers may well repeat."""
    for first, others in duplicates(context):
        second = others[0]
        times = "twice" if len(others) == 1 else f"{len(others) + 1} times"
        tokens = second.tokens * len(others)
        yield DUPLICATE_SECTION.finding(
            f"{shown(second.title)} stands {times} in this prompt, word for word ({tokens} tokens more than "
            f"once would take); first at line {first.line}.",
            context.in_prompt(second.message, second.start, second.end),
            "It is paid for each time, and when one copy changes the model reads both.",
            {"first": first.path, "second": second.path, "tokens": tokens, "count": len(others) + 1},
        )


def duplicates(context: Context) -> list[tuple[Section, list[Section]]]:
    """Sections of the program's own that stand again, each with its repetitions."""
    if "duplicates" not in context.cache:
        context.cache["duplicates"] = _duplicates(context)
    found: list[tuple[Section, list[Section]]] = context.cache["duplicates"]
    return found


def _duplicates(context: Context) -> list[tuple[Section, list[Section]]]:
    seen: dict[str, Section] = {}
    again: dict[str, list[Section]] = {}
    told: Section | None = None
    for section in context.sections:
        if section.kind not in _ONCE or section.chars < DUPLICATE_CHARS:
            continue
        if context.turn.messages[section.message].role in ("assistant", "tool", "function"):
            continue
        if section.depth and section.kind in ("actions", "outputs"):
            continue  # told as an action that is offered twice
        if told and told.message == section.message and section.end <= told.end:
            continue
        first = seen.setdefault(section.digest, section)
        if first is section or not _is_waste(context, first, section):
            continue
        told = section
        again.setdefault(section.digest, []).append(section)
    return [(seen[digest], others) for digest, others in again.items()]


def _is_waste(context: Context, first: Section, second: Section) -> bool:
    """Whether a repetition can't be meant: side by side in one message or in two of the system."""
    if first.path.rpartition("/")[0] != second.path.rpartition("/")[0]:
        return False
    if first.message == second.message:
        return second.start >= first.end
    roles = {context.turn.messages[section.message].role for section in (first, second)}
    return roles <= {"system", "developer"}


def _empty(context: Context) -> Iterator[Finding]:
    roles = [message.role for message in context.turn.messages]
    answered = roles.index("assistant") if "assistant" in roles else len(roles)
    for section in context.sections:
        if section.syntax != "tag" or section.kind in ("history", "updates") or section.message > answered:
            continue
        text = context.turn.messages[section.message].text
        if (
            text[section.body_start : section.body_end].strip()
            or "</" not in text[section.start : section.end]
        ):
            continue
        yield EMPTY_SECTION.finding(
            f"{shown(section.title)} is empty.",
            context.in_prompt(section.message, section.start, section.end),
            "Leave the section out, or say in words that there is nothing, so that the model does not guess.",
        )


def _duplicate_offers(context: Context) -> Iterator[Finding]:
    for word, offers in (("action", context.contract.actions), ("output", context.contract.outputs)):
        first: dict[tuple[str, bool], Offer] = {}
        for offer in offers:
            known = first.setdefault((offer.name, offer.source == "tools"), offer)
            if known is offer:
                continue  # documented in words and offered natively is not twice
            same = known.schema == offer.schema
            how = "both ask for the same arguments" if same else "and they ask for different arguments"
            yield DUPLICATE_ACTION.finding(
                f"The {word} {shown(offer.name)} is offered twice: {how}.",
                _source(context, offer),
                "Nothing tells the model which of the two it calls.",
                {"name": offer.name, "same_schema": same},
                "info" if same else None,
            )


def _broken_schema(context: Context) -> Iterator[Finding]:
    for broken in broken_schemas(context.turn, context.sections, context.memo):
        yield BROKEN_SCHEMA.finding(
            f"The schema of {shown(broken.name)} can't be read: {broken.why}.",
            context.in_prompt(broken.section.message, broken.start, broken.end),
            "Calls of it can't be checked, and the model can't tell what to send.",
            {"name": broken.name},
        )
    called = {call.name for call in context.response.calls} if context.response else set()
    for offer in (*context.contract.actions, *context.contract.outputs):
        if offer.schema is None or (offer.source == "tools" and offer.name not in called):
            continue  # a native tool that is not called was accepted by the provider: not worth its compiling
        if not is_usable(offer.schema):
            yield BROKEN_SCHEMA.finding(
                f"The schema of {shown(offer.name)} is not a JSON Schema that can be checked against.",
                _source(context, offer),
                "It is invalid, refers to something that is not there, or is too large.",
                {"name": offer.name},
                "info",
            )


def _source(context: Context, offer: Offer) -> Place:
    if isinstance(offer.source, Source):
        return context.in_prompt(offer.source.message, offer.source.start, offer.source.end)
    return Place("turn")


UNCLOSED_SECTION = Rule(
    "unclosed-section",
    "warning",
    "A section that is not closed",
    "A section's tag is opened and its closing tag is missing, so that the model can't tell where it "
    "ends.\n\n"
    "What to do: look at the program that renders it, and at text from outside that may hold the tag.",
    _unclosed,
)
FORGED_BOUNDARY = Rule(
    "forged-boundary",
    "warning",
    "Text from outside that looks like the prompt's own structure",
    "What a user, a tool or a document said contains a heading or tag that the prompt uses for its own "
    "sections. The model may take what follows for a part of the prompt.\n\n"
    "What to do: escape or fence text from outside; treat it as an attempt to inject instructions until "
    "you know better.",
    _forged,
)
DUPLICATE_SECTION = Rule(
    "duplicate-section",
    "warning",
    "A section that stands more than once",
    "The same text is in the prompt again, word for word, in parts that the program writes itself.\n\n"
    "What to do: render it once.",
    _duplicate,
)
EMPTY_SECTION = Rule(
    "empty-section",
    "info",
    "A section with nothing in it",
    "A tag is opened and closed with nothing between. Either something is missing, or the section could be "
    "left out.\n\n"
    "What to do: check that what belongs here was loaded.",
    _empty,
)
DUPLICATE_ACTION = Rule(
    "duplicate-action",
    "warning",
    "An action that is offered twice",
    "Two offers have the same name. With the same arguments it is only waste; with different ones calls "
    "are right or wrong by chance.\n\n"
    "What to do: give each its own name, or say which context it belongs to.",
    _duplicate_offers,
)
BROKEN_SCHEMA = Rule(
    "broken-schema",
    "warning",
    "A schema that can't be used",
    "The prompt prints a schema for an action or output that is not valid JSON or not a valid JSON Schema, "
    "is too large, or refers to another document.\n\n"
    "What to do: compare with the program's own schema; cut-off and doubly escaped schemas are the usual "
    "causes.",
    _broken_schema,
)

RULES = (UNCLOSED_SECTION, FORGED_BOUNDARY, DUPLICATE_SECTION, EMPTY_SECTION, DUPLICATE_ACTION, BROKEN_SCHEMA)
