"""Values against the JSON Schema that a prompt shows for them. Nothing is fetched, nothing backtracks."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Literal

import jsonschema_rs

from inspector.turns.compiled import Compiled, compiled
from inspector.turns.described import alternatives, described, expected_by, shown, written
from inspector.turns.effort import Effort
from inspector.turns.positions import Places, Step

FaultKind = Literal[
    "missing-argument", "unexpected-argument", "wrong-type", "not-allowed-value", "does-not-fit"
]


FAULTS_MAX = 50
"""Faults reported of one value; what is wrong a hundred times over is wrong."""
FEW = 5_000
"""Steps of a check that are not worth counting more closely."""
LONG = 1_000
"""Code points of a text that are as much work as another value."""
_KINDS: dict[str, FaultKind] = {
    "required": "missing-argument",
    "dependentRequired": "missing-argument",
    "additionalProperties": "unexpected-argument",
    "unevaluatedProperties": "unexpected-argument",
    "propertyNames": "unexpected-argument",
    "type": "wrong-type",
    "enum": "not-allowed-value",
    "const": "not-allowed-value",
    "pattern": "not-allowed-value",
    "format": "not-allowed-value",
    "minimum": "not-allowed-value",
    "maximum": "not-allowed-value",
    "exclusiveMinimum": "not-allowed-value",
    "exclusiveMaximum": "not-allowed-value",
    "minLength": "not-allowed-value",
    "maxLength": "not-allowed-value",
    "minItems": "not-allowed-value",
    "maxItems": "not-allowed-value",
    "multipleOf": "not-allowed-value",
}


@dataclass(frozen=True, slots=True)
class Fault:
    """Where a value and the schema that the prompt shows for it disagree."""

    kind: FaultKind
    path: str
    """JSON path of the value: ``filters[0].year``; empty for the whole value."""
    expected: str
    got: str
    offset: int | None = None
    """Place inside the raw JSON, or None when it can't be told."""
    length: int = 0
    name: str = ""
    """The argument's name where one is missing or too many."""


def faults_of(
    schema: Any, value: Any, raw: str | None = None, effort: Effort | None = None
) -> tuple[Fault, ...] | None:
    """Where a value disagrees with a schema; () where it fits, None where that can't be told: the schema
    is not usable, or the check would take too long.

    ``raw`` is the strict JSON text of the value: places are then told as offsets into it. ``effort``: what
    this check and others may spend; by itself, as much as one response may.
    """
    if schema is True or schema == {}:
        return ()
    ready = compiled(schema)
    if ready is None:
        return None
    effort = effort or Effort()
    try:
        size = _size(value)
        steps = _steps(ready, value, size, effort)
        if steps is None:
            return None
        if ready.validator.is_valid(value):
            return ()
        return _told(ready, value, raw, effort.may_tell(steps, size))
    except (ValueError, RecursionError, OverflowError, TypeError, UnicodeEncodeError):
        return None


def _steps(ready: Compiled, value: Any, size: int, effort: Effort) -> int | None:
    """How many steps a check takes at most, paid for; None where that is too much.

    Without references, no place of the schema is asked more than once about one place of the value.
    """
    most = ready.weight * size
    if ready.refers or most > (FEW if ready.nests else effort.steps):
        return effort.may_check(ready.schema, value)
    effort.steps -= most
    return most


def _told(ready: Compiled, value: Any, raw: str | None, everything: bool) -> tuple[Fault, ...]:
    """What is wrong with a value that does not fit: all of it, or the first, or only that it doesn't."""
    if not everything and ready.nests:
        return (_fault("does-not-fit", [], described(ready.schema), shown(value), None),)
    found: list[Fault] = []
    places = Places(raw) if raw is not None else None
    for error in ready.validator.iter_errors(value) if everything else _first(ready.validator, value):
        found.extend(_faults(error, ready.schema, value, places))
        if len(found) >= FAULTS_MAX:
            break
    return tuple(found[:FAULTS_MAX])


def _first(validator: Any, value: Any) -> Iterable[Any]:
    try:
        validator.validate(value)
    except jsonschema_rs.ValidationError as error:
        return (error,)
    return ()


def _size(value: Any) -> int:
    """How many values a value holds, itself included; long texts count for more."""
    waiting = [value]
    count = 0
    while waiting:
        item = waiting.pop()
        count += 1
        if isinstance(item, str):
            count += len(item) // LONG
        elif isinstance(item, dict):
            waiting.extend(item.values())
        elif isinstance(item, list):
            waiting.extend(item)
    return count


def _faults(error: Any, schema: Any, value: Any, places: Places | None) -> list[Fault]:
    path: list[Step] = list(error.instance_path)
    keyword = next((step for step in reversed(list(error.schema_path)) if isinstance(step, str)), "")
    kind = error.kind
    if keyword == "required" and (name := getattr(kind, "property", None)) is not None:
        name = str(name).strip('"')
        inner = _expected_of(_at(schema, list(error.schema_path)[:-1]), name)
        return [_fault("missing-argument", [*path, name], inner, "nothing", _place(places, path), name)]
    if unexpected := getattr(kind, "unexpected", None):
        return [
            _fault(
                "unexpected-argument",
                [*path, name],
                "no such argument",
                shown(_value(value, [*path, name])),
                _place(places, [*path, name], key=True),
                name,
            )
            for name in unexpected[:FAULTS_MAX]
        ]
    got = shown(_value(value, path))
    expected = expected_by(keyword, _at(schema, list(error.schema_path)))
    if keyword in ("anyOf", "oneOf"):
        kinds = alternatives(_at(schema, list(error.schema_path)))
        if kinds:
            return [_fault("wrong-type", path, kinds, got, _place(places, path))]
    return [_fault(_KINDS.get(keyword, "does-not-fit"), path, expected, got, _place(places, path))]


def _fault(
    kind: FaultKind, path: list[Step], expected: str, got: str, place: tuple[int, int] | None, name: str = ""
) -> Fault:
    start, end = place or (None, 0)
    return Fault(kind, written(path), expected, got, start, end - start if start is not None else 0, name)


def _place(places: Places | None, path: list[Step], *, key: bool = False) -> tuple[int, int] | None:
    return places.of(path, key=key) if places is not None else None


def _at(schema: Any, path: list[Any]) -> Any:
    """What a schema says at a path, references followed as the validator leaves them in the path."""
    item = schema
    for step in path:
        if step == "$ref" and isinstance(item, dict):
            target = item.get("$ref")
            item = schema
            if isinstance(target, str) and target.startswith("#/"):
                for name in target[2:].split("/"):
                    item = item.get(name) if isinstance(item, dict) else None
            continue
        if isinstance(item, dict):
            item = item.get(step)
        elif isinstance(item, list) and isinstance(step, int) and step < len(item):
            item = item[step]
        else:
            return None
    return item


def _value(value: Any, path: list[Step]) -> Any:
    for step in path:
        try:
            value = value[step]
        except (KeyError, IndexError, TypeError):
            return None
    return value


def _expected_of(schema: Any, name: str) -> str:
    inner = schema.get("properties", {}).get(name) if isinstance(schema, dict) else None
    return described(inner)
