"""What the tabs Offered and Metadata of a turn show."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.safestring import SafeString

from inspector.turns.turn import Offer, ReadTurn
from inspector.web.arguments import as_text, properties, type_words
from inspector.web.highlight import JSON, Span, highlighted
from inspector.web.markup import block

BLOCK = 30_000
"""Code points of one block of metadata."""
BLOCK_NODES = 700


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
    text = pretty(value)
    lines: list[list[Span]] = []
    room, letters = BLOCK_NODES, 0
    for line in highlighted(text[:BLOCK], JSON):
        room -= sum(1 for span in line if span.css)
        if room < 0 and lines:
            break
        lines.append(line)
        letters += 1 + sum(len(span.text) for span in line)
    return Block(title, block(lines), max(0, len(text) - letters + 1))


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
