"""Where the values of a JSON text stand in it."""

import json
import re
from collections.abc import Sequence

_TOKEN = re.compile(r'"[^"\\]*+(?:\\.[^"\\]*+)*+"?+|[\[\]{},]|[^\s,\[\]{}:"]++', re.DOTALL)
Step = str | int
Span = tuple[int, int]


class Places:
    """The places of all values of one valid JSON text, worked out in one pass when first asked for.

    ``start`` and ``end``: where the JSON lies in the text. No stack of calls is kept, so that depth costs
    nothing.
    """

    def __init__(self, text: str, start: int = 0, end: int | None = None) -> None:
        self._text = text
        self._range = (start, len(text) if end is None else end)
        self._values: dict[int, int] = {}
        """Where each value ends, by its start."""
        self._members: dict[int, dict[Step, tuple[Span, int]]] = {}
        """For each object and array, by its start: each member's key and where its value starts."""
        self._first = -1

    def of(self, path: Sequence[Step], *, key: bool = False) -> Span | None:
        """Start and end of the value at a path, or of its key; None when it isn't there."""
        if not self._values:
            self._walk()
        start = self._first
        named: Span | None = None
        for step in path:
            member = self._members.get(start, {}).get(step)
            if member is None:
                return None
            named, start = member
        if key and named is not None:
            return named
        return (start, self._values[start]) if start in self._values else None

    def _walk(self) -> None:
        opened: list[_Opened] = []
        top: _Opened | None = None
        for token in _TOKEN.finditer(self._text, *self._range):
            start, end = token.span()
            mark = self._text[start]
            if mark == ",":
                if top:
                    top.next()
            elif mark in "]}":
                if top:
                    self._values[top.start] = end
                    opened.pop()
                    top = opened[-1] if opened else None
            elif mark == '"' and top and top.is_object and top.named is None:
                top.name(_unquoted(self._text[start:end]), (start, end))
            else:
                if top:
                    top.value(start)
                elif self._first < 0:
                    self._first = start
                self._values[start] = end
                if mark in "[{":
                    self._values[start] = self._range[1]
                    top = _Opened(start, mark == "{")
                    self._members[start] = top.members
                    opened.append(top)


class _Opened:
    """An object or array while it is walked through."""

    __slots__ = ("index", "is_object", "members", "named", "start", "step")

    def __init__(self, start: int, is_object: bool) -> None:
        self.start = start
        self.is_object = is_object
        self.members: dict[Step, tuple[Span, int]] = {}
        self.index = 0
        self.step: Step = ""
        self.named: Span | None = None

    def name(self, step: Step, place: Span) -> None:
        self.step, self.named = step, place

    def value(self, start: int) -> None:
        """A member's value starts; of a repeated key the last one counts."""
        if not self.is_object:
            self.members.setdefault(self.index, ((start, start), start))
        elif self.named is not None:
            self.members[self.step] = (self.named, start)

    def next(self) -> None:
        self.index += 1
        self.named = None


def place_of(text: str, path: Sequence[Step], *, key: bool = False) -> Span | None:
    """The place of one value; of several in one text, ask ``Places``."""
    return Places(text).of(path, key=key)


def _unquoted(quoted: str) -> str:
    if "\\" not in quoted:
        return quoted[1:-1]
    try:
        name: str = json.loads(quoted, strict=False)
    except ValueError:
        return quoted[1:-1]
    return name
