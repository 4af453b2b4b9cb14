"""Schemas rebuilt from the parameter lists that a prompt documents in words."""

from collections.abc import Iterable
from typing import Any, NamedTuple

_TYPES = {
    "string": "str string text path url",
    "integer": "int integer",
    "number": "number float",
    "boolean": "bool boolean",
    "array": "list array tuple",
    "object": "dict object record map",
}
_KNOWN = {word: kind for kind, words in _TYPES.items() for word in words.split()}
MAX_PARAMETERS = 100


class Parameter(NamedTuple):
    """One documented parameter."""

    name: str
    type: str = ""
    """As it is written: ``string``, ``Optional[int]``, ``file path``; empty: nothing is said."""
    required: bool = True
    description: str = ""


def schema_of(parameters: Iterable[Parameter]) -> dict[str, Any]:
    """A JSON Schema of an object with these parameters."""
    properties: dict[str, Any] = {}
    required: list[str] = []
    for parameter in list(parameters)[:MAX_PARAMETERS]:
        properties[parameter.name] = _property(parameter)
        if parameter.required:
            required.append(parameter.name)
    return {"type": "object", "properties": properties, "required": required}


def _property(parameter: Parameter) -> dict[str, Any]:
    kind = json_type(parameter.type)
    found: dict[str, Any] = {"type": kind} if kind else {}
    if parameter.description:
        found["description"] = parameter.description
    return found


def json_type(words: str) -> str | None:
    """The JSON type that a documented type means, or None where it says nothing certain."""
    plain = words.strip().lower().removeprefix("optional[").rstrip("]")
    if "|" in plain or "any" in plain:
        return None
    first = plain.replace("[", " ").replace("<", " ").split()
    return next((_KNOWN[word] for word in (*first[:1], *first[-1:]) if word in _KNOWN), None)
