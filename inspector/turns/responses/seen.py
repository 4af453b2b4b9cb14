"""A call as it was found in a text, before it is put into a draft."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from inspector.turns.arguments import Budget, parse
from inspector.turns.contract import offers_named
from inspector.turns.turn import Contract


@dataclass(frozen=True, slots=True)
class Seen:
    """One call found in the text."""

    name: str
    raw: str
    start: int
    end: int
    raw_start: int | None
    values: Any = None
    """Arguments that are not written as JSON: child tags, or free text."""
    closed: bool = True
    unclosed: tuple[str, ...] = ()
    """Child tags that are never closed."""
    mended: tuple[str, ...] = ()
    """What was changed to read it, in plain words."""
    doubtful: bool = False
    """A value holds its own closing tag: where it ends is told by what follows."""


def typed(values: Mapping[str, str], name: str, contract: Contract) -> tuple[dict[str, Any], tuple[str, ...]]:
    """Texts of child tags as the values that the offer's schema asks for, and what was mended on the way."""
    offers = offers_named(contract.actions, name)
    schema = offers[0].schema if offers and isinstance(offers[0].schema, dict) else {}
    properties = schema.get("properties") if isinstance(schema.get("properties"), dict) else {}
    typed: dict[str, Any] = dict(values)
    mended: list[str] = []
    for key, text in values.items():
        asked = properties.get(key) if isinstance(properties, dict) else None
        kind = asked.get("type") if isinstance(asked, dict) else None
        if kind in ("integer", "number", "boolean", "array", "object") and len(text) < 100_000:
            parsed = parse(text, Budget(0))
            if parsed.state == "strict":
                typed[key] = parsed.value
            if kind == "integer" and isinstance(parsed.value, float) and parsed.value.is_integer():
                typed[key] = int(parsed.value)
                mended.append(f"{key} is written {text.strip()[:40]} where a whole number is asked for")
    return typed, tuple(mended)
