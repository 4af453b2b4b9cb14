"""What two JSON Schemas ask for differently, argument by argument, and what that does to old values.

Read without recursion and with a limit on the places looked at: schemas come from prompts.
"""

import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import count as numbers_from
from typing import Any

PLACES = 4_000
"""Most places of a schema that are compared."""
SEEN = 8
"""How often one pair of schemas is compared; those that refer to themselves would go on for ever."""
HOPS = 20
"""Longest chain of ``$ref`` that is followed."""
ASKS_NOTHING: dict[str, Any] = {}
FITS_NOTHING: dict[str, Any] = {"enum": []}
LOWER = ("minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties")
UPPER = ("maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties")
OTHER = ("pattern", "format", "multipleOf", "uniqueItems")
ALTERNATIVES = ("anyOf", "oneOf", "allOf", "prefixItems")
KNOWN = {
    *LOWER,
    *UPPER,
    *OTHER,
    *ALTERNATIVES,
    *("type", "enum", "const", "properties", "required", "items", "additionalProperties", "description"),
    *(
        "title",
        "default",
        "$ref",
        "$schema",
        "$id",
        "$defs",
        "definitions",
        "examples",
        "$comment",
        "nullable",
    ),
}


@dataclass(frozen=True, slots=True)
class Difference:
    """One difference of two schemas at a path: ``priority``, ``filters[].year``, empty for the whole."""

    path: str
    change: str
    old: Any
    new: Any
    breaking: bool
    """A value that fitted the old schema may not fit the new one."""


@dataclass(frozen=True, slots=True)
class _Place:
    path: str
    old: Mapping[str, Any]
    new: Mapping[str, Any]


def schema_differences(old: Any, new: Any) -> list[Difference]:
    """The differences of two schemas, outer ones first; ``not-compared`` when there are too many places."""
    if old == new:
        return []
    if old is None or new is None:
        return [Difference("", "schema-added" if old is None else "schema-removed", old, new, False)]
    roots = (old, new)
    found: list[Difference] = []
    pending = [_Place("", *_resolved_pair(roots, old, new))]
    visits: Counter[tuple[int, int]] = Counter()
    for looked_at in numbers_from():
        if not pending:
            break
        place = pending.pop()
        visits[id(place.old), id(place.new)] += 1
        if visits[id(place.old), id(place.new)] > SEEN:
            continue
        if looked_at >= PLACES:
            found.append(Difference(place.path, "not-compared", None, None, False))
            break
        for rule in RULES:
            found += rule(place)
        below = [_Place(path, *_resolved_pair(roots, a, b)) for path, a, b in _below(place)]
        pending += reversed([each for each in below if each.old != each.new])
    return found


def _resolved_pair(roots: tuple[Any, Any], old: Any, new: Any) -> tuple[Mapping[str, Any], Mapping[str, Any]]:
    return _resolved(roots[0], old), _resolved(roots[1], new)


def _resolved(root: Any, schema: Any) -> Mapping[str, Any]:
    """A schema with its local reference followed. True is one without demands, False fits nothing."""
    for _ in range(HOPS):
        pointer = schema.get("$ref") if isinstance(schema, dict) else None
        if not isinstance(pointer, str) or not pointer.startswith("#"):
            break
        schema = _pointed_at(root, pointer[1:])
    if schema is False:
        return FITS_NOTHING
    return schema if isinstance(schema, dict) else ASKS_NOTHING


def _pointed_at(root: Any, pointer: str) -> Any:
    for step in pointer.split("/")[1:HOPS]:
        root = root.get(step.replace("~1", "/").replace("~0", "~")) if isinstance(root, dict) else None
    return root


def _below(place: _Place) -> Iterator[tuple[str, Any, Any]]:
    """Pairs of schemas below a place that stand on both sides."""
    olds, news = _properties(place.old), _properties(place.new)
    for name in news:
        if name in olds:
            yield _joined(place.path, name), olds[name], news[name]
    if "items" in place.old and "items" in place.new:
        yield f"{place.path}[]", place.old["items"], place.new["items"]
    both = (place.old.get("additionalProperties"), place.new.get("additionalProperties"))
    if all(isinstance(each, dict) for each in both):
        yield _joined(place.path, "*"), *both
    for word in ALTERNATIVES:
        a, b = place.old.get(word), place.new.get(word)
        if isinstance(a, list) and isinstance(b, list) and len(a) == len(b):
            for index, (left, right) in enumerate(zip(a, b, strict=True)):
                yield f"{place.path}({word} {index + 1})", left, right


def _joined(path: str, name: str) -> str:
    return f"{path}.{name}" if path else name


# ---------------------------------------------------------------- what may differ at one place


def _arguments(place: _Place) -> list[Difference]:
    olds, news = _properties(place.old), _properties(place.new)
    needed, needs = _required(place.old), _required(place.new)
    takes_more = place.new.get("additionalProperties", False) is not False
    found = [
        Difference(_joined(place.path, name), "argument-added", None, schema, name in needs)
        for name, schema in news.items()
        if name not in olds
    ]
    found += [
        Difference(_joined(place.path, name), "argument-removed", schema, None, not takes_more)
        for name, schema in olds.items()
        if name not in news
    ]
    for name in news:
        if name in olds and (name in needed) != (name in needs):
            now = name in needs
            change = "argument-required" if now else "argument-optional"
            found.append(Difference(_joined(place.path, name), change, not now, now, now))
    return found


def _types(place: _Place) -> list[Difference]:
    old, new = _type_names(place.old), _type_names(place.new)
    if old == new:
        return []
    widened = not new or (bool(old) and (old <= new or ("number" in new and old <= new | {"integer"})))
    return [
        Difference(place.path, "type-changed", _shown_type(place.old), _shown_type(place.new), not widened)
    ]


def _values(place: _Place) -> list[Difference]:
    old, new = _allowed(place.old), _allowed(place.new)
    before, after = _keys(old), _keys(new)
    if before == after:
        return []
    if before is None or (after is not None and after < before):
        change = "enum-narrowed"
    elif after is None or before < after:
        change = "enum-widened"
    else:
        change = "enum-changed"
    return [Difference(place.path, change, old, new, change != "enum-widened")]


def _limits(place: _Place) -> list[Difference]:
    found: list[Difference] = []
    for word in (*LOWER, *UPPER, *OTHER):
        old, new = place.old.get(word), place.new.get(word)
        if old == new:
            continue
        loosened = new is None or (
            _is_number(old) and _is_number(new) and word not in OTHER and (new < old) == (word in LOWER)
        )
        change = "limit-loosened" if loosened else "limit-tightened"
        if word in OTHER and old is not None and new is not None:
            change = "limit-changed"
        found.append(Difference(place.path, change, {word: old}, {word: new}, not loosened))
    return found


def _extra(place: _Place) -> list[Difference]:
    old, new = place.old.get("additionalProperties", True), place.new.get("additionalProperties", True)
    if (old is False) == (new is False):
        return []
    closed = new is False
    return [Difference(place.path, "closed" if closed else "opened", old, new, closed)]


def _alternatives(place: _Place) -> list[Difference]:
    found: list[Difference] = []
    for word in ALTERNATIVES:
        old, new = place.old.get(word), place.new.get(word)
        wider = False
        if isinstance(old, list) and isinstance(new, list):
            if len(old) == len(new):
                continue
            wider = word in ("anyOf", "oneOf") and all(each in new for each in old[:100])
        if old == new:
            continue
        found.append(Difference(place.path, "alternatives-changed", old, new, not wider and new is not None))
    return found


def _words(place: _Place) -> list[Difference]:
    return [
        Difference(place.path, f"{word}-changed", place.old.get(word), place.new.get(word), False)
        for word in ("description", "default")
        if place.old.get(word) != place.new.get(word)
    ]


def _unknown(place: _Place) -> list[Difference]:
    """Words of a schema that no rule here reads."""
    names = dict.fromkeys([*place.old, *place.new])
    return [
        Difference(
            place.path, "schema-changed", {name: place.old.get(name)}, {name: place.new.get(name)}, False
        )
        for name in names
        if name not in KNOWN and place.old.get(name) != place.new.get(name)
    ]


RULES: tuple[Callable[[_Place], list[Difference]], ...] = (
    _arguments,
    _types,
    _values,
    _limits,
    _extra,
    _alternatives,
    _words,
    _unknown,
)


# ---------------------------------------------------------------- parts of a schema


def _properties(schema: Mapping[str, Any]) -> Mapping[str, Any]:
    properties = schema.get("properties")
    return properties if isinstance(properties, dict) else {}


def _required(schema: Mapping[str, Any]) -> set[str]:
    required = schema.get("required")
    return {name for name in required if isinstance(name, str)} if isinstance(required, list) else set()


def _type_names(schema: Mapping[str, Any]) -> set[str]:
    named = schema.get("type")
    names = {name for name in named if isinstance(name, str)} if isinstance(named, list) else set()
    if isinstance(named, str):
        names = {named}
    return names | {"null"} if names and schema.get("nullable") is True else names


def _shown_type(schema: Mapping[str, Any]) -> Any:
    names = sorted(_type_names(schema))
    return names[0] if len(names) == 1 else names or None


def _allowed(schema: Mapping[str, Any]) -> Sequence[Any] | None:
    if "const" in schema:
        return [schema["const"]]
    allowed = schema.get("enum")
    return allowed if isinstance(allowed, list) else None


def _keys(values: Sequence[Any] | None) -> set[str] | None:
    return None if values is None else {json.dumps(value, sort_keys=True) for value in values}


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)
