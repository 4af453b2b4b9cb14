"""What a rule is, and all that a rule may look at."""

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from inspector.turns.dialects.card import Dialect, Note
from inspector.turns.lines import Lines
from inspector.turns.memo import Memo
from inspector.turns.responses.heard import Heard
from inspector.turns.turn import (
    Contract,
    Finding,
    Message,
    Place,
    ReadTurn,
    Response,
    Section,
    Severity,
    SincePrevious,
    Turn,
)

WORDS_MAX = 600
"""Longest message or hint, in code points."""
_UNSEEN = re.compile(
    "[\x00-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff\ud800-\udfff\U000e0000-\U000e007f]"
)
SHOWN_MAX = 60
"""Longest piece of content shown inside a message, in code points."""


@dataclass
class Context:
    """A turn and what has been read of it so far. Rules only look at it."""

    turn: Turn
    dialect: Dialect
    sections: Sequence[Section]
    contract: Contract
    response: Response | None
    heard: Heard | None = None
    """The response with the oddities of its reading."""
    notes: Sequence[Note] = ()
    """What the dialect saw while cutting the prompt."""
    earlier: Sequence[ReadTurn] = ()
    """The turns of the same thread before this one; only the last one is sure to have its messages."""
    memo: Memo | None = None
    since: SincePrevious | None = None
    """What differs from the last one of them."""
    cache: dict[str, Any] = field(default_factory=dict)
    """Work that several rules share."""

    @property
    def previous(self) -> ReadTurn | None:
        """The turn before in the same thread."""
        return self.earlier[-1] if self.earlier else None

    @cached_property
    def lines(self) -> Lines:
        """Line numbers over the prompt."""
        return Lines(self.turn.messages)

    @cached_property
    def _response_lines(self) -> Lines:
        return Lines((Message("assistant", self.response.text if self.response else ""),))

    @cached_property
    def _trees(self) -> dict[int, tuple[list[int], list[Section], list[int]]]:
        """For each message its sections' starts, the sections, and each one's parent's index (-1: none)."""
        trees: dict[int, tuple[list[int], list[Section], list[int]]] = {}
        opened: list[tuple[int, Section]] = []
        for section in self.sections:
            starts, sections, parents = trees.setdefault(section.message, ([], [], []))
            if not sections:
                opened = []
            while opened and opened[-1][1].depth >= section.depth:
                opened.pop()
            parents.append(opened[-1][0] if opened else -1)
            opened.append((len(sections), section))
            starts.append(section.start)
            sections.append(section)
        return trees

    def section_at(self, message: int, offset: int) -> Section | None:
        """The innermost section at a place of the prompt."""
        starts, sections, parents = self._trees.get(message, ([], [], []))
        index = bisect_right(starts, offset) - 1
        while index >= 0 and not sections[index].start <= offset < sections[index].end:
            index = parents[index]
        return sections[index] if index >= 0 else None

    def in_prompt(self, message: int, start: int, end: int) -> Place:
        """A place in the prompt."""
        section = self.section_at(message, start)
        line, column = self.lines.place(message, start)
        return Place("prompt", message, section.path if section else None, start, end, line, column)

    def in_response(self, start: int | None, end: int | None) -> Place:
        """A place in the response's text; only the part where it lies beside the text."""
        if start is None or end is None:
            return Place("response")
        line, column = self._response_lines.place(0, start)
        return Place("response", None, None, start, end, line, column)


Check = Callable[[Context], Iterable[Finding]]


@dataclass(frozen=True, slots=True)
class Rule:
    """One thing worth a person's look: a pure function of a context, with its documentation."""

    name: str
    severity: Severity
    """The usual severity; a finding may say less or more where it knows better."""
    title: str
    about: str
    """What it means, why it matters and what to do: shown on the rule's page."""
    check: Check

    def finding(
        self,
        message: str,
        where: Place,
        hint: str | None = None,
        data: Mapping[str, Any] | None = None,
        severity: Severity | None = None,
    ) -> Finding:
        """A finding of this rule. Its words hold no character that can't be seen or stored."""
        words = _clean(message)
        return Finding(
            self.name, severity or self.severity, words, where, _clean(hint) if hint else None, data or {}
        )


def _clean(words: str) -> str:
    """Words without control characters, lone surrogates and the like, cut where they are very long."""
    cut = words if len(words) <= WORDS_MAX else words[: WORDS_MAX - 1] + "…"
    return _UNSEEN.sub("\ufffd", cut)


def shown(text: str, limit: int = SHOWN_MAX) -> str:
    """A piece of content fit for a message: one line, in typographic quotes, cut where it is long."""
    line = " ".join(text[: limit * 4].split())
    return f"“{line}”" if len(line) <= limit else f"“{line[: limit - 1]}…”"
