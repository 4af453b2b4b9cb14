"""Arguments as a model writes them: JSON in four states of health, or child tags.

``strict`` is JSON as it should be. ``truncated`` ended too early: what there is of it is read. ``repaired``
was broken inside and mended by guessing: ``mended`` says what was wrong. ``invalid`` could not be read.
"""

import json
import re
from dataclasses import dataclass, replace
from itertools import accumulate
from typing import Any, NoReturn, SupportsIndex

import jiter
import json_repair

from inspector.turns.turn import JsonState

REPAIR_MAX = 131_072
"""Code points of broken JSON that are mended in one response; mending costs about 1.6 s a megabyte."""
REPAIRS_MAX = 100
"""Pieces of broken JSON that are mended in one response."""
DEPTH_MAX = 500
LOOKS_MAX = 10
"""Looks at a text per code point while mending it; honest texts need one to five."""
REPAIR_DEPTH_MAX = 64
"""Mending is quadratic in depth."""
_DIGITS_MAX = 4_000
_FENCE = re.compile(r"\s*+```[ \t]*+[\w+-]{0,20}+[ \t]*+(?:\r?\n)?+")
_FENCE_END = re.compile(r"```\s*+\Z")
_CDATA = "<![CDATA["
_STRINGS = re.compile(r'"[^"\\]*+(?:\\.[^"\\]*+)*+"?+', re.DOTALL)
_NOT_BRACKETS = re.compile(r"[^\[\]]++")
_WINDOWS = re.compile(r'"[A-Za-z]:\\[^"\n]{0,400}"')
_NEXT_CHILD = re.compile(r"\n<([A-Za-z_][\w.:-]{0,99})>")
_CHILD = re.compile(r"<([A-Za-z_][\w.:-]{0,99})((?:\s[^<>]{0,500})?)>")


@dataclass(frozen=True, slots=True)
class Parsed:
    """A body taken for JSON."""

    value: Any
    state: JsonState | None
    """None: there was nothing to parse."""
    offset: int = 0
    """Where the JSON starts in the raw body (after white space, a fence or CDATA)."""
    length: int = 0
    mended: tuple[str, ...] = ()
    error: str = ""
    """What strict JSON stumbled over, in plain words."""
    error_at: int = 0
    """Place of the error in the raw body."""
    fenced: bool = False
    repeated: tuple[str, ...] = ()
    """Keys that stood twice in one object; the last one counts."""


class Budget:
    """How much broken JSON one response may have mended, in code points."""

    def __init__(self, left: int = REPAIR_MAX, times: int = REPAIRS_MAX) -> None:
        self.left = left
        self.times = times

    def take(self, size: int) -> bool:
        """Whether that much is left; if so it is spent."""
        if size > self.left or self.times <= 0:
            return False
        self.left -= size
        self.times -= 1
        return True


def parse(raw: str, budget: Budget | None = None) -> Parsed:
    """A body as JSON, by the first of strict, truncated and repaired that works. Never raises."""
    body, offset, fenced = unwrapped(raw)
    if not body:
        return Parsed(None, None, offset=offset, fenced=fenced)
    hooks = _Hooks()
    try:
        value = strict(body, hooks)
    except _NotStrict as error:
        read = _lenient(body, error, budget or Budget())
        return replace(read, offset=offset, length=len(body), fenced=fenced, error_at=offset + error.at)
    return Parsed(value, "strict", offset, len(body), fenced=fenced, repeated=tuple(hooks.repeated))


def unwrapped(raw: str) -> tuple[str, int, bool]:
    """A body without white space, fence or CDATA around it, where it starts, and if there was a fence."""
    start, end = 0, len(raw)
    fenced = False
    if match := _FENCE.match(raw):
        start, fenced = match.end(), True
        if close := _FENCE_END.search(raw, max(start, len(raw) - 64)):
            end = close.start()
    inner = raw[start:end]
    if inner.lstrip().startswith(_CDATA):
        cut = inner.index(_CDATA) + len(_CDATA)
        start += cut
        inner = inner[cut:].rstrip().removesuffix("]]>")
    body = inner.strip()
    return body, start + (len(inner) - len(inner.lstrip()) if body else 0), fenced


class _NotStrict(Exception):
    def __init__(self, message: str, at: int, *, at_end: bool = False, hopeless: bool = False) -> None:
        super().__init__(message)
        self.at = at
        self.at_end = at_end
        self.hopeless = hopeless


class _Hooks:
    def __init__(self) -> None:
        self.repeated: dict[str, None] = {}

    def object(self, pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        value = dict(pairs)
        if len(value) != len(pairs):
            seen: set[str] = set()
            for key, _ in pairs:
                if key in seen:
                    self.repeated[key] = None
                seen.add(key)
        return value


def strict(body: str, hooks: _Hooks | None = None) -> Any:
    """A value by the letter of JSON, integers of any size kept. Raises _NotStrict."""
    hooks = hooks or _Hooks()
    try:
        value = json.loads(
            body,
            object_pairs_hook=hooks.object,
            parse_int=_integer,
            parse_float=_number,
            parse_constant=_constant,
        )
    except json.JSONDecodeError as error:
        raise _NotStrict(_plain(error), error.pos, at_end=_ends_early(body, error)) from None
    except RecursionError:
        raise _NotStrict("is nested too deep", 0, hopeless=True) from None
    except ValueError as error:
        raise _NotStrict(str(error), 0) from None
    if body.count("[") + body.count("{") > DEPTH_MAX and depth(body) > DEPTH_MAX:
        raise _NotStrict(f"is nested deeper than {DEPTH_MAX}", 0, hopeless=True)
    return value


def value_end(text: str, start: int) -> int | None:
    """Where the JSON value that starts here ends, or None when none does."""
    try:
        return _DECODER.raw_decode(text, start)[1]
    except (ValueError, RecursionError):
        return None


def depth(text: str) -> int:
    """How deep brackets outside of strings nest."""
    brackets = _NOT_BRACKETS.sub("", _STRINGS.sub("", text).translate(str.maketrans("{}", "[]")))
    return max(accumulate(1 if bracket == "[" else -1 for bracket in brackets), default=0)


def children(raw: str) -> tuple[dict[str, str], tuple[str, ...]] | None:
    """Arguments written as child tags: name → text, and the names whose tag is not closed. None: no tags."""
    found: dict[str, str] = {}
    unclosed: list[str] = []
    position = 0
    while len(found) < 200 and (match := _CHILD.search(raw, position)):
        close = raw.find(f"</{match[1]}>", match.end())
        if close < 0:
            unclosed.append(match[1])
            following = _NEXT_CHILD.search(raw, match.end())
            if following is None or raw.find(f"</{following[1]}>", following.end()) < 0:
                found[match[1]] = raw[match.end() :]
                break
            position = following.start() + 1
            found[match[1]] = raw[match.end() : following.start()]
            continue
        found[match[1]] = raw[match.end() : close]
        position = close + len(match[1]) + 3
    return (found, tuple(unclosed)) if found else None


def _lenient(body: str, error: _NotStrict, budget: Budget) -> Parsed:
    message = str(error)
    if error.hopeless or body[0] not in "{[":
        return Parsed(None, "invalid", error=message)
    if error.at_end:
        value = _partial(body)
        if value is not None:
            return Parsed(value, "truncated", error="ends too early", mended=("closed what was still open",))
    if not budget.take(len(body)) or depth(body) > REPAIR_DEPTH_MAX:
        return Parsed(None, "invalid", error=message)
    if (doubled := _WINDOWS.sub(_doubled, body)) != body:
        try:
            return Parsed(
                strict(doubled), "repaired", error=message, mended=("doubled the backslashes of a path",)
            )
        except _NotStrict:
            pass
    value, log = _repair(body)
    if not isinstance(value, dict | list) or not isinstance(value, dict if body[0] == "{" else list):
        return Parsed(None, "invalid", error=message)
    return Parsed(value, "repaired", error=message, mended=(message, *log))


def _doubled(match: re.Match[str]) -> str:
    return match[0].replace("\\\\", "\\").replace("\\", "\\\\")


def _partial(body: str) -> Any:
    try:
        return jiter.from_json(body.encode(), partial_mode="trailing-strings", allow_inf_nan=False)
    except (ValueError, UnicodeEncodeError):
        return None


def _repair(body: str) -> tuple[Any, tuple[str, ...]]:
    try:
        metered = _Metered(body)
        value, log = json_repair.repair_json(metered, return_objects=True, logging=True, skip_json_loads=True)
        json.dumps(value, allow_nan=False)
    except (_Spent, RecursionError, ValueError, TypeError, IndexError, KeyError, AttributeError):
        return None, ()
    told: dict[str, None] = {}
    for entry in log[:50]:
        told[f"{entry.get('text', '')} (near {entry.get('context', '')[:40]!r})"] = None
    return value, tuple(told)[:5]


class _Spent(Exception):
    """The mending looked at more of the text than an honest text needs."""


class _Metered(str):
    """A text that counts how often it is looked at: mending is quadratic on text made for it."""

    __slots__ = ("_left",)

    def __init__(self, text: str) -> None:
        self._left = LOOKS_MAX * len(text) + 4_000

    def __getitem__(self, key: SupportsIndex | slice) -> str:
        self._left -= 1
        if self._left < 0:
            raise _Spent
        return str.__getitem__(self, key)


def _ends_early(body: str, error: json.JSONDecodeError) -> bool:
    if error.msg.startswith("Unterminated string"):
        return True
    if error.pos >= len(body):
        return True
    rest = body[error.pos : error.pos + 12]
    if len(body) - error.pos > 10:
        return False
    if error.msg.startswith("Expecting value"):
        return any(word.startswith(rest) for word in ("true", "false", "null", "-"))
    return error.msg.startswith("Invalid \\") and len(body) - error.pos <= 6


def _plain(error: json.JSONDecodeError) -> str:
    words = {
        "Expecting property name enclosed in double quotes": "a key in double quotes is expected",
        "Expecting value": "a value is expected",
        "Expecting ',' delimiter": "a comma or a closing bracket is expected",
        "Expecting ':' delimiter": "a colon is expected",
        "Extra data": "something follows the JSON",
        "Illegal trailing comma before end of object": "there is a comma before the closing bracket",
        "Illegal trailing comma before end of array": "there is a comma before the closing bracket",
    }.get(error.msg)
    if words is None:
        words = "a string has no closing quote" if error.msg.startswith("Unterminated") else error.msg.lower()
        if "control character" in error.msg:
            words = "a line break or control character stands inside a string (write \\n)"
    return f"{words} at line {error.lineno}, column {error.colno}"


def _integer(digits: str) -> int:
    if len(digits) > _DIGITS_MAX:
        raise ValueError(f"a number of {len(digits)} digits")
    return int(digits)


def _number(digits: str) -> float:
    value = float(digits)
    if value in (float("inf"), float("-inf")):
        raise ValueError(f"the number {digits[:20]} is too large")
    return value


def _constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not a JSON value")


_DECODER = json.JSONDecoder()
