"""Schemas that prompts show, made ready for checking values. Nothing is fetched, nothing backtracks."""

import json
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NoReturn

import jsonschema_rs
from jsonschema_rs import RegexOptions

from inspector.turns.arguments import depth
from inspector.turns.effort import ONE_SCHEMA, REFERENCES, SAME_VALUE

DEPTH_MAX = 100
"""Deepest schema that is compiled."""
SCHEMA_MAX = 262_144
"""Longest schema that is compiled, as compact JSON."""
HELD_MAX, HELD_SIZE = 256, 2_000_000
"""How many schemas are known by identity, and how long all of them may be as compact JSON."""
NESTING = (*SAME_VALUE, *ONE_SCHEMA, "contains", "dependentSchemas", "dependencies")
"""Keywords whose faults hold the faults of all that they nest."""
_REGEX = RegexOptions(size_limit=1_000_000, dfa_size_limit=1_000_000)


@dataclass(frozen=True, slots=True)
class Compiled:
    """A schema that values can be checked against."""

    validator: Any
    schema: dict[str, Any]
    """The schema as it was compiled."""
    weight: int
    """About how many places it has."""
    refers: bool
    """It has references."""
    nests: bool
    """It has references or alternatives: a fault of the whole is told with those of all its parts."""


def is_usable(schema: Any) -> bool:
    """Whether values can be checked against a schema."""
    return schema is True or schema == {} or compiled(schema) is not None


_held: dict[int, tuple[Any, Compiled | None, int]] = {}
"""Schemas by identity, with how long they are; held, so that no other schema can have their identity."""


def compiled(schema: Any) -> Compiled | None:
    """The compiled schema. By identity first: turns of a session share the schemas that prompts print."""
    known = _held.get(id(schema))
    if known is not None:
        return known[1]
    compact = _compact(schema)
    made = _validator(compact)
    if len(_held) >= HELD_MAX or len(compact) + sum(size for _, _, size in _held.values()) > HELD_SIZE:
        _held.clear()
    _held[id(schema)] = (schema, made, len(compact))
    return made


def _compact(schema: Any) -> str:
    try:
        return json.dumps(schema, separators=(",", ":"), allow_nan=False)
    except (ValueError, TypeError, RecursionError):
        return ""


@lru_cache(maxsize=512)
def _validator(compact: str) -> Compiled | None:
    """A compiled schema; None where it can't be used."""
    if not compact or len(compact) > SCHEMA_MAX:
        return None
    if compact.count("{") > DEPTH_MAX and depth(compact) > DEPTH_MAX:
        return None
    schema = json.loads(compact)
    if not isinstance(schema, dict) or _has_other_base(schema, compact):
        return None
    for attempt in (schema, _plain(schema)):
        try:
            validator = jsonschema_rs.validator_for(
                attempt, retriever=_refuse, pattern_options=_REGEX, validate_formats=False, mask="…"
            )
        except (ValueError, jsonschema_rs.ReferencingError, RecursionError, OverflowError):
            continue
        refers = _names_any(compact, REFERENCES)
        weight = compact.count(":") + 1
        return Compiled(validator, attempt, weight, refers, refers or _names_any(compact, NESTING))
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


def _has_other_base(schema: dict[str, Any], compact: str) -> bool:
    """Whether references may be meant from somewhere else than the schema's top."""
    if not _names_any(compact, REFERENCES):
        return False
    is_old = any(f"draft-0{number}" in str(schema.get("$schema")) for number in (3, 4))
    return compact.count('"$id"') > ("$id" in schema) or (is_old and '"id":"' in compact)


def _names_any(compact: str, names: Iterable[str]) -> bool:
    return any(f'"{name}"' in compact for name in names)
