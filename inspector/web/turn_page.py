"""What the pages of a turn show: for members and for visitors of a share alike."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.safestring import SafeString

from inspector.turns.errors import NotATurn
from inspector.turns.payload import parse_value
from inspector.turns.turn import MessageFacts, Offer, ReadTurn, Turn
from inspector.web.arguments import as_text, properties, type_words
from inspector.web.figures.matrix import in_words, matrix
from inspector.web.figures.strip import Strip, strip, weights
from inspector.web.highlight import JSON, Span, highlighted
from inspector.web.kinds import in_order
from inspector.web.links import Links
from inspector.web.markup import block
from inspector.web.outline import outline
from inspector.web.panels import NODES, ROW_NODES, WINDOW, Panel, PromptView, panels, window_of
from inspector.web.replies import Reply, ReplyView
from inspector.web.titles import titles

CALLS = 8
"""Native calls shown under one message."""
BLOCK = 30_000
"""Code points of one block of metadata."""
BLOCK_NODES = 700
LAID_OUT = 1_000_000
"""Code points of JSON that are laid out at most."""


@dataclass(frozen=True, slots=True)
class NativeCallCard:
    """A call that an earlier message of the prompt carries."""

    name: str
    id: str | None
    code: SafeString


@dataclass(frozen=True, slots=True)
class Group:
    """One message of the prompt with the panels of this page."""

    title: str
    facts: MessageFacts
    panels: list[Panel]
    calls: list[NativeCallCard]
    parts: list[str]

    @property
    def empty(self) -> bool:
        """Nothing at all was in it."""
        return not (self.panels or self.calls or self.parts)


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
            reading.messages[index],
            by_message.get(index, []),
            native_calls(turn, index),
            [part.kind for part in turn.messages[index].parts if part.value is not None][:10],
        )
        for index in range(low, min(high, low + 3 * WINDOW) + 1)
    ]


def native_calls(turn: Turn, index: int) -> list[NativeCallCard]:
    """Calls that a message carries beside its text."""
    return [
        NativeCallCard(call.name, call.id, block(highlighted(call.arguments[:2_000], JSON)[:30]))
        for call in turn.messages[index].calls[:CALLS]
    ]


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
    view: PromptView, links: Links, *, start: int, marked: int | None, everything: bool
) -> dict[str, Any]:
    """The main tab: outline, panels, response."""
    if marked is not None:
        start = window_of(view, marked)
    start = min(start - start % WINDOW, max(0, len(view.tops) - 1) // WINDOW * WINDOW)
    reply = ReplyView(view.reading, links, view.turn).reply()
    rows = outline(view, start)
    count = sum(1 + len(row.children) for row in rows)
    shown = panels(view, start, marked, everything, NODES - reply_nodes(reply) - ROW_NODES * count)
    filled = {panel.index for panel in shown if panel.code is not None and panel.next_line is None}
    since = view.reading.since_previous
    slots = matrix(in_order(s.kind for s in view.reading.sections), since.changed_kinds) if since else ()
    return {
        "outline": outline(view, start, filled),
        "groups": groups_of(view, shown, start),
        "pages": pages_of(start, len(view.tops)),
        "sections_total": len(view.tops),
        "everything": everything,
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


@dataclass(frozen=True, slots=True)
class Offers:
    """What the prompt offers, for the metadata tab."""

    title: str
    total: int
    rows: list[dict[str, str]]

    @property
    def left(self) -> int:
        """Offers that are not listed."""
        return self.total - len(self.rows)


def offers(title: str, found: Sequence[Offer], base: str, lines: Mapping[str | None, int]) -> Offers:
    """At most 60 offers with their arguments in one line."""
    rows = [
        {
            "name": offer.name,
            "href": f"{base}?line={lines[offer.section]}#L{lines[offer.section]}"
            if offer.section in lines
            else "",
            "arguments": ", ".join(
                f"{name}: {type_words(schema)}"
                for name, schema in list(properties(offer.schema).items())[:12]
            ),
            "description": (offer.description or "")[:300],
        }
        for offer in found[:60]
    ]
    return Offers(title, len(found), rows)


@dataclass(frozen=True, slots=True)
class Block:
    """A piece of posted JSON."""

    title: str
    code: SafeString
    left: int


def json_block(title: str, value: Any) -> Block | None:
    """Posted JSON, laid out; never interpreted."""
    if value in (None, {}, []):
        return None
    return drawn_block(title, pretty(value))


def drawn_block(title: str, text: str) -> Block:
    """JSON with its colours, as much as a page holds."""
    lines: list[list[Span]] = []
    room, letters = BLOCK_NODES, 0
    for line in highlighted(text[:BLOCK], JSON):
        room -= sum(1 for span in line if span.css)
        if room < 0 and lines:
            break
        lines.append(line)
        letters += 1 + sum(len(span.text) for span in line)
    return Block(title, block(lines), max(0, len(text) - letters + 1))


def pretty_block(text: str) -> Block:
    """A text with its JSON laid out: the whole of it, or each line that is an object or a list."""
    lines = [text] if is_json(text) else text[:BLOCK].split("\n")
    return drawn_block("", "\n".join(laid_out(line) if is_json(line) else line for line in lines))


def is_json(text: str) -> bool:
    """Whether it looks like an object or a list from end to end."""
    stripped = text.strip()
    return len(text) <= LAID_OUT and stripped[:1] + stripped[-1:] in ("{}", "[]")


def laid_out(text: str) -> str:
    """Pretty JSON; what is none after all stays as it is."""
    try:
        return pretty(parse_value(text))
    except NotATurn:
        return text


def pretty(value: Any) -> str:
    """JSON over several lines, or in one when it is too deep for that."""
    try:
        return json.dumps(value, ensure_ascii=False, indent=2)
    except (TypeError, ValueError, RecursionError):
        return as_text(value)


def facts_of(read: ReadTurn, extra: Sequence[tuple[str, str]] = ()) -> list[tuple[str, str]]:
    """The turn's facts; what is not known is left out."""
    turn, reading = read.turn, read.reading
    usage = turn.usage
    found: list[tuple[str, object]] = [
        *extra,
        ("Agent", turn.agent),
        ("Model", turn.model),
        ("Provider", turn.provider),
        ("Dialect", f"{reading.dialect} {reading.layout or ''}".strip()),
        ("Wire", turn.wire),
        ("Stop reason", turn.finish_reason),
        ("Error", turn.error and f"{turn.error.type or 'error'}: {turn.error.message}"),
        ("Started", turn.started_at and turn.started_at.isoformat()),
        ("Ended", turn.ended_at and turn.ended_at.isoformat()),
        (
            "Prompt",
            f"{reading.tokens:,} tokens, {reading.chars:,} characters, {reading.lines:,} lines",
        ),
        ("Input tokens, as reported", usage and usage.input_tokens),
        ("Output tokens, as reported", usage and usage.output_tokens),
        ("Cached tokens, as reported", usage and usage.cache_read_tokens),
        ("Cache writes, as reported", usage and usage.cache_write_tokens),
        ("Reasoning tokens, as reported", usage and usage.reasoning_tokens),
        *((f"Tag {name}", value) for name, value in list(turn.tags.items())[:50]),
    ]
    return [
        (name, f"{value:,}" if isinstance(value, int) else str(value))
        for name, value in found
        if value is not None and value != ""
    ]


def metadata_context(read: ReadTurn, extra: Sequence[tuple[str, str]] = ()) -> dict[str, Any]:
    """The metadata tab."""
    blocks = [
        json_block("Metadata", read.turn.metadata),
        json_block("Other posted fields", dict(read.turn.extra)),
    ]
    return {
        "facts": facts_of(read, extra),
        "notes": read.turn.notes[:20],
        "blocks": [each for each in blocks if each],
    }


def offered_context(read: ReadTurn, base: str) -> dict[str, Any]:
    """What the model was offered."""
    contract = read.reading.contract
    lines: dict[str | None, int] = {section.path: section.line for section in read.reading.sections}
    lists = [
        offers("Actions", contract.actions, base, lines),
        offers("Outputs", contract.outputs, base, lines),
    ]
    return {"contract": lists, "offered_any": any(each.rows for each in lists)}
