"""Fields of provider bodies whose type can't be trusted."""

from collections.abc import Mapping, Sequence
from typing import Any

NOTHING: Mapping[str, Any] = {}


def mapping(value: Any) -> Mapping[str, Any]:
    """The value where it is an object, else an empty one."""
    return value if isinstance(value, Mapping) else NOTHING


def listed(value: Any) -> Sequence[Any]:
    """The value where it is a list, else an empty one."""
    return value if isinstance(value, list) else ()


def objects(value: Any) -> Sequence[Mapping[str, Any]]:
    """The objects in a list; nothing of anything else."""
    return [item for item in listed(value) if isinstance(item, Mapping)]


def text(value: Any) -> str:
    """The value where it is a string, else an empty one."""
    return value if isinstance(value, str) else ""


def number(value: Any) -> int:
    """The value where it is a whole number, else 0."""
    return value if isinstance(value, int) else 0
