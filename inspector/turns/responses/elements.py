"""The elements of a tagged response: which tag belongs to which, tolerant of all that models get wrong.

What a leaf (reasoning, call, output) holds is its text: known tags inside it are not read as leaves. A
closing container tag closes what is still open. Same-named leaves nest by count. One pass over the tags.
"""

import re
from bisect import bisect_left
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Literal

from inspector.turns.arguments import value_end
from inspector.turns.dialects.card import Tags
from inspector.turns.responses.heard import Quirk
from inspector.turns.tags import Tag, pattern, tags_in

Role = Literal["container", "reasoning", "call", "output"]
LEAVES_MAX = 2_000
"""Elements that are read; what comes after them is stray text."""
_AFTER_VALUE = re.compile(r"\s*+(?:\]\]>)?+\s*+(?:```)?+\s*+")
_BODY = re.compile(r"\s*+(?:```[ \t]*+\w{0,20}+\s*+)?+(?=[{\[])")
_TAIL = re.compile(r"</?[\w!?-]{0,40}+\Z")


@dataclass(frozen=True, slots=True)
class Leaf:
    """One reasoning, call or output element. ``closed`` is False where its closing tag is missing."""

    role: Role
    tag: str
    name: str | None
    attributes: Mapping[str, str]
    start: int
    end: int
    body_start: int
    body_end: int
    closed: bool
    cut: bool
    """It is not closed and the text ends with it."""
    inner: tuple[Tag, ...] = ()
    """Known tags inside, which count as text."""


@dataclass(slots=True)
class Elements:
    """All that a tagged text holds."""

    leaves: list[Leaf] = field(default_factory=list)
    stray: list[tuple[int, int]] = field(default_factory=list)
    quirks: list[Quirk] = field(default_factory=list)
    containers: int = 0
    closed: bool = False
    """A container was closed."""
    cut: bool = False
    """The text ends inside a tag or a leaf."""


def elements_of(text: str, tags: Tags) -> Elements:
    """The elements of a text by a dialect's tags."""
    return _Reader(text, tags).read()


@lru_cache(maxsize=64)
def _roles(tags: Tags) -> tuple[dict[str, Role], re.Pattern[str]]:
    roles: dict[str, Role] = {}
    if tags.container:
        roles[tags.container.lower()] = "container"
    for names, role in ((tags.reasoning, "reasoning"), (tags.calls, "call"), (tags.outputs, "output")):
        roles.update({name.lower(): role for name in names})  # type: ignore[misc]
    return roles, pattern(frozenset(roles))


class _Reader:
    def __init__(self, text: str, tags: Tags) -> None:
        self.text = text
        self.names = tags.names
        self.roles, start = _roles(tags)
        self.tags = tags_in(text, start)
        self.found = Elements()
        self.gap = 0
        """Where the text that belongs nowhere yet begins."""
        self.comments = True
        self.comment_end = 0
        self.looked = 0
        self.budget = 4 * len(text) + 4_096
        self._index()

    def _index(self) -> None:
        """Where each name opens and closes, and which closing tag matches which opening one."""
        self.opens: dict[str, list[int]] = {name: [] for name in self.roles}
        self.closes: dict[str, list[int]] = {name: [] for name in self.roles}
        self.named: dict[str, list[int]] = {name: [] for name in self.roles}
        self.ends: list[int] = []
        self.match: dict[int, int] = {}
        stacks: dict[str, list[int]] = {name: [] for name in self.roles}
        for index, tag in enumerate(self.tags):
            if tag.shape == "open":
                self.opens[tag.name].append(index)
                if self._name(tag) is not None:
                    self.named[tag.name].append(index)
                if self._name(tag) is not None or self.roles[tag.name] != "output":
                    stacks[tag.name].append(index)
            elif tag.shape == "close":
                self.closes[tag.name].append(index)
                if self.roles[tag.name] == "container":
                    self.ends.append(index)
                    for stack in stacks.values():
                        stack.clear()
                elif stacks[tag.name]:
                    self.match[stacks[tag.name].pop()] = index

    def read(self) -> Elements:
        """Walk over the tags once."""
        index = 0
        while index < len(self.tags) and len(self.found.leaves) < LEAVES_MAX:
            index = self._step(index, self.tags[index])
        self._tail()
        return self.found

    def _step(self, index: int, tag: Tag) -> int:
        role = self.roles[tag.name]
        if self._is_commented(tag):
            if role != "container" and tag.shape in ("open", "empty"):
                self._quirk("commented", tag)
            return index + 1
        if tag.shape == "cut":
            self._stray(tag.start)
            self.found.stray.append((tag.start, tag.end))
            self._quirk("cut-tag", tag)
            self.gap = tag.end
            self.found.cut = True
            return index + 1
        if role == "container":
            return self._container(index, tag)
        if tag.shape == "close":
            return self._orphan(index, tag, role)
        return self._leaf(index, tag, role)

    def _container(self, index: int, tag: Tag) -> int:
        self._stray(tag.start)
        self._oddities(tag)
        self.gap = tag.end
        if tag.shape == "close":
            if self.found.closed and not self.found.containers:
                self._quirk("orphan-close", tag)
            self.found.closed = True
            self.found.containers = 0
        else:
            if self.found.closed and self.found.leaves:
                self._quirk("response-again", tag)
            self.found.containers += 1
        return index + 1

    def _orphan(self, index: int, tag: Tag, role: Role) -> int:
        """A closing tag that closes nothing. A reasoning one says that what is before it was reasoning."""
        if role == "reasoning" and not self.found.leaves:
            start = self.gap
            self.found.leaves.append(
                Leaf("reasoning", tag.name, None, {}, start, tag.end, start, tag.start, True, False)
            )
            self._quirk("implicit-reasoning", tag)
        else:
            self._stray(tag.start)
            self.found.stray.append((tag.start, tag.end))
            self._quirk("orphan-close", tag)
        self.gap = tag.end
        return index + 1

    def _leaf(self, index: int, tag: Tag, role: Role) -> int:
        name = self._name(tag)
        if tag.shape == "empty":
            if role != "reasoning":
                self._add(tag, role, name, (tag.end, tag.end, True), index + 1, index + 1)
            return index + 1
        if role == "reasoning":
            end, closed = self._reasoning_end(index, tag)
            if self._is_begun_in_vain(index, tag, closed):
                self._stray(tag.start)
                self.gap = tag.end
                return index + 1
        else:
            if name is None and not self._is_meant(index, tag):
                return index + 1
            end, closed = self._body_end(index, tag)
        after = bisect_left(self.tags, end, key=lambda other: other.start)
        self._add(tag, role, name, (tag.end, end, closed), index + 1, after)
        return after + 1 if closed else after

    def _is_meant(self, index: int, tag: Tag) -> bool:
        """Whether a nameless call or output is one: it is closed before the next of its kind opens."""
        close = _after(self.closes[tag.name], index)
        following = _after(self.opens[tag.name], index)
        return close is not None and (following is None or close < following)

    def _add(
        self, tag: Tag, role: Role, name: str | None, body: tuple[int, int, bool], first: int, after: int
    ) -> None:
        start, stop, closed = body
        end = self.tags[after].end if closed and tag.shape == "open" else stop
        cut = not closed and stop >= len(self.text)
        if cut:
            self.found.cut = True
            half = _TAIL.search(self.text, max(start, stop - 42))
            if half and f"</{tag.name}>".startswith(half[0]):
                stop = half.start()
        self._stray(tag.start)
        self._oddities(tag)
        attributes = self._without_name(tag, role)
        inner = tuple(self.tags[first:after])
        leaf = Leaf(role, tag.name, name, attributes, tag.start, end, start, stop, closed, cut, inner)
        self.found.leaves.append(leaf)
        if not closed:
            self._quirk("unclosed", tag, "cut" if cut else "")
        if role != "reasoning" and name is None:
            self._quirk("no-name", tag)
        self.gap = end

    def _reasoning_end(self, index: int, tag: Tag) -> tuple[int, bool]:
        close = _after(self.closes[tag.name], index)
        container = _after(self.ends, index)
        following = _after(self.opens[tag.name], index)
        if close is not None and (container is None or close < container):
            return self.tags[close].start, True
        if close is not None and (following is None or close < following):
            self._quirk("container-close-inside", self.tags[container or 0])
            return self.tags[close].start, True
        if container is not None:
            return self.tags[container].start, False
        crossed = self._crossed(index)
        if crossed is not None:
            self._quirk("crossed", tag, self.tags[crossed].name)
            return self.tags[crossed].start, True
        return len(self.text), False

    def _is_begun_in_vain(self, index: int, tag: Tag, closed: bool) -> bool:
        """Whether reasoning is opened and the model opens the next element at once, instead of going on.

        That is what comes of a prefill that the model does not continue but repeats or passes over.
        """
        following = self.tags[index + 1] if index + 1 < len(self.tags) else None
        if following is None or following.shape != "open" or self.text[tag.end : following.start].strip():
            return False
        if self.roles[following.name] == "reasoning" or not closed:
            self._quirk("opened-in-vain", tag)
            return True
        return False

    def _crossed(self, index: int) -> int | None:
        """The next closing tag of another reasoning name that nothing of its own opens."""
        following = [
            close
            for name, role in self.roles.items()
            if role == "reasoning" and (close := _after(self.closes[name], index)) is not None
        ]
        return min(following, default=None)

    def _body_end(self, index: int, tag: Tag) -> tuple[int, bool]:
        matched = self.match.get(index)
        if matched is None and self._name(tag) is None:
            matched = _after(self.closes[tag.name], index)
        naive = self.tags[matched].start if matched is not None else None
        body = _BODY.match(self.text, tag.end)
        if body and (by_value := self._value_end(index, tag, body.end(), naive)) is not None:
            return by_value
        if naive is not None:
            return naive, True
        ends = [
            self.tags[i].start
            for i in (_after(self.ends, index), self._next_named(index, tag))
            if i is not None
        ]
        return min(ends, default=len(self.text)), False

    def _value_end(self, index: int, tag: Tag, start: int, naive: int | None) -> tuple[int, bool] | None:
        """Where a JSON body ends when its strings hold tags, or when its closing tag is missing."""
        if naive is not None and "</" not in self.text[start:naive] and self._ends_with(start, naive):
            return None
        if self.budget <= 0:
            return None
        end = value_end(self.text, start)
        if end is None:
            self.budget -= len(self.text) - start
            return None
        self.budget -= end - start
        if naive is not None and end <= naive:
            return None
        after = _AFTER_VALUE.match(self.text, end)
        rest = after.end() if after else end
        following = bisect_left(self.tags, rest, key=lambda other: other.start)
        if following < len(self.tags) and self.tags[following].start == rest:
            closing = self.tags[following]
            if closing.name == tag.name and closing.shape == "close":
                if naive is not None:
                    self._quirk("close-in-value", tag)
                return rest, True
            return rest, False
        return None

    def _ends_with(self, start: int, naive: int) -> bool:
        """Whether a body looks whole: brackets at both ends."""
        body = self.text[start:naive].rstrip()
        return body.endswith(("}", "]", "```", "]]>"))

    def _next_named(self, index: int, tag: Tag) -> int | None:
        return _after(self.named[tag.name], index)

    def _name(self, tag: Tag) -> str | None:
        if not self.names:
            return tag.name
        for name in self.names:
            if name in tag.attributes:
                return tag.attributes[name]
        return None

    def _without_name(self, tag: Tag, role: Role) -> Mapping[str, str]:
        taken = next((name for name in self.names if name in tag.attributes), None)
        if role == "reasoning" or taken is None:
            return tag.attributes
        return {key: value for key, value in tag.attributes.items() if key != taken}

    def _is_commented(self, tag: Tag) -> bool:
        """Whether a tag stands in a comment that begins in the text since the last element."""
        begin = max(self.gap, self.comment_end, self.looked)
        while tag.start >= self.comment_end and self.comments:
            opening = self.text.find("<!--", begin, tag.start)
            if opening < 0:
                self.looked = max(begin, tag.start - 3)
                return False
            close = self.text.find("-->", opening + 4)
            if close < 0:
                self.comments = False
                return False
            self.comment_end = begin = close + 3
        return tag.start < self.comment_end

    def _oddities(self, tag: Tag) -> None:
        for name in tag.quirks:
            self._quirk(name, tag)

    def _quirk(self, name: str, tag: Tag, text: str = "") -> None:
        self.found.quirks.append(Quirk(name, tag.start, tag.end, tag.name, text))

    def _stray(self, end: int) -> None:
        if self.gap < end and not self.text[self.gap : end].isspace():
            self.found.stray.append((self.gap, end))

    def _tail(self) -> None:
        self._stray(len(self.text))
        if self.gap < len(self.text) and _TAIL.search(self.text, max(self.gap, len(self.text) - 42)):
            self.found.cut = True


def _after(indexes: list[int], index: int) -> int | None:
    """The first of sorted indexes that lies behind one."""
    at = bisect_left(indexes, index + 1)
    return indexes[at] if at < len(indexes) else None
