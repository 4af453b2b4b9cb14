"""How much work checking values against schemas may be, counted before it is done.

Alternatives and references multiply: a schema of a few lines can ask for more steps than anyone can wait
for. The steps of a check are counted over pairs of a schema's place and a value's place, each pair once, so
that counting stays cheap where checking would not.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any
from urllib.parse import unquote

MOST = 10**12
"""Counts stop here."""
FAULT_COST, COPY_COST = 10, 20
"""Telling one fault takes about 10 µs, and 1 µs for each 20 values that it is told of."""
SAME_VALUE = ("allOf", "anyOf", "oneOf")
ONE_SCHEMA = ("not", "if", "then", "else")
EACH_MEMBER = ("additionalProperties", "unevaluatedProperties", "propertyNames")
EACH_ITEM = ("items", "additionalItems", "unevaluatedItems", "contains")
REFERENCES = ("$ref", "$dynamicRef", "$recursiveRef")


class _Uncountable(Exception):
    """Counting would itself be too much, or a reference leads where it can't be followed."""


@dataclass(slots=True)
class Effort:
    """What the checks of one response, or of one comparison, may spend."""

    counting: int = 50_000
    """Pairs of a schema's and a value's place that may still be counted."""
    steps: int = 5_000_000
    """Steps of checks that only say whether a value fits (some 20 ns each)."""
    micros: int = 300_000
    """Microseconds for telling all that is wrong."""

    def may_check(self, schema: dict[str, Any], value: Any) -> int | None:
        """The steps that checking takes, paid for; None where that is too much."""
        counted = _Counting(schema, self.counting)
        try:
            steps = counted.steps(schema, value)
        except (_Uncountable, RecursionError):
            return None
        finally:
            self.counting = counted.left
        if steps > self.steps:
            return None
        self.steps -= steps
        return steps

    def may_tell(self, steps: int, size: int) -> bool:
        """Whether all that is wrong may be told, for so many steps and values; if so it is paid for."""
        micros = steps * (FAULT_COST + size // COPY_COST)
        if micros > self.micros:
            return False
        self.micros -= micros
        return True


class _Counting:
    def __init__(self, root: dict[str, Any], left: int) -> None:
        self.root = root
        self.left = left
        self.known: dict[tuple[int, int], int] = {}

    def steps(self, schema: Any, value: Any) -> int:
        """Steps of a whole walk. A place that leads back to itself at the same value ends there."""
        if not isinstance(schema, dict):
            return 1
        key = (id(schema), id(value))
        if key in self.known:
            return self.known[key]
        self.left -= 1
        if self.left < 0:
            raise _Uncountable
        self.known[key] = 1
        total = 1 + _looked_at(schema, value)
        for inner, item in self._inside(schema, value):
            total += self.steps(inner, item)
        self.known[key] = min(total, MOST)
        return self.known[key]

    def _inside(self, schema: dict[str, Any], value: Any) -> Iterator[tuple[Any, Any]]:
        for name in REFERENCES:
            if name in schema:
                yield self._target(schema[name]), value
        for name in SAME_VALUE:
            yield from ((inner, value) for inner in _list(schema.get(name)))
        yield from ((schema[name], value) for name in ONE_SCHEMA if name in schema)
        for name in ("dependentSchemas", "dependencies"):
            yield from ((inner, value) for inner in _dict(schema.get(name)).values())
        if isinstance(value, dict):
            yield from _members(schema, value)
        elif isinstance(value, list):
            yield from _items(schema, value)

    def _target(self, reference: Any) -> Any:
        """What a reference inside the schema leads to."""
        if reference == "#":
            return self.root
        if not isinstance(reference, str) or not reference.startswith("#/"):
            raise _Uncountable
        target: Any = self.root
        for step in unquote(reference[2:]).split("/"):
            name = step.replace("~1", "/").replace("~0", "~")
            if isinstance(target, list) and name.isdecimal() and int(name) < len(target):
                target = target[int(name)]
            elif isinstance(target, dict) and name in target:
                target = target[name]
            else:
                raise _Uncountable
        return target


def _members(schema: dict[str, Any], value: dict[str, Any]) -> Iterator[tuple[Any, Any]]:
    properties = _dict(schema.get("properties"))
    yield from ((properties[name], item) for name, item in value.items() if name in properties)
    each = [schema[name] for name in EACH_MEMBER if isinstance(schema.get(name), dict)]
    each += _dict(schema.get("patternProperties")).values()
    yield from ((inner, item) for inner in each for item in value.values())


def _items(schema: dict[str, Any], value: list[Any]) -> Iterator[tuple[Any, Any]]:
    for name in ("prefixItems", "items"):
        yield from zip(_list(schema.get(name)), value, strict=False)
    each = [schema[name] for name in EACH_ITEM if isinstance(schema.get(name), dict)]
    yield from ((inner, item) for inner in each for item in value)


def _looked_at(schema: dict[str, Any], value: Any) -> int:
    """What names, values and letters add that are looked at one by one."""
    letters = len(value) if isinstance(value, str) and "pattern" in schema else 0
    return letters + len(_list(schema.get("required"))) + len(_list(schema.get("enum"))) // 100


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _dict(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}
