"""Schemas that are made to cost more than they look, by name, each with a value that sets it off."""

from collections.abc import Callable
from typing import Any

Bomb = tuple[dict[str, Any], Any]
SIZE = 250_000
"""About how long a large schema is as JSON; longer ones are not used at all."""


def doubling(levels: int = 24) -> Bomb:
    """Each definition refers twice to the one below it."""
    definitions: dict[str, Any] = {
        f"d{level}": {"allOf": [{"$ref": f"#/$defs/d{level - 1}"}] * 2} for level in range(1, levels)
    }
    definitions["d0"] = {"type": "string"}
    return {"$ref": f"#/$defs/d{levels - 1}", "$defs": definitions}, 1


def doubling_by_pointer(levels: int = 24) -> Bomb:
    """The same by references that are no plain names of definitions."""
    inner: dict[str, Any] = {"x0": {"type": "string"}}
    for level in range(1, levels):
        inner[f"x{level}"] = {"anyOf": [{"$ref": f"#/properties/a/x{level - 1}"}] * 2}
    return {"properties": {"a": inner}, "$ref": f"#/properties/a/x{levels - 1}"}, {"a": 1}


def nested(keyword: str, depth: int) -> Bomb:
    """A schema in a schema in a schema."""
    schema: Any = {"type": "string"}
    for _ in range(depth):
        schema = {keyword: [schema] if keyword != "not" else schema}
    return schema, 1


def wide(keyword: str) -> Bomb:
    """Thousands of alternatives, none of which fits."""
    one = {"properties": {"a": {"properties": {"b": {"type": "string"}}}}, "required": ["a"]}
    return {keyword: [one] * (SIZE // 90)}, {"a": {"b": 1}}


def wide_for_each() -> Bomb:
    """Hundreds of alternatives for each of thousands of items."""
    one = {"properties": {"a": {"const": 1}}, "required": ["a"], "additionalProperties": False}
    return {"items": {"anyOf": [one] * 2_000}}, [{"b": index} for index in range(4_000)]


def twice_each_level(depth: int = 24) -> Bomb:
    """A schema that refers to itself twice, and a value that is as deep."""
    value: Any = 1
    for _ in range(depth):
        value = {"a": value}
    ref = {"$ref": "#"}
    return {"anyOf": [{"properties": {"a": ref}}, {"properties": {"a": ref}}], "type": "object"}, value


def enumeration() -> Bomb:
    """As many allowed values as fit, all like the one that was given."""
    return {"enum": [f"value-{index:08}" for index in range(SIZE // 18)]}, "value-9999999"


def properties() -> Bomb:
    """As many properties as fit, all required, none given, and others given instead."""
    names = [f"property_{index:06}" for index in range(SIZE // 45)]
    schema = {
        "properties": {name: {"type": "string"} for name in names},
        "required": names,
        "additionalProperties": False,
    }
    return schema, {f"propertx_{index:06}": index for index in range(5_000)}


def pattern(regex: str, value: str) -> Bomb:
    """A regular expression that backtracks."""
    return {"properties": {"a": {"type": "string", "pattern": regex}}}, {"a": value}


def unique() -> Bomb:
    """Items that must differ from each other, and do at their ends only."""
    return {"uniqueItems": True}, [{"a": "x" * 200, "b": [index]} for index in range(4_000)]


def refers_to(uri: str) -> Bomb:
    """A reference to somewhere else."""
    return {"$ref": uri}, {"a": 1}


BOMBS: dict[str, Callable[[], Bomb]] = {
    "references that double": doubling,
    "references that double by pointer": doubling_by_pointer,
    "references that double with the value": twice_each_level,
    "allOf in allOf, 90 deep": lambda: nested("allOf", 90),
    "anyOf in anyOf, 900 deep": lambda: nested("anyOf", 900),
    "not in not": lambda: nested("not", 90),
    "wide anyOf": lambda: wide("anyOf"),
    "wide oneOf": lambda: wide("oneOf"),
    "wide allOf": lambda: wide("allOf"),
    "alternatives for each item": wide_for_each,
    "large enum": enumeration,
    "many properties": properties,
    "unique items": unique,
    "pattern (a+)+$": lambda: pattern("(a+)+$", "a" * 100_000 + "!"),
    "pattern with a large repeat": lambda: pattern("(a{1,1000}){1,1000}$", "a" * 10_000),
    "pattern with look-behind": lambda: pattern("(?<=a)(a|aa)+$", "a" * 100_000 + "!"),
    "pattern with a back-reference": lambda: pattern(r"(a*)*\1b$", "a" * 100_000),
}
