"""What reading a response yields besides the response: oddities of its form, faults of its content."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from inspector.turns.checking import Fault
from inspector.turns.turn import Response

CUT_REASONS = ("length", "max_tokens", "MAX_TOKENS", "max_output_tokens", "model_length")
"""Finish reasons by which providers say that the limit on output tokens was reached."""


@dataclass(frozen=True, slots=True)
class Quirk:
    """Something odd in the form of a response that reading went past. Offsets are into ``Response.text``."""

    name: str
    """``unclosed``, ``orphan-close``, ``half-open``, ``cut-tag``, ``call-in-reasoning`` …"""
    start: int
    end: int
    tag: str = ""
    """The tag it is about, without brackets."""
    text: str = ""
    """What more there is to say, in plain words."""


@dataclass(frozen=True, slots=True)
class Judged:
    """The faults of one call or output."""

    where: Literal["call", "output", "attributes"]
    index: int
    faults: tuple[Fault, ...]


@dataclass(frozen=True, slots=True)
class Heard:
    """A response as it was read, with all that the findings need to know about the reading."""

    response: Response
    quirks: tuple[Quirk, ...] = ()
    judged: tuple[Judged, ...] = ()
    extra: Mapping[str, Any] = field(default_factory=dict)
