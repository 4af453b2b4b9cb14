"""Covering every text in a turn and in its reading, field by field."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from inspector.sharing.masking import Masker
from inspector.turns.sections import digest
from inspector.turns.turn import (
    Call,
    ErrorInfo,
    Finding,
    Message,
    NativeCall,
    Offer,
    Output,
    Part,
    PostedResult,
    Prefix,
    Reading,
    ReadTurn,
    Reference,
    Response,
    ResponseBody,
    Section,
    Span,
    Tool,
    Turn,
)


def texts_of(read: ReadTurn) -> Iterator[str]:
    """The texts in which what is to be covered is looked for."""
    yield from (message.text for message in read.turn.messages)
    for message in read.turn.messages:
        yield from (call.arguments for call in message.calls)
    if read.reading.response is not None:
        yield read.reading.response.text
        yield from (call.raw for call in read.reading.response.calls)
    elif read.turn.response is not None:
        yield read.turn.response.text
    yield "\n".join(_pairs(read.turn))


def _pairs(turn: Turn) -> Iterator[str]:
    """Every text beside the messages with its name: a password is often told by nothing else."""
    posted = [value for result in turn.results for value in (result.value, result.error)]
    waiting: list[Any] = [turn.tags, turn.metadata, turn.extra, *posted]
    while waiting:
        holder = waiting.pop()
        if isinstance(holder, Mapping):
            yield from (f'{name}: "{value}"' for name, value in holder.items() if isinstance(value, str))
            waiting.extend(holder.values())
        elif isinstance(holder, list | tuple):
            waiting.extend(holder)


def cover_turn(turn: Turn, masker: Masker) -> Turn:
    """The turn with every text covered; ids, times and numbers stay."""
    return replace(
        turn,
        messages=tuple(_message(message, masker) for message in turn.messages),
        response=_body(turn.response, masker) if turn.response else None,
        prefill=masker.text(turn.prefill),
        tools=tuple(_tool(tool, masker) for tool in turn.tools),
        session=masker.maybe(turn.session),
        agent=masker.maybe(turn.agent),
        parent=masker.maybe(turn.parent),
        model=masker.maybe(turn.model),
        provider=masker.maybe(turn.provider),
        finish_reason=masker.maybe(turn.finish_reason),
        error=_error(turn.error, masker) if turn.error else None,
        results=tuple(_posted(result, masker) for result in turn.results),
        tags=masker.names(turn.tags),
        metadata=masker.value(turn.metadata),
        extra=masker.value(turn.extra),
        notes=tuple(map(masker.derived, turn.notes)),
    )


def cover_reading(turn: Turn, reading: Reading, masker: Masker) -> Reading:
    """The reading of ``turn`` (as it was before covering) with every text covered. Offsets stay true."""
    contract = reading.contract
    since = reading.since_previous
    if since is not None:
        paths = tuple(map(masker.derived, since.changed_paths))
        since = replace(since, prefix=_prefix(since.prefix, masker), changed_paths=paths)
    return replace(
        reading,
        messages=tuple(
            replace(facts, role=masker.derived(facts.role), name=masker.maybe(facts.name))
            for facts in reading.messages
        ),
        sections=_sections(turn, reading.sections, masker),
        contract=replace(
            contract,
            actions=tuple(_offer(offer, masker) for offer in contract.actions),
            outputs=tuple(_offer(offer, masker) for offer in contract.outputs),
        ),
        response=_response(reading.response, masker) if reading.response else None,
        findings=tuple(_finding(finding, masker) for finding in reading.findings),
        since_previous=since,
    )


# ---------------------------------------------------------------- the turn


def _message(message: Message, masker: Masker) -> Message:
    return replace(
        message,
        role=masker.derived(message.role),
        text=masker.text(message.text),
        name=masker.maybe(message.name),
        call_id=masker.maybe(message.call_id),
        parts=tuple(_part(part, masker) for part in message.parts),
        calls=tuple(_native(call, masker) for call in message.calls),
    )


def _part(part: Part, masker: Masker) -> Part:
    return replace(part, kind=masker.derived(part.kind), value=masker.value(part.value))


def _native(call: NativeCall, masker: Masker) -> NativeCall:
    return replace(
        call,
        id=masker.maybe(call.id),
        name=masker.derived(call.name),
        arguments=masker.text(call.arguments),
    )


def _body(body: ResponseBody, masker: Masker) -> ResponseBody:
    return replace(
        body,
        text=masker.text(body.text),
        reasoning=tuple(map(masker.text, body.reasoning)),
        calls=tuple(_native(call, masker) for call in body.calls),
    )


def _tool(tool: Tool, masker: Masker) -> Tool:
    return replace(
        tool,
        name=masker.derived(tool.name),
        description=masker.maybe(tool.description),
        schema=masker.value(tool.schema),
    )


def _posted(result: PostedResult, masker: Masker) -> PostedResult:
    return replace(
        result,
        call=masker.value(result.call),
        name=masker.maybe(result.name),
        value=masker.value(result.value),
        error=masker.value(result.error),
    )


def _error(error: ErrorInfo, masker: Masker) -> ErrorInfo:
    return replace(error, type=masker.maybe(error.type), message=masker.derived(error.message))


# ---------------------------------------------------------------- the prompt, read


def _sections(turn: Turn, sections: tuple[Section, ...], masker: Masker) -> tuple[Section, ...]:
    texts = [(message.text, masker.text(message.text)) for message in turn.messages]
    return tuple(_section(section, *texts[section.message], masker) for section in sections)


def _section(section: Section, text: str, covered: str, masker: Masker) -> Section:
    shown = covered[section.start : section.end]
    return replace(
        section,
        path=masker.derived(section.path),
        title=masker.derived(section.title),
        attributes=masker.names(section.attributes),
        # A digest of what is covered would let anyone test guesses against it.
        digest=section.digest if shown == text[section.start : section.end] else digest(shown),
    )


def _offer(offer: Offer, masker: Masker) -> Offer:
    return replace(
        offer,
        name=masker.derived(offer.name),
        description=masker.maybe(offer.description),
        schema=masker.value(offer.schema),
        attributes_schema=masker.value(offer.attributes_schema),
        section=masker.maybe(offer.section),
    )


def _finding(finding: Finding, masker: Masker) -> Finding:
    return replace(
        finding,
        message=masker.derived(finding.message),
        hint=masker.maybe(finding.hint),
        where=replace(finding.where, section=masker.maybe(finding.where.section)),
        data=masker.value(finding.data),
    )


def _prefix(prefix: Prefix, masker: Masker) -> Prefix:
    broken = prefix.broken_at
    if broken is not None:
        section = masker.maybe(broken.section)
        # The excerpts begin in the middle of a text, where a secret can't be told by its beginning.
        broken = replace(broken, section=section, old=_blank(broken.old), new=_blank(broken.new))
    moved = prefix.if_moved
    moved = replace(moved, section=masker.derived(moved.section)) if moved else None
    everything = prefix.if_all_moved
    if everything is not None:
        everything = replace(everything, sections=tuple(map(masker.derived, everything.sections)))
    return replace(prefix, broken_at=broken, if_moved=moved, if_all_moved=everything)


def _blank(text: str) -> str:
    return "…" if text else ""


# ---------------------------------------------------------------- the response, read


def _response(response: Response, masker: Masker) -> Response:
    text = masker.text(response.text)
    return replace(
        response,
        text=text,
        reasoning=tuple(_span(span, text, masker) for span in response.reasoning),
        calls=tuple(_call(call, text, masker) for call in response.calls),
        outputs=tuple(_output(output, text, masker) for output in response.outputs),
        references=tuple(_reference(reference, masker) for reference in response.references),
        stray=tuple(_span(span, text, masker) for span in response.stray),
    )


def _span(span: Span, text: str, masker: Masker) -> Span:
    return replace(span, text=_taken(span.text, span.start, text, masker))


def _taken(raw: str, start: int | None, text: str, masker: Masker) -> str:
    """A stretch of the covered text if it is one; else covered by itself."""
    if start is None or start + len(raw) > len(text):
        return masker.derived(raw)
    stretch = text[start : start + len(raw)]
    covered = masker.derived(raw)
    # Only covered characters may differ: a raw text that isn't at its offset is covered by itself.
    same = all(left == right or "█" in (left, right) for left, right in zip(stretch, covered, strict=True))
    return stretch if same else covered


def _call(call: Call, text: str, masker: Masker) -> Call:
    result = call.result
    if result is not None:
        result = replace(
            result,
            section=masker.maybe(result.section),
            value=masker.value(result.value),
            error=masker.value(result.error),
        )
    return replace(
        call,
        id=masker.maybe(call.id),
        name=masker.derived(call.name),
        attributes=masker.names(call.attributes),
        arguments=masker.value(call.arguments),
        raw=_taken(call.raw, call.raw_start, text, masker),
        result=result,
        mended=tuple(map(masker.derived, call.mended)),
    )


def _output(output: Output, text: str, masker: Masker) -> Output:
    return replace(
        output,
        name=masker.derived(output.name),
        attributes=masker.names(output.attributes),
        data=masker.value(output.data),
        raw=_taken(output.raw, output.raw_start, text, masker),
    )


def _reference(reference: Reference, masker: Masker) -> Reference:
    return replace(
        reference,
        expression=masker.derived(reference.expression),
        path=masker.maybe(reference.path),
        value=masker.value(reference.value),
    )
