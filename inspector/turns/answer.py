"""Readings and changes in the words of the HTTP API. Every value is strict JSON."""

import json
from dataclasses import fields
from datetime import datetime
from typing import Any

from inspector.turns.changes.change import Changes, ContractChange, Hunk, Line, SectionChange, Stretch
from inspector.turns.turn import (
    Call,
    Finding,
    Offer,
    Output,
    Prefix,
    Reading,
    Reference,
    Response,
    Result,
    Section,
    SectionCounts,
    SincePrevious,
    Source,
    Span,
    Turn,
    Usage,
)

OPTIONAL = ("required", "attributes_schema")
"""Fields of an offer that are left out when they are not known."""


def turn_answer(turn: Turn, reading: Reading) -> dict[str, Any]:
    """``GET /turns/{id}`` but for what only the store knows: seq, session_id, state, received_at, url."""
    return {
        "id": turn.id,
        "session": turn.session,
        "agent": turn.agent,
        "parent": turn.parent,
        "model": turn.model,
        "provider": turn.provider,
        "wire": turn.wire,
        "dialect": {"name": reading.dialect, "layout": reading.layout},
        "started_at": time_answer(turn.started_at),
        "ended_at": time_answer(turn.ended_at),
        "latency_ms": latency_ms(turn),
        "usage": _usage(turn.usage),
        "finish_reason": turn.finish_reason,
        "error": {"type": turn.error.type, "message": turn.error.message} if turn.error else None,
        "tags": dict(turn.tags),
        "metadata": turn.metadata,
        "extra": dict(turn.extra),
        "notes": list(turn.notes),
        **reading_answer(reading),
    }


def reading_answer(reading: Reading) -> dict[str, Any]:
    """The part of the answer that comes from the reading alone."""
    return {
        "prompt": {
            "chars": reading.chars,
            "bytes": reading.bytes,
            "lines": reading.lines,
            "tokens": reading.tokens,
            "messages": [_plain(facts) for facts in reading.messages],
        },
        "sections": [section_answer(section) for section in reading.sections],
        "contract": {
            "actions": [offer_answer(offer) for offer in reading.contract.actions],
            "outputs": [offer_answer(offer) for offer in reading.contract.outputs],
        },
        "response": response_answer(reading.response) if reading.response else None,
        "findings": [finding_answer(finding) for finding in reading.findings],
        "since_previous": since_answer(reading.since_previous) if reading.since_previous else None,
    }


def changes_answer(changes: Changes) -> dict[str, Any]:
    """``GET /turns/{old}/changes/{new}``."""
    return {
        "summary": {**counts_answer(changes.summary), "tokens": changes.tokens},
        "prefix": prefix_answer(changes.prefix),
        "sections": [_section_change(change) for change in changes.sections],
        "contract": [_contract_change(change) for change in changes.contract],
        "coarse": changes.coarse,
    }


def time_answer(time: datetime | None) -> str | None:
    """ISO 8601 in UTC with Z."""
    return None if time is None else time.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def latency_ms(turn: Turn) -> int | None:
    """Milliseconds from start to end; None when unknown or when the end is before the start."""
    if turn.started_at is None or turn.ended_at is None or turn.ended_at < turn.started_at:
        return None
    return round((turn.ended_at - turn.started_at).total_seconds() * 1000)


def finite(value: Any) -> Any:
    """The value with NaN and infinities as text: strict JSON has none, mended JSON may."""
    try:
        json.dumps(value, allow_nan=False)
    except ValueError:
        return json.loads(json.dumps(value), parse_constant=str)
    return value


def _plain(shape: Any) -> dict[str, Any]:
    """A shape whose fields have the API's own names and plain values."""
    return {item.name: getattr(shape, item.name) for item in fields(shape)}


def _usage(usage: Usage | None) -> dict[str, int] | None:
    return (
        None if usage is None else {name: count for name, count in _plain(usage).items() if count is not None}
    )


def section_answer(section: Section) -> dict[str, Any]:
    """One section."""
    return {**_plain(section), "chars": section.chars, "attributes": dict(section.attributes)}


def offer_answer(offer: Offer) -> dict[str, Any]:
    """One offered action or output."""
    source = _plain(offer.source) if isinstance(offer.source, Source) else offer.source
    answer = {**_plain(offer), "schema": finite(offer.schema), "source": source}
    return {name: value for name, value in answer.items() if value is not None or name not in OPTIONAL}


def response_answer(response: Response) -> dict[str, Any]:
    """The response as read."""
    return {
        "syntax": response.syntax,
        "complete": response.complete,
        "text": response.text,
        "tokens": response.tokens,
        "prefill_chars": response.prefill_chars,
        "reasoning": [span_answer(span) for span in response.reasoning],
        "calls": [call_answer(call) for call in response.calls],
        "outputs": [output_answer(output) for output in response.outputs],
        "references": [reference_answer(reference) for reference in response.references],
        "stray": [span_answer(span) for span in response.stray],
    }


def span_answer(span: Span) -> dict[str, Any]:
    """A stretch of response text."""
    return _plain(span)


def call_answer(call: Call) -> dict[str, Any]:
    """One call with its result."""
    result = result_answer(call.result) if call.result else None
    return {
        **_plain(call),
        "attributes": dict(call.attributes),
        "arguments": finite(call.arguments),
        "mended": list(call.mended),
        "result": result,
    }


def result_answer(result: Result) -> dict[str, Any]:
    """What came of a call."""
    return {**_plain(result), "value": finite(result.value), "error": finite(result.error)}


def output_answer(output: Output) -> dict[str, Any]:
    """One output."""
    return {**_plain(output), "attributes": dict(output.attributes), "data": finite(output.data)}


def reference_answer(reference: Reference) -> dict[str, Any]:
    """One template reference."""
    return {**_plain(reference), "value": finite(reference.value)}


def finding_answer(finding: Finding) -> dict[str, Any]:
    """One finding."""
    return {**_plain(finding), "where": _plain(finding.where), "data": finite(dict(finding.data))}


def since_answer(since: SincePrevious) -> dict[str, Any]:
    """What differs from the turn before."""
    return {
        "turn": since.turn,
        "tokens": since.tokens,
        "sections": counts_answer(since.sections),
        "prefix": prefix_answer(since.prefix),
        "changed_paths": list(since.changed_paths),
        "changed_kinds": list(since.changed_kinds),
    }


def counts_answer(counts: SectionCounts) -> dict[str, int]:
    """How many sections changed in which way."""
    return _plain(counts)


def prefix_answer(prefix: Prefix) -> dict[str, Any]:
    """The shared prefix; its break is called ``break``."""
    return {
        "shared_tokens": prefix.shared_tokens,
        "shared_chars": prefix.shared_chars,
        "tokens": prefix.tokens,
        "ratio": prefix.ratio,
        "break": _plain(prefix.broken_at) if prefix.broken_at else None,
        "rebilled_tokens": prefix.rebilled_tokens,
        "reported_cached_tokens": prefix.reported_cached_tokens,
        "if_moved": _plain(prefix.if_moved) if prefix.if_moved else None,
        "if_all_moved": _plain(prefix.if_all_moved) if prefix.if_all_moved else None,
        "breakpoints": [_plain(mark) for mark in prefix.breakpoints],
    }


def _section_change(change: SectionChange) -> dict[str, Any]:
    return {
        **_plain(change),
        "old": _stretch(change.old),
        "new": _stretch(change.new),
        "hunks": [_hunk(hunk) for hunk in change.hunks],
    }


def _stretch(stretch: Stretch | None) -> dict[str, Any] | None:
    return None if stretch is None else _plain(stretch)


def _hunk(hunk: Hunk) -> dict[str, Any]:
    return {
        "old_line": hunk.old_line,
        "new_line": hunk.new_line,
        "lines": [_line(line) for line in hunk.lines],
    }


def _line(line: Line) -> dict[str, Any]:
    return {**_plain(line), "words": [list(word) for word in line.words]}


def _contract_change(change: ContractChange) -> dict[str, Any]:
    return _plain(change)
