"""The known tags of a response, found in one pass with exact offsets.

Only the tags a grammar knows are looked for; anything else between angle brackets is text. Linear:
attribute lists are bounded, and what was scanned in vain is counted against a budget.
"""

import re
from collections.abc import Mapping
from typing import Literal

from inspector.turns.shape import shape

Shape = Literal["open", "close", "empty", "cut"]

ATTRIBUTES_MAX = 4_096
"""How long a tag's attributes may be, in code points."""
TAGS_MAX = 10_000
"""Tags looked at in one text; what is behind the last one is text."""
_BROKEN_MAX = 512
_ATTRIBUTE = re.compile(r"\s*+([A-Za-z_:@][\w:.@-]*+)(\s*+=\s*+)?+")
_BARE = re.compile(r"[^\s\"'<>`=]++")
_LAX = re.compile(r"([A-Za-z_:@][\w:.@-]*+)\s*+=\s*+[\"']?+([^\"'<>\s]*+)")
_END = re.compile(r"\s*+(/?)>")
_PAIRS = {"'": "'", "`": "`", "(": ")", '"': '"', "“": "”", "‘": "’"}


@shape
class Tag:
    """One tag of a response."""

    name: str
    """In lower case, as the grammar writes it."""
    shape: Shape
    start: int
    end: int
    attributes: Mapping[str, str]
    quirks: tuple[str, ...] = ()


def pattern(names: frozenset[str]) -> re.Pattern[str]:
    """A pattern for the start of these tags; ``/name`` at the start of a line is half an opening."""
    known = "|".join(re.escape(name) for name in sorted(names, key=len, reverse=True))
    return re.compile(
        rf"<(/?+)\s{{0,8}}+({known})(?=[\s/>]|\Z)|(?m:^[ \t]{{0,64}}+)(/)({known})(?=[\s>])", re.IGNORECASE
    )


def tags_in(text: str, start: re.Pattern[str]) -> list[Tag]:
    """All tags of a text that ``start`` finds, in order, without those mentioned in quotes or brackets."""
    found: list[Tag] = []
    position = 0
    wasted = 0
    for _ in range(TAGS_MAX):
        match = start.search(text, position)
        if match is None:
            break
        limit = ATTRIBUTES_MAX if wasted <= 65_536 else 128
        tag, scanned = _tag(text, match, limit)
        if tag is None:
            wasted += scanned
            position = match.end()
            continue
        if not _is_quoted(text, tag):
            found.append(tag)
        position = max(tag.end, match.end())
    return found


def _tag(text: str, match: re.Match[str], limit: int) -> tuple[Tag | None, int]:
    begin = match.start() if match[2] else match.start(3)
    name = match[2] or match[4]
    quirks: tuple[str, ...] = () if name == name.lower() else ("upper-case",)
    if match[1]:
        return _closing(text, match.end(), begin, name.lower(), quirks), 0
    if match[4]:
        quirks += ("slash-for-bracket",)
    attributes, position, more = _attributes(text, match.end(), min(len(text), match.end() + limit))
    quirks += more
    scanned = position - begin
    if end := _END.match(text, position):
        shape: Shape = "empty" if end[1] else "open"
        return Tag(name.lower(), shape, begin, end.end(), attributes, quirks), scanned
    if not text[position:].strip() if len(text) - position < 64 else False:
        return Tag(name.lower(), "cut", begin, len(text), attributes, quirks), scanned
    if "cut" in more:
        return Tag(name.lower(), "cut", begin, len(text), attributes, quirks), scanned
    return _mended(text, match.end(), begin, name.lower(), (attributes, position), quirks), scanned


def _closing(text: str, position: int, begin: int, name: str, quirks: tuple[str, ...]) -> Tag | None:
    if end := _END.match(text, position):
        return Tag(name, "close", begin, end.end(), {}, quirks)
    if position >= len(text.rstrip()) if len(text) - position < 64 else False:
        return Tag(name, "cut", begin, len(text), {}, (*quirks, "closing"))
    return None


def _attributes(text: str, position: int, limit: int) -> tuple[dict[str, str], int, tuple[str, ...]]:
    """The attributes from a position on, where they end, and what is odd about them."""
    found: dict[str, str] = {}
    quirks: dict[str, None] = {}
    while (match := _ATTRIBUTE.match(text, position, limit)) and match.end() > position:
        name, position = match[1], match.end()
        value = ""
        if match[2]:
            if match[2] != "=":
                quirks["space-around-equals"] = None
            quote = text[position : position + 1]
            if quote in ("'", '"') and quote:
                close = text.find(quote, position + 1, limit)
                if close < 0:
                    return (
                        found,
                        match.start(),
                        (*quirks, "cut")
                        if limit == len(text) and ">" not in text[position:limit]
                        else tuple(quirks),
                    )
                value, position = text[position + 1 : close], close + 1
                if quote == "'":
                    quirks["single-quotes"] = None
            elif bare := _BARE.match(text, position, limit):
                value, position = bare[0], bare.end()
                if value.endswith("/") and text.startswith(">", position):
                    value, position = value[:-1], position - 1
                quirks["no-quotes"] = None
        if "\n" in match[0]:
            quirks["line-break-in-tag"] = None
        if name in found:
            quirks["attribute-again"] = None
        found[name] = value
    return found, position, tuple(quirks)


def _mended(
    text: str, after: int, begin: int, name: str, read: tuple[dict[str, str], int], quirks: tuple[str, ...]
) -> Tag | None:
    """A tag whose attributes don't end as they should, taken up to its first ``>`` or where they end."""
    close = text.find(">", after, after + _BROKEN_MAX)
    if close >= 0 and text.find("<", after, close) < 0:
        lax = {match[1]: match[2] for match in _LAX.finditer(text, after, close)}
        if lax:
            return Tag(name, "open", begin, close + 1, lax, (*quirks, "bad-attributes"))
    attributes, position = read
    if attributes:
        return Tag(name, "open", begin, position, attributes, (*quirks, "half-open"))
    return None


def _is_quoted(text: str, tag: Tag) -> bool:
    """Whether a tag is only talked about: ```<output>```, '<output>', (</reasoning>)."""
    before = text[tag.start - 1] if tag.start else ""
    return before in _PAIRS and text[tag.end : tag.end + 1] == _PAIRS[before]
