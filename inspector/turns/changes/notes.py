"""Changes that a person can't see: spacing, line ends, invisible characters, look-alike forms."""

import re
import unicodedata
from collections import Counter

INVISIBLE = re.compile(
    "[\u00ad\u034f\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufe00-\ufe0f\ufeff]"
)
FIRST = 4_000
"""Code points that tell most texts apart."""
LOOKED_AT = 200_000
"""Code points of changed text that are looked at."""


def is_whitespace_only(old: str, new: str) -> bool:
    """The two differ in whitespace alone."""
    if old == new or not _begin_alike(_squeezed(old[:FIRST]), _squeezed(new[:FIRST])):
        return False
    return _squeezed(old) == _squeezed(new)


def _squeezed(text: str) -> str:
    return "".join(text.split())


def _begin_alike(old: str, new: str) -> bool:
    return old.startswith(new) or new.startswith(old)


def note_on(old: str, new: str) -> str | None:
    """What can't be seen in the changed lines of two texts, in plain words; None when all can be seen."""
    old, new = old[:LOOKED_AT], new[:LOOKED_AT]
    if old == new:
        return None
    if _line_ends(old) == _line_ends(new):
        return f"only line ends differ: {_end_name(old)} became {_end_name(new)}"
    if INVISIBLE.sub("", old) == INVISIBLE.sub("", new):
        return f"only invisible characters differ: {_invisible(old, new)}"
    if is_whitespace_only(old, new):
        return _spacing(old, new)
    if unicodedata.normalize("NFC", old) == unicodedata.normalize("NFC", new):
        return "only the Unicode form differs: the same letters, composed otherwise"
    return None


def _line_ends(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _end_name(text: str) -> str:
    windows = text.count("\r\n")
    if windows:
        return "CRLF" if windows == text.count("\n") else "a mix of CRLF and LF"
    return "CR" if "\r" in text else "LF"


def _invisible(old: str, new: str) -> str:
    before, after = Counter(INVISIBLE.findall(old)), Counter(INVISIBLE.findall(new))
    pieces = [f"{count} {_name(each)} added" for each, count in sorted((after - before).items())]
    pieces += [f"{count} {_name(each)} removed" for each, count in sorted((before - after).items())]
    return ", ".join(pieces) or "they stand elsewhere"


def _name(character: str) -> str:
    return f"{unicodedata.name(character, 'unnamed').lower()} (U+{ord(character):04X})"


def _spacing(old: str, new: str) -> str:
    if _trimmed(old) == _trimmed(new):
        return "only spaces at line ends differ"
    if _dedented(old) == _dedented(new):
        return "only indentation differs"
    if [line for line in old.split("\n") if line.strip()] == [
        line for line in new.split("\n") if line.strip()
    ]:
        return "only blank lines differ"
    return "only whitespace differs"


def _trimmed(text: str) -> list[str]:
    return [line.rstrip() for line in text.split("\n")]


def _dedented(text: str) -> list[str]:
    return [line.lstrip() for line in text.split("\n")]
