"""What the pages of a turn show: for members and for visitors of a share alike."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.utils.safestring import SafeString

from inspector.turns.turn import Message, MessageFacts, NativeCall, Turn
from inspector.web.figures.matrix import in_words, matrix
from inspector.web.figures.strip import Strip, strip, weights
from inspector.web.highlight import JSON, highlighted
from inspector.web.kinds import in_order
from inspector.web.laid_out import laid_out
from inspector.web.links import Links
from inspector.web.markup import block
from inspector.web.titles import titles
from inspector.web.turn.outline import outline
from inspector.web.turn.panels import NODES, ROW_NODES, WINDOW, Panel, PromptView, panels, window_of
from inspector.web.turn.replies import Reply, ReplyView
from inspector.web.turn.ways import Ways

CALLS = 8
"""Native calls shown under one message."""
CALL_KIND = re.compile("call|tool.?use", re.IGNORECASE)
"""What providers name a part that is a call: ``tool_use``, ``functionCall`` …"""
CALL_LETTERS = 2_000
"""Code points of a call's arguments on the page."""
SHORT_CALL = 240
"""Code points of arguments that are shown unasked."""


@dataclass(frozen=True, slots=True)
class NativeCallCard:
    """A call that an earlier message of the prompt carries."""

    name: str
    id: str | None
    code: SafeString
    chars: int
    """Of its arguments."""
    left: int
    """How many of them are not shown."""

    @property
    def open(self) -> bool:
        """Short enough to be read in passing."""
        return self.chars <= SHORT_CALL


@dataclass(frozen=True, slots=True)
class Group:
    """One message of the prompt with the panels of this page."""

    title: str
    number: int
    """Of its message, counted from 1."""
    facts: MessageFacts
    panels: list[Panel]
    calls: list[NativeCallCard]
    parts: list[str]

    @property
    def empty(self) -> bool:
        """Nothing at all was in it."""
        return not (self.panels or self.calls or self.parts)

    @property
    def is_one(self) -> bool:
        """One panel says all of it: it needs no heading that is seen."""
        return len(self.panels) == 1 and not (self.calls or self.parts)


@dataclass(frozen=True, slots=True)
class Pages:
    """Where this page of sections stands among all."""

    first: int
    last: int
    total: int
    before: int | None
    after: int | None


def pages_of(start: int, total: int) -> Pages | None:
    """None when everything fits on one page."""
    if total <= WINDOW:
        return None
    end = min(start + WINDOW, total)
    return Pages(
        start + 1, end, total, max(0, start - WINDOW) if start else None, end if end < total else None
    )


def groups_of(view: PromptView, shown: Sequence[Panel], start: int) -> list[Group]:
    """The page's panels by message; a message without text stands where it stood."""
    turn, reading = view.turn, view.reading
    by_message: dict[int, list[Panel]] = {}
    for panel in shown:
        by_message.setdefault(reading.sections[panel.index].message, []).append(panel)
    if not reading.messages:
        return []
    low = min(by_message, default=0) if start else 0
    high = max(by_message, default=0)
    if start + WINDOW >= len(view.tops):
        high = len(reading.messages) - 1
    names = titles(turn)
    return [
        Group(
            names[index] if index < len(names) else f"Message {index + 1}",
            index + 1,
            reading.messages[index],
            by_message.get(index, []),
            native_calls(view, index),
            opaque(turn.messages[index])[:10],
        )
        for index in range(low, min(high, low + 3 * WINDOW) + 1)
    ]


def opaque(message: Message) -> list[str]:
    """What of a message has no text to show; its calls have cards of their own."""
    kinds = [part.kind for part in message.parts if part.value is not None and part.start == part.end]
    return [kind for kind in kinds if not (message.calls and CALL_KIND.search(kind))]


def native_calls(view: PromptView, index: int) -> list[NativeCallCard]:
    """Calls that a message carries beside its text."""
    return [native_call(call, view.pretty) for call in view.turn.messages[index].calls[:CALLS]]


def native_call(call: NativeCall, pretty: bool) -> NativeCallCard:
    """One of them, as much of it as a page holds."""
    shown = call.arguments[:CALL_LETTERS]
    lines = highlighted(laid_out(shown) if pretty else shown, JSON)
    left = len(call.arguments) - len(shown)
    return NativeCallCard(call.name, call.id, block(lines), len(call.arguments), left)


def strip_of(view: PromptView) -> Strip | None:
    """The bar of the head."""
    if not view.tops:
        return None
    since = view.reading.since_previous
    return strip(
        weights(view.reading.sections, view.slugs),
        since.prefix.shared_tokens if since else None,
        view.reading.tokens,
    )


def reply_nodes(reply: Reply) -> int:
    """A guess at the elements of the response column."""
    cards = [*reply.calls, *reply.outputs]
    rows = sum(len(card.arguments) for card in cards)
    return (
        60 + 9 * len(reply.findings) + 18 * len(cards) + 9 * rows + 6 * reply.lines.count('class="code__line')
    )


def sections_context(
    view: PromptView, links: Links, ways: Ways, *, start: int, marked: int | None
) -> dict[str, Any]:
    """The main tab: outline, panels, response."""
    view = replace(view, pretty=ways.pretty)
    if marked is not None:
        start = window_of(view, marked)
    start = min(start - start % WINDOW, max(0, len(view.tops) - 1) // WINDOW * WINDOW)
    reply = ReplyView(view.reading, links, view.turn).reply()
    rows = outline(view, start)
    count = sum(1 + len(row.children) for row in rows)
    shown = panels(view, start, marked, ways.open, NODES - reply_nodes(reply) - ROW_NODES * count)
    filled = {panel.index for panel in shown if panel.code is not None and panel.next_line is None}
    since = view.reading.since_previous
    slots = matrix(in_order(s.kind for s in view.reading.sections), since.changed_kinds) if since else ()
    return {
        "outline": outline(view, start, filled),
        "groups": groups_of(view, shown, start),
        "pages": pages_of(start, len(view.tops)),
        "sections_total": len(view.tops),
        "ways": ways,
        "reply": reply,
        "slots": slots,
        "delta": since.tokens if since else 0,
        "words": in_words(slots),
        "prefill": view.turn.prefill if shown_apart(view.turn) else "",
    }


def shown_apart(turn: Turn) -> bool:
    """A posted prefill is not one of the messages; one that is the last message is already shown."""
    last = turn.messages[-1] if turn.messages else None
    return bool(turn.prefill) and not (last and last.role == "assistant" and last.text == turn.prefill)
