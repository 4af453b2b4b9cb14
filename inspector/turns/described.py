"""Schemas and values in a few plain words, for messages that people read."""

import json
from collections.abc import Sequence
from typing import Any

from inspector.turns.positions import Step

SHOWN_MAX = 80
"""Longest value that is shown, in code points."""
ITEMS_MAX = 40
"""Longest list that is shown item by item."""


def described(schema: Any, depth: int = 2) -> str:
    """What a schema asks for, in a few words. Alternatives are followed ``depth`` levels down."""
    if not isinstance(schema, dict) or depth <= 0:
        return "a value"
    if isinstance(schema.get("enum"), list):
        return "one of " + ", ".join(shown(item) for item in schema["enum"][:12])
    if "const" in schema:
        return shown(schema["const"])
    kinds = schema.get("type")
    if isinstance(kinds, str):
        return article(kinds)
    if isinstance(kinds, list):
        return " or ".join(article(str(kind)) for kind in kinds)
    for key in ("anyOf", "oneOf"):
        if words := alternatives(schema.get(key), depth):
            return words
    return "a value"


def alternatives(options: Any, depth: int = 2) -> str:
    """What a list of schemas asks for, one or the other."""
    if not isinstance(options, list):
        return ""
    words = [described(option, depth - 1) for option in options[:6]]
    return " or ".join(dict.fromkeys(words)) if words else ""


def expected_by(keyword: str, rule: Any) -> str:
    """What a keyword of a schema asks for."""
    if keyword == "type":
        kinds = rule if isinstance(rule, list) else [rule]
        return " or ".join(article(str(kind)) for kind in kinds)
    if keyword == "enum" and isinstance(rule, list):
        return "one of " + ", ".join(shown(item) for item in rule[:12])
    if keyword == "const":
        return shown(rule)
    words = {
        "minimum": "at least",
        "maximum": "at most",
        "exclusiveMinimum": "more than",
        "exclusiveMaximum": "less than",
        "multipleOf": "a multiple of",
        "minLength": "a text of at least this many characters:",
        "maxLength": "a text of at most this many characters:",
        "minItems": "a list of at least this many items:",
        "maxItems": "a list of at most this many items:",
        "pattern": "a text that matches",
    }.get(keyword)
    return f"{words} {shown(rule)}" if words else f"what “{keyword}” in the schema asks for"


def article(kind: str) -> str:
    """A JSON type as people say it."""
    named = {
        "string": "text",
        "object": "an object",
        "array": "a list",
        "integer": "a whole number",
        "number": "a number",
        "boolean": "true or false",
        "null": "null",
    }
    return named.get(kind, kind)


def shown(value: Any) -> str:
    """A value as JSON, cut where it is long; large lists and objects by their size."""
    if isinstance(value, list) and len(value) > ITEMS_MAX:
        return f"a list of {len(value)} items"
    if isinstance(value, dict) and len(value) > ITEMS_MAX:
        return f"an object of {len(value)} keys"
    if isinstance(value, str):
        value = value[: SHOWN_MAX * 2]
    try:
        text = json.dumps(value, ensure_ascii=False, separators=(", ", ": "))
    except (ValueError, TypeError, RecursionError):
        text = str(type(value).__name__)
    return text if len(text) <= SHOWN_MAX else text[: SHOWN_MAX - 1] + "…"


def written(path: Sequence[Step]) -> str:
    """A path as people write it: ``filters[0].year``."""
    text = ""
    for step in path:
        text += f"[{step}]" if isinstance(step, int) else (f".{step}" if text else step)
    return text
