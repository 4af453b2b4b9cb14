"""Template references in a response, such as ``{{calls[0].temperature}}``, and what they come to.

The rules are Daydreams' own as its engine follows them, not as its prompt tells them: a reference is resolved
only where it is a whole string inside a call's arguments; ``calls[n]`` counts all calls of the run, earlier
turns included; a path gives a list of matches. Outputs are never resolved, although the prompt says so.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice
from typing import Any

from inspector.turns.dialects.card import Dialect
from inspector.turns.shape import shape
from inspector.turns.turn import Call, ReadTurn, Reference, ReferenceStatus, Response, Result, Section, Turn

_REFERENCE = re.compile(r"\{\{([^{}\n]{1,300})\}\}")
_CALLS = re.compile(r"calls(?:\[(\d{1,6})\]|\.(\d{1,6}))(?![\w])(.*)", re.DOTALL)
_STEPS = re.compile(r"\.?([A-Za-z_$][\w$-]*+)|\[(\d{1,6})\]|\.(\d{1,6})|\[['\"]([^'\"\]]{1,100})['\"]\]")
SCALAR_LAYOUTS = ("0.3.0", "seed")
"""Layouts whose engine answers a path with the value itself, not with a list of matches."""
REFERENCES_MAX = 500
"""References of one response that are read."""


@shape
class _Known:
    """The calls of a run so far: those of earlier turns, then those of this response."""

    before: tuple[Call, ...]
    calls: tuple[Call, ...]
    results: dict[int, tuple[Any, Any]]
    """Posted results of this response's calls: index → value, error."""


def references_of(
    turn: Turn,
    response: Response | None,
    dialect: Dialect,
    earlier: Sequence[ReadTurn] = (),
    sections: Sequence[Section] = (),
) -> tuple[Reference, ...]:
    """All references of a response, in order. Values only where results are known."""
    if response is None or "{{" not in response.text or not dialect.references:
        return ()
    if not dialect.fact("template_engine", True):
        return ()
    known = _Known(_run_before(earlier, sections), response.calls, _posted(turn, response))
    matches = islice(_REFERENCE.finditer(response.text), REFERENCES_MAX)
    return tuple(_read(match, response, known, dialect, sections) for match in matches)


def valued(response: Response, layout: str | None) -> Response:
    """A response whose references have the values of the results that its calls got since."""
    references = tuple(_valued(reference, response, layout) for reference in response.references)
    return response if references == response.references else replace(response, references=references)


def _valued(reference: Reference, response: Response, layout: str | None) -> Reference:
    if reference.status != "resolved" or reference.call is None or reference.value is not None:
        return reference
    result = response.calls[reference.call].result
    if result is None:
        return reference
    if result.error is not None:
        return replace(reference, status="dangling")
    status, value = _walked(result.value, reference.path, as_list=layout not in SCALAR_LAYOUTS)
    return replace(reference, status=status, value=value)


def starts_run(sections: Sequence[Section]) -> bool:
    """Whether a prompt brings new input, with which a run begins; turns without are further steps of one."""
    return any(section.kind == "updates" and _last(section.path) == "input" for section in sections)


def _last(path: str) -> str:
    return re.split(r"[\[#]", path.rsplit("/", 1)[-1], maxsplit=1)[0]


def _run_before(earlier: Sequence[ReadTurn], sections: Sequence[Section]) -> tuple[Call, ...]:
    """The calls of the run's earlier turns, oldest first."""
    if starts_run(sections):
        return ()
    found: list[Call] = []
    for read in reversed(earlier):
        if read.reading.response is not None:
            found[:0] = read.reading.response.calls
        if starts_run(read.reading.sections):
            break
    return tuple(found)


def _posted(turn: Turn, response: Response) -> dict[int, tuple[Any, Any]]:
    by_id = {call.id: call.index for call in response.calls if call.id is not None}
    found: dict[int, tuple[Any, Any]] = {}
    for result in turn.results:
        index = result.call if isinstance(result.call, int) else by_id.get(result.call)
        if index is not None:
            found[index] = (result.value, result.error)
    return found


def _read(
    match: re.Match[str], response: Response, known: _Known, dialect: Dialect, sections: Sequence[Section]
) -> Reference:
    expression = match[1].strip()
    start, end = match.span()
    place, index = _where(response, start)
    reference = Reference(expression, place, index, None, None, "not-resolved-here", None, start, end)  # type: ignore[arg-type]
    pointer = _CALLS.fullmatch(expression)
    if pointer:
        number = int(pointer[1] or pointer[2])
        here = number - len(known.before)
        inside = here if 0 <= here < len(known.calls) else None
        reference = replace(reference, call=inside, path=pointer[3].removeprefix(".") or None)
    if place != "call" or index is None or not _is_whole(response.text, start, end):
        return reference
    if not pointer:
        return replace(reference, status=_memory(expression, sections))
    status, value = _resolve(number, reference.path, index, known, dialect)
    return replace(reference, status=status, value=value)


def _where(response: Response, start: int) -> tuple[str, int | None]:
    for call in response.calls:
        if call.raw_start is not None and call.raw_start <= start < call.raw_start + len(call.raw):
            return "call", call.index
    for output in response.outputs:
        if output.start is not None and output.end is not None and output.start <= start < output.end:
            return "output", output.index
    return "text", None


def _is_whole(text: str, start: int, end: int) -> bool:
    """Whether a reference is all of a JSON string or of a child tag."""
    before, after = text[max(start - 2, 0) : start], text[end : end + 1]
    return (before.endswith('"') and not before.startswith("\\") and after == '"') or (
        before.endswith(">") and after == "<"
    )


def _memory(expression: str, sections: Sequence[Section]) -> ReferenceStatus:
    """Short-term memory resolves when such a context is in the prompt; the engine knows no other key."""
    has_memory = any(section.attributes.get("type") == "shortTermMemory" for section in sections)
    return "resolved" if expression.startswith("shortTermMemory.") and has_memory else "dangling"


def _resolve(
    number: int, path: str | None, index: int, known: _Known, dialect: Dialect
) -> tuple[ReferenceStatus, Any]:
    here = number - len(known.before)
    if here == index:
        return "self", None
    if index < here < len(known.calls):
        return "forward", None
    if here >= len(known.calls):
        return "dangling", None
    result = _result(known, number)
    if result is None:
        return "resolved", None
    value, error = result
    if error is not None:
        return "dangling", None
    return _walked(value, path, as_list=dialect.layout not in SCALAR_LAYOUTS)


def _result(known: _Known, number: int) -> tuple[Any, Any] | None:
    here = number - len(known.before)
    if here >= 0 and here in known.results:
        return known.results[here]
    call = known.before[number] if here < 0 else known.calls[here]
    return (call.result.value, call.result.error) if isinstance(call.result, Result) else None


def _walked(value: Any, path: str | None, *, as_list: bool) -> tuple[ReferenceStatus, Any]:
    """The value at a path. The engine answers a path with a list of matches, the whole result without one."""
    if path is None:
        return "resolved", value
    for step in _steps(path):
        try:
            value = value[step]
        except (KeyError, IndexError, TypeError):
            return "dangling", None
    return "resolved", [value] if as_list else value


def _steps(path: str) -> Iterator[str | int]:
    for match in _STEPS.finditer(path if path.startswith("[") else f".{path}"):
        name = match[1] or match[4]
        yield name if name is not None else int(match[2] or match[3])
