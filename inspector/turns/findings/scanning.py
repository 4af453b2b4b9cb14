"""What a stretch of prompt text holds that rules may care about, found by linear patterns in one go."""

import re
from bisect import bisect_left
from collections.abc import Iterator
from typing import Literal

from inspector.turns.redaction import HINTS, secrets_in
from inspector.turns.shape import shape

Sort = Literal[
    "placeholder", "invisible", "junk", "secret", "blob", "cut", "order", "braces", "identity", "date"
]
HITS_MAX = 200
"""Hits of one sort in one stretch that are kept."""

_PLACEHOLDER = re.compile(
    r"\{\{[ \t]{0,8}+([A-Za-z_][\w.]{0,60}+(?:\[\d{1,4}\])?+[\w.]{0,60}+)[ \t]{0,8}+\}\}"
    r"|\$\{([A-Za-z_][\w.]{0,60}+)\}"
    r"|%\(([A-Za-z_]\w{0,60}+)\)s"
    r"|\{%[-\s][^%{}\n]{1,120}+%\}"
)
_JUNK = re.compile(
    r"\[object (?:Object|Promise|Array|Undefined|Null)\]"
    r"|(?<=>)(?:undefined|NaN)(?=</)"
    r"|(?<==\")(?:undefined|NaN)(?=\")"
    r"|(?<=: )(?:undefined|NaN)(?=[ \t]*+(?:\r?\n|\Z))"
    r"|<(?:function|coroutine object|bound method|generator object|[\w.]{1,80}+ object)"
    r"[^<>\n]{0,120}? at 0x[0-9a-fA-F]{4,16}>"
)
_FENCE = re.compile(r"^[ \t]{0,12}+(`{3,}+|~{3,}+)", re.MULTILINE)
_CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")
_CONTROLS = bytes(code for code in range(128) if _CONTROL.match(chr(code)))
_INVISIBLE = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\x80-\x84\x86-\x9f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180e"
    "\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb"
    "\U000e0000-\U000e007f\U000e0100-\U000e01ef]+"
)
_JOINERS = frozenset("\u200c\u200d")
_HOLES = ("{{", "${", "%(", "{%")
_JUNK_WORDS = ("[object ", "undefined", "NaN", " at 0x")
WORDS = (*_HOLES, *_JUNK_WORDS, *HINTS)
"""One of them is in every placeholder, junk and secret."""
_MARKS = frozenset("\u200e\u200f\u061c")


@shape
class Hit:
    """Something in a text. ``name`` says what: a placeholder's name, a class of characters."""

    sort: Sort
    start: int
    end: int
    name: str
    fenced: bool = False
    """It stands in a code fence or in backticks."""
    quoted: bool = False
    """It stands in quotes, as something that is spoken about."""


def hits_in(text: str, seen: frozenset[str]) -> tuple[Hit, ...]:
    """All that a text holds, by place. ``seen``: which of WORDS are in it."""
    found = [*_placeholders(text, seen), *_junk(text, seen), *_invisible(text), *_secrets(text, seen)]
    return tuple(sorted(found, key=lambda hit: hit.start)) if len(found) > 1 else tuple(found)


def _placeholders(text: str, seen: frozenset[str]) -> Iterator[Hit]:
    if seen.isdisjoint(_HOLES):
        return
    fences: list[int] | None = None
    for count, match in enumerate(_PLACEHOLDER.finditer(text)):
        if count >= HITS_MAX:
            return
        if fences is None:
            fences = [fence.start() for fence in _FENCE.finditer(text)]
        name = match[1] or match[2] or match[3] or match[0]
        start, end = match.span()
        yield Hit(
            "placeholder", start, end, name, _is_code(text, start, end, fences), _is_quoted(text, start, end)
        )


def _junk(text: str, seen: frozenset[str]) -> Iterator[Hit]:
    if seen.isdisjoint(_JUNK_WORDS):
        return
    fences: list[int] | None = None
    for count, match in enumerate(_JUNK.finditer(text)):
        if count >= HITS_MAX:
            return
        if fences is None:
            fences = [fence.start() for fence in _FENCE.finditer(text)]
        start, end = match.span()
        yield Hit(
            "junk", start, end, match[0], _is_code(text, start, end, fences), _is_quoted(text, start, end)
        )


def _secrets(text: str, seen: frozenset[str]) -> Iterator[Hit]:
    for start, end, name in secrets_in(text, seen)[:HITS_MAX]:
        yield Hit("secret", start, end, name)


def _is_code(text: str, start: int, end: int, fences: list[int]) -> bool:
    """Whether a place is inside a fence or in backticks on its line."""
    if bisect_left(fences, start) % 2:
        return True
    line = text.rfind("\n", max(0, start - 400), start) + 1
    return (
        text.count("`", max(line, start - 400), start) % 2 == 1
        and "`" in text[end : end + 400].split("\n", 1)[0]
    )


def _is_quoted(text: str, start: int, end: int) -> bool:
    return (
        text[start - 1 : start] in ("'", '"', "“", "(", "‘")
        and start > 0
        and text[end : end + 1] in ("'", '"', "”", ")", "’")
    )


def _invisible(text: str) -> Iterator[Hit]:
    if text.isascii() and len(text.encode().translate(None, _CONTROLS)) == len(text):
        return
    pattern = _CONTROL if text.isascii() else _INVISIBLE
    count = 0
    for match in pattern.finditer(text):
        name = _invisible_name(text, match)
        if name is None:
            continue
        count += 1
        if count > HITS_MAX:
            return
        yield Hit("invisible", match.start(), match.end(), name)


def _invisible_name(text: str, match: re.Match[str]) -> str | None:
    """The class of a run of invisible characters; None where they belong."""
    run = match[0]
    before = text[match.start() - 1] if match.start() else ""
    first = run[0]
    if "\U000e0000" <= first <= "\U000e007f":
        return None if before == "\U0001f3f4" else "tag characters"
    if first >= "\U000e0100" or "\u180b" <= first <= "\u180d":
        return None if _is_wide(before) and len(run) == 1 else "variation selectors"
    if any("\u202a" <= character <= "\u202e" or "\u2066" <= character <= "\u2069" for character in run):
        return "direction controls"
    if (
        len(run) == 1
        and first in _JOINERS
        and (_is_wide(before) or before == "\ufe0f" or _is_joining(before))
    ):
        return None
    if len(run) == 1 and (first == "\u00ad" or (first in _MARKS and _is_joining(before))):
        return None
    if first < " " or "\x7f" <= first <= "\x9f":
        return "terminal codes" if first == "\x1b" else "control characters"
    if first == "\ufeff" and match.start() == 0 and len(run) == 1:
        return "byte order mark"
    return "zero-width characters"


def _is_wide(character: str) -> bool:
    """Emoji, symbols and ideographs, which joiners and selectors may follow."""
    return (character >= "\u2190" and not "\ufb1d" <= character <= "\ufdff") or character in (
        "#",
        "*",
        "©",
        "®",
    )


def _is_joining(character: str) -> bool:
    """Letters of scripts that use joiners and direction marks: Hebrew to Myanmar, Khmer, Mongolian."""
    return (
        "\u0590" <= character <= "\u109f"
        or "\u1780" <= character <= "\u18af"
        or "\ufb1d" <= character <= "\ufdff"
    )
