"""Line numbers over a whole prompt: each message starts on a new line.

A line ends at ``\\n`` and nowhere else, so a text has one line more than it has line feeds and every
offset, the end included, has a line. An empty message takes up one line.
"""

from bisect import bisect_right
from collections.abc import Sequence
from itertools import accumulate, count
from operator import add

from inspector.turns.turn import Message

FEW = 8
"""Places of a prompt that are counted one by one; for more, all line feeds are looked up at once."""


class Lines:
    """Lines and columns (both from 1) of places in the messages of a prompt."""

    def __init__(self, messages: Sequence[Message]) -> None:
        self._texts = [message.text for message in messages]
        self._ends: dict[int, list[int]] = {}
        self._asked = 0
        self.firsts: list[int] = []
        """First line of each message."""
        line = 1
        for text in self._texts:
            self.firsts.append(line)
            line += text.count("\n") + 1
        self.total = line - 1
        """How many lines the prompt has."""

    def place(self, message: int, offset: int) -> tuple[int, int]:
        """Line and column of an offset into a message's text."""
        self._asked += 1
        if self._asked <= FEW:
            text = self._texts[message]
            return self.line(message, offset), offset - text.rfind("\n", 0, max(offset, 0))
        ends = self._line_feeds(message)
        before = bisect_right(ends, offset - 1)
        start = ends[before - 1] + 1 if before else 0
        return self.firsts[message] + before, offset - start + 1

    def line(self, message: int, offset: int) -> int:
        """Line of an offset into a message's text."""
        self._asked += 1
        if self._asked <= FEW:
            return self.firsts[message] + self._texts[message].count("\n", 0, max(offset, 0))
        return self.firsts[message] + bisect_right(self._line_feeds(message), offset - 1)

    def _line_feeds(self, message: int) -> list[int]:
        if message not in self._ends:
            self._ends[message] = _line_feeds(self._texts[message])
        return self._ends[message]


def _line_feeds(text: str) -> list[int]:
    """Offsets of all line feeds. Splitting and summing lengths is many times as fast as looking for each."""
    return list(map(add, accumulate(map(len, text.split("\n"))), count()))[:-1]
