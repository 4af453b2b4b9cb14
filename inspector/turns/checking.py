"""Values against the JSON Schema that a prompt shows for them. Nothing is fetched, nothing backtracks."""

import json
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from typing import Any, Literal, NoReturn

import jsonschema_rs
from jsonschema_rs import RegexOptions

from inspector.turns.arguments import depth
from inspector.turns.described import alternatives, described, expected_by, shown, written
from inspector.turns.positions import Step, place_of

FaultKind = Literal[
    "missing-argument", "unexpected-argument", "wrong-type", "not-allowed-value", "does-not-fit"
]


FAULTS_MAX = 50
"""Faults reported of one value; what is wrong a hundred times over is wrong."""
VALUES_MAX = 5_000
"""Values in a value up to which all its faults are told."""
DEPTH_MAX = 100
"""Deepest schema that is compiled."""
SCHEMA_MAX = 262_144
"""Longest schema that is compiled, as compact JSON."""
REFERENCES_MAX = 200
"""Most ``$ref`` in a schema: chains of them multiply."""
HELD_MAX, HELD_SIZE = 256, 4_096
"""How many schemas are known by identity, and the longest of them as compact JSON."""
_REGEX = RegexOptions(size_limit=1_000_000, dfa_size_limit=1_000_000)
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


def faults_of(schema: Any, value: Any, raw: str | None = None) -> tuple[Fault, ...] | None:
    """Where a value disagrees with a schema; () where it fits, None where the schema can't be used.

    ``raw`` is the strict JSON text of the value: places are then told as offsets into it.
    """
    if schema is True or schema == {}:
        return ()
    compiled = _compiled(schema)
    if compiled is None:
        return None
    validator, schema = compiled
    try:
        found: list[Fault] = []
        for error in _errors(validator, value):
            found.extend(_faults(error, schema, value, raw))
            if len(found) >= FAULTS_MAX:
                break
    except (ValueError, RecursionError, OverflowError, TypeError, UnicodeEncodeError):
        return None
    return tuple(found[:FAULTS_MAX])


def _errors(validator: Any, value: Any) -> Iterable[Any]:
    """What is wrong with a value; of a large one only the first, since all are found before any is told."""
    if _is_small(value):
        found: Iterable[Any] = validator.iter_errors(value)
        return found
    try:
        validator.validate(value)
    except jsonschema_rs.ValidationError as error:
        return (error,)
    return ()


def _is_small(value: Any) -> bool:
    """Whether a value has no more than VALUES_MAX values in it."""
    waiting = [value]
    left = VALUES_MAX
    while waiting and left > 0:
        item = waiting.pop()
        left -= 1
        if isinstance(item, dict):
            left -= len(item) if len(item) > left else 0
            waiting.extend(islice(item.values(), max(left, 0)))
        elif isinstance(item, list):
            left -= len(item) if len(item) > left else 0
            waiting.extend(item[: max(left, 0)])
    return left > 0


def is_usable(schema: Any) -> bool:
    """Whether values can be checked against a schema."""
    return schema is True or schema == {} or _compiled(schema) is not None


_held: dict[int, tuple[Any, tuple[Any, Any] | None]] = {}


def _compiled(schema: Any) -> tuple[Any, Any] | None:
    """The compiled schema. By identity first: turns of a session share the schemas that prompts print."""
    known = _held.get(id(schema))
    if known is not None:
        return known[1]
    compact = _compact(schema)
    compiled = _validator(compact)
    if len(compact) <= HELD_SIZE:
        if len(_held) >= HELD_MAX:
            _held.clear()
        _held[id(schema)] = (schema, compiled)  # held, so that no other schema can have its identity
    return compiled


def _compact(schema: Any) -> str:
    try:
        return json.dumps(schema, separators=(",", ":"), allow_nan=False)
    except (ValueError, TypeError, RecursionError):
        return ""


@lru_cache(maxsize=512)
def _validator(compact: str) -> tuple[Any, Any] | None:
    """A compiled schema, and the schema as it was compiled; None where it can't be used."""
    if not compact or len(compact) > SCHEMA_MAX or compact.count('"$ref"') > REFERENCES_MAX:
        return None
    if compact.count("{") > DEPTH_MAX and depth(compact) > DEPTH_MAX:
        return None
    schema = json.loads(compact)
    if not isinstance(schema, dict) or _multiplies(schema):
        return None
    for attempt in (schema, _plain(schema)):
        try:
            validator = jsonschema_rs.validator_for(
                attempt, retriever=_refuse, pattern_options=_REGEX, validate_formats=False, mask="…"
            )
        except (ValueError, jsonschema_rs.ReferencingError, RecursionError, OverflowError):
            continue
        return validator, attempt
    return None


def _plain(schema: Any) -> Any:
    """A schema as some providers write it, made standard: small letters, ``nullable``, no ``$schema``."""
    if isinstance(schema, list):
        return [_plain(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    plain = {key: _plain(item) for key, item in schema.items() if key != "$schema"}
    kind = plain.get("type")
    if isinstance(kind, str):
        plain["type"] = [kind.lower(), "null"] if plain.get("nullable") is True else kind.lower()
    return plain


def _refuse(uri: str) -> NoReturn:
    raise ValueError(f"{uri} is not fetched")


def _multiplies(schema: dict[str, Any]) -> bool:
    """Whether following references visits far more places than the schema has."""
    definitions = {
        f"#/{group}/{name}": item
        for group in ("$defs", "definitions")
        if isinstance(schema.get(group), dict)
        for name, item in schema[group].items()
    }
    uses = {name: _references(item) for name, item in definitions.items()}
    return _visits(_references(schema), uses) > 10_000


def _references(schema: Any) -> dict[str, int]:
    """How often a schema refers to what, its own definitions aside."""
    found: dict[str, int] = {}
    waiting = [schema]
    while waiting:
        item = waiting.pop()
        if isinstance(item, list):
            waiting.extend(item)
        elif isinstance(item, dict):
            target = item.get("$ref")
            if isinstance(target, str):
                found[target] = found.get(target, 0) + 1
            waiting.extend(value for key, value in item.items() if key not in ("$defs", "definitions"))
    return found


def _visits(start: dict[str, int], uses: dict[str, dict[str, int]]) -> int:
    """How many references a full walk follows; a definition that leads back to itself counts once a level."""
    level = dict(start)
    total = 0
    for _ in range(32):
        total += sum(level.values())
        if not level or total > 10_000:
            break
        following: dict[str, int] = {}
        for name, times in level.items():
            for target, count in uses.get(name, {}).items():
                if target != name:
                    following[target] = following.get(target, 0) + times * count
        level = following
    return total


def _faults(error: Any, schema: Any, value: Any, raw: str | None) -> list[Fault]:
    path: list[Step] = list(error.instance_path)
    keyword = next((step for step in reversed(list(error.schema_path)) if isinstance(step, str)), "")
    kind = error.kind
    if keyword == "required" and (name := getattr(kind, "property", None)) is not None:
        name = str(name).strip('"')
        inner = _expected_of(_at(schema, list(error.schema_path)[:-1]), name)
        return [_fault("missing-argument", [*path, name], inner, "nothing", _place(raw, path), name)]
    if unexpected := getattr(kind, "unexpected", None):
        return [
            _fault(
                "unexpected-argument",
                [*path, name],
                "no such argument",
                shown(_value(value, [*path, name])),
                _place(raw, [*path, name], key=True),
                name,
            )
            for name in unexpected[:FAULTS_MAX]
        ]
    got = shown(_value(value, path))
    expected = expected_by(keyword, _at(schema, list(error.schema_path)))
    if keyword in ("anyOf", "oneOf"):
        kinds = alternatives(_at(schema, list(error.schema_path)))
        if kinds:
            return [_fault("wrong-type", path, kinds, got, _place(raw, path))]
    return [_fault(_KINDS.get(keyword, "does-not-fit"), path, expected, got, _place(raw, path))]


def _fault(
    kind: FaultKind, path: list[Step], expected: str, got: str, place: tuple[int, int] | None, name: str = ""
) -> Fault:
    start, end = place or (None, 0)
    return Fault(kind, written(path), expected, got, start, end - start if start is not None else 0, name)


def _place(raw: str | None, path: list[Step], *, key: bool = False) -> tuple[int, int] | None:
    return place_of(raw, path, key=key) if raw is not None else None


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
