"""The contract of a prompt: the actions and outputs it offers, from its sections and from native tools."""

from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from itertools import islice
from typing import Any

from inspector.turns.dialects.card import Dialect
from inspector.turns.memo import Memo
from inspector.turns.offers import Printed, Role, printed_offers
from inspector.turns.turn import Contract, Offer, Section, Source, Tool, Turn
from inspector.turns.wires.tools import tools_of

LOADED_MAX = 100
"""Items of a conversation that are looked into for tools."""
_LOADING = frozenset({"additional_tools", "tool_search_output"})
PARENTS_MAX = 50
"""How many sections back the one that holds an offer is looked for."""


@dataclass(frozen=True, slots=True)
class BrokenSchema:
    """A schema that a prompt prints but nobody can read."""

    name: str
    section: Section
    start: int
    end: int
    why: str


def contract_of(
    turn: Turn, sections: Sequence[Section], dialect: Dialect, memo: Memo | None = None
) -> Contract:
    """What a turn's prompt offers. Native tools come last; two offers of one name stay two."""
    if dialect.offers is not None:
        read = dialect.offers(turn, sections)
        return Contract((*read.actions, *_native(turn)), read.outputs)
    found: dict[Role, list[Offer]] = {"action": [], "output": []}
    for index in _offering(sections):
        section, inside = sections[index], _inside(sections, index)
        role: Role = "output" if section.kind == "outputs" else "action"
        found[role].extend(
            _offer(printed, section, inside) for printed in _printed(turn, section, role, memo)
        )
    return Contract((*found["action"], *_native(turn)), tuple(found["output"]))


def broken_schemas(
    turn: Turn, sections: Sequence[Section], memo: Memo | None = None
) -> tuple[BrokenSchema, ...]:
    """The schemas that a turn's prompt prints but that can't be read."""
    return tuple(
        BrokenSchema(printed.name, section, section.start + start, section.start + end, why)
        for section in map(sections.__getitem__, _offering(sections))
        for printed in _printed(turn, section, "output" if section.kind == "outputs" else "action", memo)
        if printed.broken is not None
        for start, end, why in (printed.broken,)
    )


def offers_named(offers: Sequence[Offer], name: str) -> tuple[Offer, ...]:
    """The offers of a name."""
    return tuple(offer for offer in offers if offer.name == name)


def wants_json(offer: Offer) -> bool:
    """Whether an output's content is to be JSON: it has a schema that asks for more than text."""
    schema = resolved(offer.schema)
    return isinstance(schema, dict) and bool(schema) and schema.get("type") != "string"


def resolved(schema: Any) -> Any:
    """A schema with a reference at its top followed inside the same schema."""
    for _ in range(5):
        pointer = schema.get("$ref") if isinstance(schema, dict) else None
        if not isinstance(pointer, str) or not pointer.startswith("#/"):
            return schema
        target: Any = schema
        for step in pointer[2:].split("/"):
            target = (
                target.get(step.replace("~1", "/").replace("~0", "~")) if isinstance(target, dict) else None
            )
        if target is None:
            return schema
        schema = target
    return schema


def properties_of(schema: Any) -> dict[str, Any]:
    """The properties that an object's schema names; none where it names none."""
    found = resolved(schema)
    properties = found.get("properties") if isinstance(found, dict) else None
    return properties if isinstance(properties, dict) else {}


def _offering(sections: Sequence[Section]) -> Iterator[int]:
    """Where the outermost sections of kind actions and outputs stand in the list."""
    last: Section | None = None
    for index, section in enumerate(sections):
        if section.kind not in ("actions", "outputs"):
            continue
        if last and last.message == section.message and last.kind == section.kind and section.end <= last.end:
            continue
        last = section
        yield index


def _inside(sections: Sequence[Section], index: int) -> Sequence[Section]:
    """A section with those inside it: they follow it, since parents stand before their children."""
    outer = sections[index]
    end = index + 1
    while end < len(sections) and sections[end].message == outer.message and sections[end].start < outer.end:
        end += 1
    return sections[index:end]


def _printed(turn: Turn, section: Section, role: Role, memo: Memo | None) -> tuple[Printed, ...]:
    text = turn.messages[section.message].text[section.start : section.end]
    if memo is None:
        return printed_offers(text, role)
    key = f"{role}-offers:{sha256(text.encode('utf-8', 'surrogatepass')).hexdigest()}"
    known: tuple[Printed, ...] | None = memo.get(key)
    if known is None:
        known = printed_offers(text, role)
        memo.set(key, known)
    return known


def _offer(printed: Printed, section: Section, inside: Sequence[Section]) -> Offer:
    """A printed offer at its place; ``inside``: the sections of the offering one, by their starts."""
    start = section.start + printed.start
    innermost = section
    index = bisect_right(inside, start, key=lambda other: other.start) - 1
    for other in reversed(inside[max(index - PARENTS_MAX, 0) : index + 1]):
        if start < other.end:
            innermost = other
            break
    return Offer(
        printed.name,
        printed.description,
        printed.schema,
        Source(section.message, start, section.start + printed.end),
        innermost.path,
        required=printed.required,
        attributes_schema=printed.attributes_schema,
        call_format=printed.call_format,
    )


def _native(turn: Turn) -> tuple[Offer, ...]:
    """Tools beside the prompt, and those that the conversation brought in later."""
    known = {tool.name for tool in turn.tools}
    later = {tool.name: tool for tool in _loaded(turn) if tool.name not in known}
    tools = (*turn.tools, *later.values())
    return tuple(Offer(tool.name, tool.description, tool.schema, "tools", None) for tool in tools)


def _loaded(turn: Turn) -> Iterator[Tool]:
    """Tools that items of the conversation declare: what a search for tools found, what was loaded."""
    parts = (part for message in turn.messages for part in message.parts if part.kind in _LOADING)
    for part in islice(parts, LOADED_MAX):
        if isinstance(part.value, Mapping):
            yield from tools_of(part.value.get("tools"))[0]
