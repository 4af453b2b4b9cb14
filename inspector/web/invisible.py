"""Characters that a person can't see or that move others about, and what they are called on the page."""

import re
import unicodedata

NAMES: dict[int, str] = {
    0x00: "NUL",
    0x07: "BEL",
    0x08: "BS",
    0x0B: "VT",
    0x0C: "FF",
    0x0D: "CR",
    0x1B: "ESC",
    0x7F: "DEL",
    0x85: "NEL",
    0x9B: "CSI",
    0xA0: "NBSP",
    0xAD: "SHY",
    0x200B: "ZWSP",
    0x200C: "ZWNJ",
    0x200D: "ZWJ",
    0x2028: "LS",
    0x2029: "PS",
    0x2060: "WJ",
    0xFEFF: "BOM",
}
MARKED = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\xa0\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f"
    "\u2028-\u202f\u205f-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff9-\ufffb"
    "\ud800-\udfff\U000e0000-\U000e0fff]"
)
"""One character class, so that looking for marks is linear."""
STACKED = re.compile("[\u0300-\u036f\u0483-\u0489\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]{8,}+")
"""Combining marks piled up until they cover other lines."""


def label(character: str) -> str:
    """Short name for the box: ``ZWSP``, ``ESC`` or ``U+202E``."""
    code = ord(character)
    return NAMES.get(code, f"U+{code:04X}")


def described(character: str) -> str:
    """The box's title: ``U+202E right-to-left override``."""
    code = ord(character)
    name = unicodedata.name(character, "").lower() or {"Cs": "lone surrogate"}.get(
        unicodedata.category(character), "control character"
    )
    return f"U+{code:04X} {name}"


def shown(character: str) -> str:
    """What stands inside the box, so that copying gives the original; what a page can't hold is U+FFFD."""
    code = ord(character)
    unholdable = code == 0 or 0xD800 <= code <= 0xDFFF or code == 0x0D
    return "\ufffd" if unholdable else character
