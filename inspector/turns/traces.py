"""What is left of a text in a prompt that does not hold it whole: a piece, or all with some words covered."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Literal

from inspector.turns.turn import ReadTurn
from inspector.turns.walk import Spot, shared_length
from inspector.turns.watch import Watch

LEAST = 12
"""Fewest code points of a text that tell it from others."""
PLACES = 20
"""Most places of a prompt that are looked at."""
MARKS = 1_000
LONGEST = 2_000
"""Longest text whose traces are sought."""
COVERED = re.compile(
    r"█+|\*{3,}|\[(?:redacted|masked|removed|hidden|filtered)\b[^\[\]\n]{0,40}\]"
    r"|<(?:redacted|masked|removed|hidden|filtered)\b[^<>\n]{0,40}>",
    re.IGNORECASE,
)
"""What stands in the place of words that were covered; only blocks are as long as what they cover."""
_LEFT_OUT = (
    r"[\[<(][^\[\]<>()\n]{0,60}?(?:truncated|omitted|elided|clipped|snip|cut|more)\b[^\[\]<>()\n]{0,60}[\]>)]"
)
LEFT_OUT = re.compile(_LEFT_OUT, re.IGNORECASE)
_WATCH = Watch(("truncated", "omitted", "elided", "clipped", "snip", "cut", "more"))
"""One of them is in each such mark: looking for them first is many times as fast."""
GOES_ON = re.compile(rf"\s{{0,4}}(?:\.\.\.|…|{_LEFT_OUT})", re.IGNORECASE)
"""What follows a piece of a text that was cut."""
CAME = re.compile(rf"(?:\.\.\.|…|{_LEFT_OUT})\s{{0,4}}\Z", re.IGNORECASE)
"""What stands before its other end."""
BACK = 130
AT_END = 40
"""Fewest code points of a text with which a message ends that was cut there."""


@dataclass(frozen=True, slots=True)
class Trace:
    """The best piece of a text that one prompt holds."""

    state: Literal["cut", "masked"]
    spot: Spot
    kept: int
    """Code points of the text that can be read there."""


def trace(read: ReadTurn, text: str) -> Trace | None:
    """The trace of a text that the prompt does not hold letter for letter; None when it holds none."""
    if not LEAST < len(text) <= LONGEST:
        return None
    found = [*islice(_covered(read, text), PLACES), *islice(_pieces(read, text), PLACES)]
    return max(found, key=lambda each: (each.state == "masked", each.kept), default=None)


def left_out(text: str) -> int:
    """How many marks of a text say that something was left out."""
    return sum(1 for _ in islice(LEFT_OUT.finditer(text), MARKS)) if _WATCH.seen(text) else 0


# ---------------------------------------------------------------- covered words


def _covered(read: ReadTurn, text: str) -> Iterator[Trace]:
    for index, message in enumerate(read.turn.messages):
        for match in islice(COVERED.finditer(message.text), PLACES):
            before = _overlap(message.text[max(match.start() - len(text), 0) : match.start()], text)
            behind = _overlap(text, message.text[match.end() : match.end() + len(text)])
            hidden = len(text) - before - behind
            is_so_long = "█" not in match[0] or hidden == len(match[0])
            if before + behind >= LEAST and hidden > 0 and is_so_long:
                yield Trace("masked", Spot(index, match.start() - before), before + behind)


def _overlap(left: str, right: str) -> int:
    """Length of the longest end of ``left`` that is a beginning of ``right``, in linear time."""
    joined = f"{right}\0{left}"
    fits = [0] * len(joined)
    for at in range(1, len(joined)):
        size = fits[at - 1]
        while size and joined[at] != joined[size]:
            size = fits[size - 1]
        fits[at] = size + (joined[at] == joined[size])
    return min(fits[-1], len(right))


# ---------------------------------------------------------------- pieces


def _pieces(read: ReadTurn, text: str) -> Iterator[Trace]:
    """Beginnings of the text that are cut off or at least half of it, and ends of it behind a cut."""
    for index, message in enumerate(read.turn.messages):
        for at in _places(message.text, text[:LEAST]):
            kept = shared_length(message.text, at, text, 0)
            if 2 * kept >= len(text) or _is_cut(message.text, at + kept, kept):
                yield Trace("cut", Spot(index, at), kept)
        for at in _places(message.text, text[-LEAST:]):
            kept = _shared_end(message.text[: at + LEAST][-len(text) :], text)
            start = at + LEAST - kept
            if start and CAME.search(message.text, max(start - BACK, 0), start):
                yield Trace("cut", Spot(index, start), kept)


def _places(text: str, probe: str) -> Iterator[int]:
    at = text.find(probe)
    for _ in range(PLACES):
        if at < 0:
            return
        yield at
        at = text.find(probe, at + 1)


def _is_cut(text: str, at: int, kept: int) -> bool:
    return (kept >= AT_END and at == len(text)) or GOES_ON.match(text, at) is not None


def _shared_end(left: str, right: str) -> int:
    return shared_length(left[::-1], 0, right[::-1], 0)
