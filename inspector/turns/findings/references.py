"""Rules on template references in a response."""

from collections.abc import Iterator

from inspector.turns.findings.rule import Context, Rule, shown
from inspector.turns.turn import Finding, Reference


def _of(context: Context, *statuses: str) -> list[Reference]:
    if context.response is None:
        return []
    return [reference for reference in context.response.references if reference.status in statuses]


def _data(reference: Reference) -> dict[str, object]:
    return {"expression": reference.expression, "where": reference.where, "index": reference.index}


def _dangling(context: Context) -> Iterator[Finding]:
    for reference in _of(context, "dangling", "self")[:20]:
        itself = reference.status == "self"
        why = "points at the call it stands in" if itself else "points at nothing"
        yield DANGLING.finding(
            f"{{{{{shown(reference.expression).strip('“”')}}}}} {why}.",
            context.in_response(reference.start, reference.end),
            "The framework waits for the call's own result, forever."
            if itself
            else "The braces stay. Calls are counted from 0 over the whole run, earlier turns included.",
            _data(reference),
        )


def _forward(context: Context) -> Iterator[Finding]:
    for reference in _of(context, "forward")[:20]:
        yield FORWARD.finding(
            f"{{{{{shown(reference.expression).strip('“”')}}}}} points at a call that comes later in the "
            "answer.",
            context.in_response(reference.start, reference.end),
            "Only results of calls that stand before it can be used: put that call first.",
            _data(reference),
        )


def _not_here(context: Context) -> Iterator[Finding]:
    for reference in _of(context, "not-resolved-here")[:20]:
        if reference.where == "text" or (
            reference.call is None and not reference.expression.startswith(("calls", "shortTermMemory"))
        ):
            continue
        why = (
            "References are not resolved in outputs, although the prompt says so: people will read the "
            "braces."
            if reference.where == "output"
            else 'Inside a call it must be the whole of a string: "{{…}}" with nothing around it.'
        )
        yield NOT_HERE.finding(
            f"{{{{{shown(reference.expression).strip('“”')}}}}} is left as it is: a reference has no "
            "effect here.",
            context.in_response(reference.start, reference.end),
            why,
            _data(reference),
        )


DANGLING = Rule(
    "dangling-reference",
    "error",
    "A template reference that points at nothing",
    "The response refers to a result that does not exist: a call that was never made, a path that the "
    "result does not have, a key that the engine does not know, "
    "or the very call it stands in.\n\nWhat to do: compare with the calls of this run; they are counted "
    "from 0 from the run's first turn on.",
    _dangling,
)
FORWARD = Rule(
    "forward-reference",
    "error",
    "A template reference to a later call",
    "A result can only be used after its call. The engine leaves the braces as they are.\n\nWhat to do: "
    "the calls must change places.",
    _forward,
)
NOT_HERE = Rule(
    "reference-not-resolved-here",
    "warning",
    "A template reference where none is resolved",
    "References work only as a whole string inside a call's arguments. In an output, in an attribute or "
    "inside a longer string the braces stay.\n\n"
    "What to do: let the next turn write the output, when the result is there.",
    _not_here,
)

RULES = (DANGLING, FORWARD, NOT_HERE)
