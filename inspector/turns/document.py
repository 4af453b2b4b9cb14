"""A reading as a compact document of JSON values, and back.

The document is stored compressed against the one of the turn before, so it is written to stay the same
where the prompt stays the same: lengths and distances instead of offsets, places relative to the section
they are in, stretches of the response as offsets into its text, arguments left out where they are what
their own text says. ``from_document(to_document(reading)) == reading`` for every reading whose free
values (schemas, arguments, data) are JSON.
"""

from collections.abc import Mapping
from typing import Any

from inspector.turns.document_response import read_response, write_response
from inspector.turns.document_sections import read_sections, write_sections
from inspector.turns.turn import (
    KINDS,
    SEVERITIES,
    Break,
    CacheMark,
    Contract,
    Finding,
    IfAllMoved,
    IfMoved,
    MessageFacts,
    Offer,
    Place,
    Prefix,
    Reading,
    Section,
    SectionCounts,
    SincePrevious,
    Source,
)

PARTS = ("prompt", "response", "turn")
Sections = Mapping[str, Section]


def to_document(reading: Reading) -> dict[str, Any]:
    """The reading as JSON values. Sections come first: who wants no more need not read on."""
    sections = {section.path: section for section in reading.sections}
    return {
        "s": write_sections(reading.sections),
        "v": reading.read_with,
        "d": [reading.dialect, reading.layout],
        "a": [_offer(offer, sections) for offer in reading.contract.actions],
        "o": [_offer(offer, sections) for offer in reading.contract.outputs],
        "m": _messages(reading.messages),
        "n": [reading.chars, reading.bytes, reading.lines, reading.tokens],
        "f": [_finding(finding, sections) for finding in reading.findings],
        "p": _since(reading.since_previous),
        "r": write_response(reading.response),
    }


def from_document(document: Mapping[str, Any]) -> Reading:
    """The reading that a document was written from."""
    sections = read_sections(document["s"])
    by_path = {section.path: section for section in sections}
    dialect, layout = document["d"]
    chars, size, lines, tokens = document["n"]
    return Reading(
        dialect=dialect,
        layout=layout,
        chars=chars,
        bytes=size,
        lines=lines,
        tokens=tokens,
        messages=_read_messages(document["m"]),
        sections=sections,
        contract=Contract(
            tuple(_read_offer(offer, by_path) for offer in document["a"]),
            tuple(_read_offer(offer, by_path) for offer in document["o"]),
        ),
        response=read_response(document["r"]),
        findings=tuple(_read_finding(finding, by_path) for finding in document["f"]),
        since_previous=_read_since(document["p"]),
        read_with=document["v"],
    )


# ---------------------------------------------------------------- messages


def _messages(messages: tuple[MessageFacts, ...]) -> list[Any]:
    rows = []
    line = 1
    for facts in messages:
        rows.append([facts.role, facts.name, facts.chars, facts.tokens, facts.line - line])
        line = facts.line
    return rows


def _read_messages(rows: list[Any]) -> tuple[MessageFacts, ...]:
    messages = []
    line = 1
    for role, name, chars, tokens, step in rows:
        line += step
        messages.append(MessageFacts(role, name, chars, tokens, line))
    return tuple(messages)


# ---------------------------------------------------------------- offers and findings


def _origin(path: str | None, message: int | None, sections: Sections) -> tuple[int, int]:
    """Offset and line that places inside a section are relative to."""
    section = sections.get(path) if path is not None else None
    return (section.start, section.line) if section is not None and section.message == message else (0, 0)


def _offer(offer: Offer, sections: Sections) -> list[Any]:
    source: list[int] | None = None
    if isinstance(offer.source, Source):
        origin, _ = _origin(offer.section, offer.source.message, sections)
        source = [offer.source.message, offer.source.start - origin, offer.source.end - offer.source.start]
    return [
        *(offer.name, offer.description, offer.schema, source, offer.section, offer.required),
        *(offer.attributes_schema, offer.rebuilt, offer.call_format),
    ]


def _read_offer(row: list[Any], sections: Sections) -> Offer:
    name, description, schema, place, section, required, attributes_schema, rebuilt, call_format = row
    source: Any = "tools"
    if place is not None:
        start = _origin(section, place[0], sections)[0] + place[1]
        source = Source(place[0], start, start + place[2])
    return Offer(
        name, description, schema, source, section, required, attributes_schema, rebuilt, call_format
    )


def _minus(value: int | None, origin: int) -> int | None:
    return None if value is None else value - origin


def _finding(finding: Finding, sections: Sections) -> list[Any]:
    where = finding.where
    offset, line = _origin(where.section, where.message, sections) if where.part == "prompt" else (0, 0)
    place = [
        *(PARTS.index(where.part), where.message, where.section),
        *(_minus(where.start, offset), _minus(where.end, offset), _minus(where.line, line), where.column),
    ]
    row = [finding.rule, SEVERITIES.index(finding.severity), finding.message, finding.hint, place]
    return [*row, dict(finding.data)] if finding.data else row


def _read_finding(row: list[Any], sections: Sections) -> Finding:
    rule, severity, message, hint, place, *data = row
    part, index, path, start, end, line, column = place
    offset, first = _origin(path, index, sections) if part == 0 else (0, 0)
    where = Place(
        PARTS[part],  # type: ignore[arg-type]
        index,
        path,
        _minus(start, -offset),
        _minus(end, -offset),
        _minus(line, -first),
        column,
    )
    return Finding(rule, SEVERITIES[severity], message, where, hint, data[0] if data else {})


# ---------------------------------------------------------------- since the previous turn


def _since(since: SincePrevious | None) -> list[Any] | None:
    if since is None:
        return None
    counts = since.sections
    return [
        *(
            since.turn,
            since.tokens,
            [counts.added, counts.removed, counts.changed, counts.moved, counts.same],
        ),
        *(
            list(since.changed_paths),
            [KINDS.index(kind) for kind in since.changed_kinds],
            _prefix(since.prefix),
        ),
    ]


def _read_since(row: list[Any] | None) -> SincePrevious | None:
    if row is None:
        return None
    turn, tokens, counts, paths, kinds, prefix = row
    return SincePrevious(
        turn=turn,
        tokens=tokens,
        sections=SectionCounts(*counts),
        prefix=_read_prefix(prefix),
        changed_paths=tuple(paths),
        changed_kinds=tuple(KINDS[kind] for kind in kinds),
    )


def _prefix(prefix: Prefix) -> list[Any]:
    broken, moved = prefix.broken_at, prefix.if_moved
    everything, marks = prefix.if_all_moved, prefix.breakpoints
    return [
        *(prefix.shared_tokens, prefix.shared_chars, prefix.tokens, prefix.ratio),
        *(prefix.rebilled_tokens, prefix.reported_cached_tokens),
        broken
        and [
            broken.section,
            broken.message,
            broken.line,
            broken.column,
            broken.old,
            broken.new,
            broken.cause,
        ],
        moved and [moved.section, moved.shared_tokens],
        *([_all_moved(everything), [_mark(mark) for mark in marks]] if everything or marks else ()),
    ]


def _all_moved(everything: IfAllMoved | None) -> list[Any] | None:
    return [list(everything.sections), everything.shared_tokens] if everything else None


def _mark(mark: CacheMark) -> list[Any]:
    return [mark.message, mark.line, mark.tokens, mark.lifetime, mark.state, mark.read_tokens]


def _read_prefix(row: list[Any]) -> Prefix:
    shared_tokens, shared_chars, tokens, ratio, rebilled, reported, broken, moved, *more = row
    everything, marks = more or (None, ())
    return Prefix(
        shared_tokens=shared_tokens,
        shared_chars=shared_chars,
        tokens=tokens,
        ratio=ratio,
        broken_at=Break(*broken) if broken else None,
        rebilled_tokens=rebilled,
        reported_cached_tokens=reported,
        if_moved=IfMoved(*moved) if moved else None,
        if_all_moved=IfAllMoved(tuple(everything[0]), everything[1]) if everything else None,
        breakpoints=tuple(CacheMark(*mark) for mark in marks),
    )
