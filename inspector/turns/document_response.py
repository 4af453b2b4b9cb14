"""The response's part of a reading's document: its text once, everything in it as offsets."""

import json
from collections.abc import Mapping
from typing import Any

from inspector.turns.errors import NotATurn
from inspector.turns.payload import parse_value
from inspector.turns.turn import Call, Output, Reference, Response, Result, Span

FROM_RAW = 1
"""In place of a value: what the item's own text says when read as JSON."""


def write_response(response: Response | None) -> list[Any] | None:
    """A response as JSON values."""
    if response is None:
        return None
    text = response.text
    return [
        *(response.syntax, response.complete, response.tokens, response.prefill_chars),
        [_span(span, text) for span in response.reasoning],
        [_call(call, text) for call in response.calls],
        [_output(output, text) for output in response.outputs],
        [_reference(reference) for reference in response.references],
        [_span(span, text) for span in response.stray],
        text,
    ]


def read_response(row: list[Any] | None) -> Response | None:
    """The response that ``write_response`` wrote."""
    if row is None:
        return None
    syntax, complete, tokens, prefill_chars, reasoning, calls, outputs, references, stray, text = row
    return Response(
        syntax=syntax,
        complete=complete,
        text=text,
        tokens=tokens,
        prefill_chars=prefill_chars,
        reasoning=tuple(_read_span(span, text) for span in reasoning),
        calls=tuple(_read_call(call, text) for call in calls),
        outputs=tuple(_read_output(output, text) for output in outputs),
        references=tuple(Reference(*reference) for reference in references),
        stray=tuple(_read_span(span, text) for span in stray),
    )


def result_row(result: Result | None) -> list[Any] | None:
    """A call's result as JSON values; also used for results that are kept beside the document."""
    if result is None:
        return None
    return [result.turn, result.seq, result.section, result.line, result.value, result.error]


def result_of(row: list[Any] | None) -> Result | None:
    """The result that ``result_row`` wrote."""
    return None if row is None else Result(*row)


def _sliced(part: str, start: int | None, text: str) -> bool:
    return start is not None and start >= 0 and text[start : start + len(part)] == part


def _span(span: Span, text: str) -> list[Any]:
    if span.start is not None and span.end is not None and _is_stretch(span, text):
        return [span.start, span.end]
    return [span.start, span.end, span.text]


def _is_stretch(span: Span, text: str) -> bool:
    start, end = span.start or 0, span.end or 0
    return 0 <= start <= end and text[start:end] == span.text


def _read_span(row: list[Any], text: str) -> Span:
    start, end, *own = row
    return Span(own[0] if own else text[start:end], start, end)


def _raw(raw: str, start: int | None, text: str) -> list[Any]:
    return [start, len(raw)] if _sliced(raw, start, text) else [start, raw]


def _read_raw(row: list[Any], text: str) -> tuple[str, int | None]:
    start, rest = row
    return (rest, start) if isinstance(rest, str) else (text[start : start + rest], start)


def _value(value: Any, raw: str) -> Any:
    """``[value]``, or FROM_RAW where reading the text as JSON gives exactly the value."""
    if value is None:
        return None
    try:
        same = json.dumps(parse_value(raw)) == json.dumps(value)
    except NotATurn:
        same = False
    return FROM_RAW if same else [value]


def _read_value(row: Any, raw: str) -> Any:
    if row is None:
        return None
    return parse_value(raw) if row == FROM_RAW else row[0]


def _place(start: int | None, end: int | None, attributes: Mapping[str, str]) -> list[Any]:
    return [start, end, dict(attributes)] if attributes else [start, end]


def _read_place(row: list[Any]) -> tuple[int | None, int | None, Mapping[str, str]]:
    start, end, *attributes = row
    return start, end, attributes[0] if attributes else {}


def _call(call: Call, text: str) -> list[Any]:
    row = [
        *(call.index, call.id, call.name, call.json, call.status),
        _place(call.start, call.end, call.attributes),
        _raw(call.raw, call.raw_start, text),
        _value(call.arguments, call.raw),
    ]
    if call.mended or call.result:
        row += [list(call.mended), result_row(call.result)]
    return row


def _read_call(row: list[Any], text: str) -> Call:
    index, identity, name, state, status, place, raw_row, value, *more = row
    start, end, attributes = _read_place(place)
    raw, raw_start = _read_raw(raw_row, text)
    mended, result = more or ((), None)
    return Call(
        index=index,
        id=identity,
        name=name,
        attributes=attributes,
        arguments=_read_value(value, raw),
        raw=raw,
        json=state,
        status=status,
        start=start,
        end=end,
        raw_start=raw_start,
        result=result_of(result),
        mended=tuple(mended),
    )


def _output(output: Output, text: str) -> list[Any]:
    return [
        *(output.index, output.name, output.status),
        _place(output.start, output.end, output.attributes),
        _raw(output.raw, output.raw_start, text),
        _value(output.data, output.raw),
    ]


def _read_output(row: list[Any], text: str) -> Output:
    index, name, status, place, raw_row, value = row
    start, end, attributes = _read_place(place)
    raw, raw_start = _read_raw(raw_row, text)
    return Output(index, name, attributes, _read_value(value, raw), raw, status, start, end, raw_start)


def _reference(reference: Reference) -> list[Any]:
    return [
        *(reference.expression, reference.where, reference.index, reference.call, reference.path),
        *(reference.status, reference.value, reference.start, reference.end),
    ]
