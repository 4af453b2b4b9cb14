"""What a stretch of prompt text offers: actions and outputs written as tags or as JSON tool lists."""

import json
import re
from dataclasses import dataclass
from typing import Any, Literal

from inspector.turns.arguments import depth, value_end
from inspector.turns.tags import Tag, pattern, tags_in

Role = Literal["action", "output"]
SCHEMA_MAX = 262_144
"""Longest printed schema that is read, in code points."""
SCHEMA_DEPTH_MAX = 100
_NAMES: dict[Role, frozenset[str]] = {
    "action": frozenset({"action", "tool", "function"}),
    "output": frozenset({"output"}),
}
_STARTS = {role: pattern(names) for role, names in _NAMES.items()}
_SCHEMAS = ("schema", "content_schema", "parameters", "input_schema", "arguments", "args")
_JSON_LINE = re.compile(r"^[ \t]*+(?=[{\[])", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Printed:
    """An offer as it is written in a text; offsets are into that text."""

    role: Role
    name: str
    description: str | None
    schema: Any
    start: int
    end: int
    required: bool | None = None
    attributes_schema: Any = None
    call_format: str = "json"
    broken: tuple[int, int, str] | None = None
    """Where a printed schema can't be read, and why."""


def printed_offers(text: str, role: Role) -> tuple[Printed, ...]:
    """The offers of a section's text, in its order. Two of one name stay two."""
    tags = tags_in(text, _STARTS[role])
    found = [_printed(text, role, first, last) for first, last in _outermost(tags)]
    offers = tuple(offer for offer in found if offer is not None)
    return offers or tuple(_listed(text, role))


def _outermost(tags: list[Tag]) -> list[tuple[Tag, Tag | None]]:
    """Named opening tags with their closing ones, outermost only."""
    pairs: list[tuple[Tag, Tag | None]] = []
    opened: Tag | None = None
    level = 0
    for tag in tags:
        if opened is None:
            if tag.shape == "open" and _name(tag):
                opened, level = tag, 1
            elif tag.shape == "empty" and _name(tag):
                pairs.append((tag, None))
        elif tag.name == opened.name:
            level += {"open": 1, "close": -1}.get(tag.shape, 0)
            if level == 0:
                pairs.append((opened, tag))
                opened = None
    return pairs


def _printed(text: str, role: Role, first: Tag, last: Tag | None) -> Printed | None:
    name = _name(first)
    if name is None:
        return None
    if last is None:
        return Printed(role, name, first.attributes.get("description"), None, first.start, first.end)
    body = _Body(text, first.end, last.start)
    schema, broken = body.schema(_SCHEMAS)
    attributes_schema, attributes_broken = body.schema(("attributes_schema",))
    return Printed(
        role,
        name,
        body.child("description") or first.attributes.get("description"),
        schema,
        first.start,
        last.end,
        required={"true": True, "false": False}.get(first.attributes.get("required", "").lower()),
        attributes_schema=attributes_schema,
        call_format="xml" if (body.child("format") or "").strip().lower() == "xml" else "json",
        broken=broken or attributes_broken,
    )


def _name(tag: Tag) -> str | None:
    return tag.attributes.get("name") or (tag.attributes.get("type") if tag.name == "output" else None)


class _Body:
    """The inside of one offer: child tags before its examples."""

    def __init__(self, text: str, start: int, end: int) -> None:
        self.text = text
        self.start = start
        examples = text.find("\n<examples>", start, end)
        self.end = examples if examples >= 0 else end

    def child(self, name: str) -> str | None:
        """A child's text."""
        span = self._span(name)
        return self.text[span[0] : span[1]].strip() if span else None

    def schema(self, names: tuple[str, ...]) -> tuple[Any, tuple[int, int, str] | None]:
        """The first of these children as JSON Schema, or where it is broken and why."""
        for name in names:
            if span := self._span(name):
                return self._schema(*span)
        return None, None

    def _span(self, name: str) -> tuple[int, int] | None:
        start = self.text.find(f"<{name}>", self.start, self.end)
        if start < 0:
            return None
        start += len(name) + 2
        end = self.text.find(f"</{name}>", start, self.end)
        return (start, end if end >= 0 else self.end)

    def _schema(self, start: int, end: int) -> tuple[Any, tuple[int, int, str] | None]:
        printed = self.text[start:end].strip()
        if not printed:
            return None, None
        value, why = _json(printed)
        if why:
            longer = value_end(
                self.text, start + len(self.text[start:end]) - len(self.text[start:end].lstrip())
            )
            if longer is None or longer > self.end:
                return None, (start, end, why)
            value, why = _json(self.text[start:longer].strip())
        if not isinstance(value, dict | bool):
            return None, (start, end, why or "it is not a JSON object")
        return value, None


def _json(printed: str) -> tuple[Any, str]:
    if len(printed) > SCHEMA_MAX:
        return None, f"it is longer than {SCHEMA_MAX} characters"
    if depth(printed) > SCHEMA_DEPTH_MAX:
        return None, f"it is nested deeper than {SCHEMA_DEPTH_MAX}"
    try:
        return json.loads(printed), ""
    except (ValueError, RecursionError) as error:
        return None, str(error)


def _listed(text: str, role: Role) -> list[Printed]:
    """Offers of a JSON list of tools: one array, or one object a line."""
    found: list[Printed] = []
    position = 0
    misses = 0
    while misses < 20 and (match := _JSON_LINE.search(text, position)):
        end = value_end(text, match.end())
        if end is None:
            misses += 1
            position = text.find("\n", match.end())
            if position < 0:
                break
            continue
        value = json.loads(text[match.end() : end])
        for item in value if isinstance(value, list) else [value]:
            if offer := _declared(item, role, match.end(), end):
                found.append(offer)
        position = end
    return found


def _declared(item: Any, role: Role, start: int, end: int) -> Printed | None:
    if not isinstance(item, dict):
        return None
    nested = item.get("function")
    inner: dict[str, Any] = nested if isinstance(nested, dict) else item
    name = inner.get("name")
    schema = next(
        (inner[key] for key in ("parameters", "input_schema", "inputSchema", "args") if key in inner), None
    )
    if not isinstance(name, str) or not name or ("description" not in inner and schema is None):
        return None
    description = inner.get("description")
    return Printed(
        role,
        name,
        description if isinstance(description, str) else None,
        schema if isinstance(schema, dict) and ("type" in schema or "properties" in schema) else None,
        start,
        end,
    )
