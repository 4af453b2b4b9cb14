"""Cache breakpoints as a page tells of them: where each stands, and what it found in the cache."""

from collections.abc import Sequence
from dataclasses import dataclass

from inspector.turns.turn import CacheMark, Prefix

AT_MOST = 4
"""Breakpoints that Anthropic takes in one request."""
LOOKS = {"hit": ("ok", "hit"), "partly": ("info", "partly hit"), "missed": ("err", "missed")}


@dataclass(frozen=True, slots=True)
class MarkRow:
    """One breakpoint."""

    where: str
    line: int | None
    tokens: int
    css: str
    word: str
    why: str
    lifetime: str


def mark_rows(prefix: Prefix) -> list[MarkRow]:
    """The breakpoints of the newer prompt, in order."""
    return [row_of(mark, prefix) for mark in prefix.breakpoints]


def row_of(mark: CacheMark, prefix: Prefix) -> MarkRow:
    """One of them in words."""
    css, word = LOOKS[mark.state]
    where = "behind the tools" if mark.message is None else f"line {mark.line}"
    return MarkRow(where, mark.line, mark.tokens, css, word, why_of(mark, prefix), mark.lifetime)


def why_of(mark: CacheMark, prefix: Prefix) -> str:
    """What became of it, as a person would say it."""
    is_behind = prefix.broken_at is not None and (
        mark.tokens > prefix.shared_tokens
        or prefix.broken_at.message is None
        or (mark.line or 0) > prefix.broken_at.line
    )
    if mark.state == "hit":
        return "the turn before kept the prompt up to here"
    if mark.state == "partly":
        rest = "the first difference lies between" if is_behind else "the rest is new"
        return f"read up to the breakpoint at {mark.read_tokens:,} tokens; {rest}"
    if is_behind:
        return "the first difference stands before it"
    return "the turn before kept nothing up to here"


def marks_note(prefix: Prefix) -> str:
    """What is wrong with their number; empty when nothing is."""
    if len(prefix.breakpoints) <= AT_MOST:
        return ""
    return f"Anthropic takes at most {AT_MOST} breakpoints in one request and refuses more."


def counted_marks(marks: Sequence[CacheMark]) -> str:
    """``2 of 3 breakpoints hit``; empty without any."""
    if not marks:
        return ""
    hit = sum(mark.state == "hit" for mark in marks)
    return f"{hit} of {len(marks)} {'breakpoint' if len(marks) == 1 else 'breakpoints'} hit"
