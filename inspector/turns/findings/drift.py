"""The rule on tools that a prompt documents in words and offers natively in other ones."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from inspector.turns.findings.rule import Context, Rule, shown
from inspector.turns.turn import Finding, Place, Source, Tool

_PARAMETER = re.compile(
    r"^[ \t]{0,8}[-*][ \t]{1,3}[`*]{0,3}([A-Za-z_][\w.-]{0,60})[`*]{0,3} ?\(([^()\n]{1,60})\)", re.MULTILINE
)
_SECTION_NAME = re.compile(r"(?:\A|/)(?:tool|action|function)\[([\w.:-]{1,100})\]\Z")
_TYPES = frozenset({"string", "integer", "number", "boolean", "array", "object", "null"})
MAX_TOLD = 8


@dataclass(frozen=True, slots=True)
class Documented:
    """A tool as the prompt's text tells of it."""

    name: str
    parameters: Mapping[str, frozenset[str]] | None
    """Name → JSON types as far as they are told; None: nothing is told of parameters."""
    place: Source


def _drift(context: Context) -> Iterator[Finding]:
    native = {tool.name: tool for tool in context.turn.tools}
    documented = _documented(context) if native else []
    common = [one for one in documented if one.name in native]
    if not common:
        return
    yield from _unknown(context, documented, native)
    yield from _undocumented(context, documented, native)
    told = 0
    for one in common:
        difference = _difference(one, native[one.name])
        if difference and told < MAX_TOLD:
            told += 1
            yield TOOLS_DRIFT.finding(
                f"The prompt documents {shown(one.name)} otherwise than it is offered: {difference}.",
                _place(context, one),
                "Render both from one declaration.",
                {"name": one.name},
                "info" if difference.startswith("its parameters stand") else None,
            )
    yield from _other_order(context, common, native)


def _documented(context: Context) -> list[Documented]:
    """From the contract where it reads the text, else from sections that bear a tool's name."""
    printed = [offer for offer in context.contract.actions if isinstance(offer.source, Source)]
    if printed:
        return [Documented(offer.name, _of_schema(offer.schema), offer.source) for offer in printed]  # type: ignore[arg-type]
    found = []
    for section in context.sections:
        name = _SECTION_NAME.search(section.path) if section.kind == "actions" else None
        if name is not None:
            text = context.turn.messages[section.message].text[section.start : section.end]
            parameters = {match[1]: _types(match[2]) for match in _PARAMETER.finditer(text)}
            told = parameters if parameters or "no argument" in text.lower() else None
            found.append(Documented(name[1], told, Source(section.message, section.start, section.end)))
    return found


def _types(words: str) -> frozenset[str]:
    return frozenset(re.split(r"[|, ]+", words.lower())) & _TYPES


def _of_schema(schema: Any) -> Mapping[str, frozenset[str]] | None:
    properties = schema.get("properties") if isinstance(schema, dict) else None
    if not isinstance(properties, dict):
        return None
    return {str(name): _schema_types(value) for name, value in properties.items()}


def _schema_types(schema: Any) -> frozenset[str]:
    kinds = schema.get("type") if isinstance(schema, dict) else None
    if isinstance(kinds, list):
        return frozenset(str(kind) for kind in kinds) & _TYPES
    return frozenset({kinds}) & _TYPES if isinstance(kinds, str) else frozenset()


def _unknown(context: Context, documented: list[Documented], native: Mapping[str, Tool]) -> Iterator[Finding]:
    for one in [one for one in documented if one.name not in native][:MAX_TOLD]:
        yield TOOLS_DRIFT.finding(
            f"The prompt documents {shown(one.name)}, which is not among the {len(native)} tools that are "
            "offered.",
            _place(context, one),
            "The model will try to call it and can't.",
            {"name": one.name, "documented": True, "offered": False},
        )


def _undocumented(
    context: Context, documented: list[Documented], native: Mapping[str, Tool]
) -> Iterator[Finding]:
    known = {one.name for one in documented}
    missing = [name for name in native if name not in known]
    if not missing or len(missing) > len(native) / 2:
        return
    names = ", ".join(shown(name) for name in missing[:5])
    yield TOOLS_DRIFT.finding(
        f"{names} {'is' if len(missing) == 1 else 'are'} offered, but the prompt's own list of tools does "
        "not tell of "
        f"{'it' if len(missing) == 1 else 'them'}.",
        _place(context, documented[0]),
        "A list that is written once and kept falls behind the tools.",
        {"names": missing[:50], "documented": False, "offered": True},
        "info",
    )


def _difference(one: Documented, tool: Tool) -> str:
    offered = _of_schema(tool.schema)
    if one.parameters is None or offered is None:
        return ""
    parts = []
    extra = [name for name in one.parameters if name not in offered]
    missing = [name for name in offered if name not in one.parameters]
    if extra:
        parts.append(f"the parameter {shown(extra[0])} is documented and not offered")
    if missing:
        parts.append(f"the parameter {shown(missing[0])} is offered and not documented")
    for name, told in one.parameters.items():
        true = offered.get(name)
        if told and true and not (told & true or {"integer", "number"} >= told | true):
            parts.append(
                f"{shown(name)} is documented as {' or '.join(sorted(told))} and offered as "
                f"{' or '.join(sorted(true))}"
            )
    names = list(one.parameters)
    if not parts and len(names) > 2 and names != list(offered) and list(offered) != sorted(offered):
        parts.append(
            f"its parameters stand in another order ({shown(names[0])} first, offered "
            f"{shown(next(iter(offered)))} first)"
        )
    return "; ".join(parts[:3])


def _other_order(context: Context, common: list[Documented], native: Mapping[str, Tool]) -> Iterator[Finding]:
    names = [one.name for one in common]
    offered = [name for name in native if name in set(names)]
    if len(set(names)) == len(names) and len(names) > 2 and names != offered and sorted(names) != offered:
        yield TOOLS_DRIFT.finding(
            f"The prompt lists its tools in another order than they are offered: {shown(names[0])} first, "
            "offered "
            f"{shown(offered[0])} first.",
            _place(context, common[0]),
            "Harmless by itself; it shows that the two lists come from two places.",
            {"documented": names[:50], "offered": offered[:50]},
            "info",
        )


def _place(context: Context, one: Documented) -> Place:
    return context.in_prompt(one.place.message, one.place.start, one.place.end)


TOOLS_DRIFT = Rule(
    "tools-drift",
    "warning",
    "Tools documented otherwise than they are offered",
    "The prompt tells of tools in its own words and the request declares tools natively, and the two "
    "don't agree: "
    "a tool, a parameter or a type that only one of them has. Nothing is told where the two lists have no "
    "tool in "
    "common.\n\n"
    "What to do: render the text from the same declarations that are sent, at each turn.",
    _drift,
)

RULES = (TOOLS_DRIFT,)
