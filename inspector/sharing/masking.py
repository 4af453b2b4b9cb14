"""Covering secrets and e-mail addresses, length for length, so that every offset stays true.

A covered stretch becomes as many ``█`` as it had code points. What is found in a turn's texts is also
covered wherever else it stands in that turn's reading: in arguments, values, titles and paths.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import re2

from inspector.turns.redaction import emails_in, secrets_in

MARK = "█"
SHORTEST = 8
"""Shorter finds are covered where they were found and not looked for elsewhere."""
MOST_KNOWN = 1_000
"""More finds than this, and everything derived from the texts is covered whole: safe, and bounded."""


def masked(text: str, mask: Iterable[str]) -> str:
    """The text with what ``mask`` names covered."""
    return _covered(text, spans(text, mask))


def spans(text: str, mask: Iterable[str]) -> list[tuple[int, int]]:
    """The stretches to cover, in order, without overlap."""
    wanted = set(mask)
    found: list[tuple[int, int]] = []
    if "secrets" in wanted:
        found += [(start, end) for start, end, _ in secrets_in(text)]
    if "emails" in wanted:
        found += [(start, end) for start, end, _ in emails_in(text)]
    return _merged(found)


class Masker:
    """Covers the same things everywhere in one turn (or in the two turns of a comparison)."""

    def __init__(self, mask: Iterable[str], texts: Iterable[str]) -> None:
        self.mask = tuple(mask)
        known: set[str] = set()
        self.found: dict[str, list[tuple[int, int]]] = {}
        """What was found in the turn's own texts, each of which is covered more than once."""
        self.covered: dict[str, str] = {}
        for text in texts if self.mask else ():
            searchable = _searchable(text)
            self.found[text] = spans(text, self.mask)
            known.update(searchable[start:end] for start, end in self.found[text])
        long = sorted((find for find in known if len(find) >= SHORTEST), key=len, reverse=True)
        self.blanket = len(long) > MOST_KNOWN or sum(map(len, long)) > 200_000
        self.known = None if self.blanket or not long else _literals(long)

    def text(self, text: str) -> str:
        """One of the turn's own texts, covered."""
        return self._cover(text)

    def derived(self, text: str) -> str:
        """A text that was taken out of the turn's texts, covered."""
        return MARK * len(text) if self.blanket else self._cover(text)

    def maybe(self, text: str | None) -> str | None:
        """A derived text that may be missing."""
        return None if text is None else self.derived(text)

    def names(self, values: Mapping[str, str]) -> dict[str, str]:
        """Attributes or tags, covered."""
        covered: dict[str, str] = self.value(values)
        return covered

    def value(self, value: Any) -> Any:
        """Any JSON value with every string in it covered; numbers and structure stay. Not recursive."""
        if not self.mask:
            return value
        top = [value]
        open_places: list[tuple[Any, Any]] = [(top, 0)]
        while open_places:
            holder, place = open_places.pop()
            item = holder[place]
            if isinstance(item, str):
                holder[place] = self.derived(item)
            elif isinstance(item, Mapping):
                holder[place] = copy = self._keys(item)
                open_places.extend((copy, key) for key in copy)
            elif isinstance(item, list | tuple):
                holder[place] = rest = list(item)
                open_places.extend((rest, index) for index in range(len(rest)))
        return top[0]

    def _keys(self, item: Mapping[Any, Any]) -> dict[Any, Any]:
        copy: dict[Any, Any] = {}
        for key, value in item.items():
            name = self.derived(key) if isinstance(key, str) else key
            while name in copy:
                name = f"{name}{MARK}"
            copy[name] = value
        return copy

    def _cover(self, text: str) -> str:
        if not self.mask:
            return text
        if text in self.covered:
            return self.covered[text]
        found = self.found[text] if text in self.found else spans(text, self.mask)
        if self.known is not None:
            found = _merged([*found, *(match.span() for match in self.known.finditer(_searchable(text)))])
        covered = _covered(text, found)
        if text in self.found:
            self.covered[text] = covered
        return covered


def _literals(texts: Sequence[str]) -> Any:
    """Any of the texts, the longest first; linear however many there are."""
    options = re2.Options()
    options.max_mem = 64 << 20
    return re2.compile("|".join(map(re2.escape, texts)), options)


def _merged(found: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    merged: list[tuple[int, int]] = []
    for start, end in sorted(found):
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        elif end > start:
            merged.append((start, end))
    return merged


def _covered(text: str, found: Sequence[tuple[int, int]]) -> str:
    pieces, at = [], 0
    for start, end in found:
        pieces += [text[at:start], MARK * (end - start)]
        at = end
    return "".join([*pieces, text[at:]]) if pieces else text


def _searchable(text: str) -> str:
    """The text, as long as before, with lone surrogates (which re2 can't take) replaced."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return "".join("\ufffd" if "\ud800" <= character <= "\udfff" else character for character in text)
    return text
