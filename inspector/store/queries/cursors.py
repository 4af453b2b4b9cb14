"""Opaque cursors: where a page of a list ended."""

import base64
import binascii
import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from inspector.store.errors import BadQuery

MAX_LENGTH = 400


@dataclass(frozen=True, slots=True)
class Page[T]:
    """A stretch of a list, and the cursor of the next one; None at the end."""

    items: tuple[T, ...]
    next: str | None


def pack(*place: str | int) -> str:
    """A place in a list as a cursor."""
    return base64.urlsafe_b64encode(json.dumps(place, separators=(",", ":")).encode()).decode().rstrip("=")


def unpack(cursor: str, *kinds: type) -> Sequence[Any]:
    """The place that a cursor stands for. Raises BadQuery."""
    try:
        if len(cursor) > MAX_LENGTH:
            raise ValueError
        place = json.loads(base64.urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)))
    except (ValueError, binascii.Error, RecursionError):
        raise BadQuery("This cursor is not one of ours. Start again without it.") from None
    good = isinstance(place, list) and len(place) == len(kinds)
    if not good or not all(type(value) is kind for value, kind in zip(place, kinds, strict=True)):
        raise BadQuery("This cursor is not one of ours. Start again without it.")
    if any(kind is int and not -(2**63) <= value < 2**63 for value, kind in zip(place, kinds, strict=True)):
        raise BadQuery("This cursor is not one of ours. Start again without it.")
    result: Sequence[Any] = place
    return result
