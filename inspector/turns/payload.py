"""Posted bytes as a payload: strict JSON, read in linear time, and the rules that a turn must keep.

What happens to odd JSON (the record keeps the bytes as sent in every case that is not refused):

    refused   not JSON, not UTF-8, UTF-16 or UTF-32, NaN and Infinity, nested deeper than MAX_DEPTH,
              a field of a turn given twice
    kept      UTF-8 byte order mark, NUL, lone surrogates, integers of any size, unknown fields
    noted     a key given twice further inside (the last one counts), integers of more than
              MAX_DIGITS digits and numbers beyond a float's range (both read as their own text)
"""

import json
import re
from collections.abc import Iterable, Sequence
from itertools import accumulate
from typing import Any, NoReturn

from inspector.turns.errors import NotATurn
from inspector.turns.fields import FIELDS, check

__all__ = ["MAX_DEPTH", "MAX_DIGITS", "Payload", "check", "merge", "parse", "parse_value"]

MAX_DEPTH = 500
"""Half of the interpreter's own recursion limit, so that writing JSON can't fail where reading didn't."""
MAX_DIGITS = 4_300
"""The interpreter's limit for turning text into an integer and back (conversion is quadratic)."""
MAX_NOTES = 20

_STRINGS = re.compile(r'"[^"\\]*+(?:\\.[^"\\]*+)*+"?+', re.DOTALL)
_BRACKETS = str.maketrans("{}", "[]")
_NOT_BRACKETS = re.compile(r"[^\[\]]++")
_STEP = {"[": 1, "]": -1}
_UTF_16_OR_32 = (b"\xff\xfe", b"\xfe\xff", b"\x00\x00\xfe\xff")
_BOM = b"\xef\xbb\xbf"


class Payload(dict[str, Any]):
    """A JSON object as it was posted, with notes on what a plain dict can't show."""

    notes: tuple[str, ...] = ()
    """What had to be left out or read otherwise, in plain words."""


def parse(data: bytes) -> Payload:
    """One JSON object from posted bytes. Raises NotATurn with the place of what is wrong."""
    value, hooks = _decode(_text(data))
    if not isinstance(value, dict):
        raise NotATurn(
            f"The body must be one JSON object, not {_name(value)}. Post a list of turns to /turns/batch."
        )
    if control := sorted(hooks.last & FIELDS):
        raise NotATurn(f"The field {control[0]!r} is given twice. Send it once.", control[0])
    payload = Payload(value)
    payload.notes = tuple(hooks.notes)
    return payload


def parse_value(text: str) -> Any:
    """Any JSON value from text, by the same rules. Raises NotATurn."""
    return _decode(text)[0]


def merge(payload: dict[str, Any], additions: Sequence[tuple[str, dict[str, Any]]]) -> Payload:
    """The payload with later parts put in: ``("response", body)`` and ``("results", body)``, oldest first.

    A field of a response part counts only where the turn has none; results are put after each other.
    """
    merged = Payload(payload)
    notes = list(getattr(payload, "notes", ()))
    for part, body in additions:
        notes += getattr(body, "notes", ())
        if part == "results":
            merged["results"] = [*_listed(merged.get("results")), *_listed(body.get("results"))]
            continue
        for name in ("response", "usage", "finish_reason", "error", "ended_at"):
            if merged.get(name) is None and body.get(name) is not None:
                merged[name] = body[name]
    merged.notes = tuple(notes[:MAX_NOTES])
    return merged


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


class _Hooks:
    """What the JSON reader calls for numbers and objects; collects notes."""

    def __init__(self) -> None:
        self.notes: list[str] = []
        self.last: set[str] = set()
        """Keys given twice in the object that was closed last: after reading, the outermost one."""

    def note(self, text: str) -> None:
        if len(self.notes) < MAX_NOTES:
            self.notes.append(text)

    def object(self, pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        value = dict(pairs)
        if len(value) == len(pairs):
            if self.last:
                self.last = set()
            return value
        self.last = _repeated(key for key, _ in pairs)
        for key in sorted(self.last)[:3]:
            self.note(f"The key {_short(key)} is given twice in one object; the last one counts.")
        return value

    def integer(self, digits: str) -> int | str:
        if len(digits) <= MAX_DIGITS:
            return int(digits)
        self.note(f"An integer of {len(digits)} digits is read as its text: {_short(digits)}.")
        return digits

    def number(self, digits: str) -> float | str:
        value = float(digits)
        if value - value == 0:
            return value
        self.note(f"The number {_short(digits)} is beyond a float's range and read as its text.")
        return digits

    def constant(self, name: str) -> NoReturn:
        raise NotATurn(f"{name} is not JSON. Send null or a string instead.")


def _decode(text: str) -> tuple[Any, _Hooks]:
    if text.count("[") + text.count("{") > MAX_DEPTH and (depth := _depth(text)) > MAX_DEPTH:
        raise NotATurn(
            f"The JSON is nested {depth} deep; the limit is {MAX_DEPTH}. Send the inner part as a string."
        )
    hooks = _Hooks()
    decoder = json.JSONDecoder(
        object_pairs_hook=hooks.object,
        parse_int=hooks.integer,
        parse_float=hooks.number,
        parse_constant=hooks.constant,
    )
    try:
        return decoder.decode(text), hooks
    except json.JSONDecodeError as error:
        offset = len(text[: error.pos].encode("utf-8", "surrogatepass"))
        place = f"byte {offset} (line {error.lineno}, column {error.colno})"
        raise NotATurn(f"Not JSON: {error.msg.removesuffix(' at')} at {place}.") from None


def _depth(text: str) -> int:
    """Deepest nesting of brackets outside strings, in one pass at the speed of the regex engine."""
    brackets = _NOT_BRACKETS.sub("", _STRINGS.sub("", text).translate(_BRACKETS))
    return max(accumulate(map(_STEP.__getitem__, brackets)), default=0)


def _text(data: bytes) -> str:
    if data.startswith(_UTF_16_OR_32) or b"\x00" in data[:4]:
        raise NotATurn("The body is not UTF-8 (it looks like UTF-16 or UTF-32). Send UTF-8.")
    body = data[3:] if data.startswith(_BOM) else data
    try:
        return body.decode("utf-8")
    except UnicodeDecodeError as error:
        offset = error.start + len(data) - len(body)
        what = f"{error.reason} at byte {offset}"
        raise NotATurn(f"The body is not UTF-8: {what}. Escape the bytes or send them as base64.") from None


def _repeated(keys: Iterable[str]) -> set[str]:
    seen: set[str] = set()
    twice: set[str] = set()
    for key in keys:
        (twice if key in seen else seen).add(key)
    return twice


def _short(text: str) -> str:
    return repr(text if len(text) <= 40 else text[:37] + "…")


def _name(value: Any) -> str:
    names = {list: "a list", str: "a string", bool: "true or false", type(None): "null"}
    return names.get(type(value), "a number")
