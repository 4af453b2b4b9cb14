"""JSON laid out over lines, wherever it stands in a text: a view that keeps every word as it was written.

Nothing is parsed into values: names stay double, numbers keep their digits, and what only looks like JSON
stays as it is. Linear in the text.
"""

import re

SHORT = 48
"""Code points of an object or a list that stays on its line."""
TRIES = 8
"""Beginnings without an end that are looked at in one text."""
LARGEST = 1_000_000
"""Code points of a text that is laid out at most."""
BEGIN = re.compile(r'\{(?=\s*["}])|\[(?=\s*[\[{"\-\d\]tfn])')
TOKEN = re.compile(r'"(?:[^"\\]|\\.)*+"|[{}\[\],:]|[^\s"{}\[\],:]++|\s++', re.DOTALL)
ENDS = {"{": "}", "[": "]"}


def laid_out(text: str) -> str:
    """The text with each longer object or list in it over several lines."""
    if len(text) > LARGEST:
        return text
    parts: list[str] = []
    done, tries = 0, 0
    begin = BEGIN.search(text)
    while begin and tries < TRIES:
        found = tokens(text, begin.start())
        if found is None:
            tries += 1
            begin = BEGIN.search(text, begin.start() + 1)
            continue
        end = begin.start() + sum(map(len, found))
        parts += [text[done : begin.start()], over_lines(found)]
        done, begin = end, BEGIN.search(text, end)
    return "".join([*parts, text[done:]])


def tokens(text: str, start: int) -> list[str] | None:
    """What the object or list that begins here is written with; None when it does not end."""
    found: list[str] = []
    open_ends: list[str] = []
    while match := TOKEN.match(text, start):
        word, start = match[0], match.end()
        found.append(word)
        if word in ENDS:
            open_ends.append(ENDS[word])
        elif word in ENDS.values():
            if open_ends.pop() != word:
                return None
            if not open_ends:
                return found
    return None


def over_lines(found: list[str]) -> str:
    """These tokens over lines, indented by two; what is short stays together as it was written."""
    ends = partners(found)
    begins = [0]
    for word in found:
        begins.append(begins[-1] + len(word))
    out: list[str] = []
    depth, at = 0, 0
    while at < len(found):
        word = found[at]
        if word in ENDS and begins[ends[at] + 1] - begins[at] <= SHORT:
            out += found[at : ends[at] + 1]
            at = ends[at]
        elif word in ENDS:
            depth += 1
            out += [word, "\n", "  " * depth]
        elif word in ENDS.values():
            depth -= 1
            out += ["\n", "  " * depth, word]
        elif word == ",":
            out += [",\n", "  " * depth]
        elif word == ":":
            out.append(": ")
        elif not word.isspace():
            out.append(word)
        at += 1
    return "".join(out)


def partners(found: list[str]) -> dict[int, int]:
    """For each opening bracket the index of its end."""
    ends: dict[int, int] = {}
    begun: list[int] = []
    for at, word in enumerate(found):
        if word in ENDS:
            begun.append(at)
        elif word in ENDS.values():
            ends[begun.pop()] = at
    return ends
