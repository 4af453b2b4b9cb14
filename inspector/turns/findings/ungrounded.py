"""The rule on values that the model can have from nowhere."""

import json
from collections.abc import Iterator
from itertools import islice
from typing import Any

from inspector.turns.contract import offers_named, properties_of
from inspector.turns.described import written
from inspector.turns.findings.calls import inside
from inspector.turns.findings.rule import Context, Rule, shown
from inspector.turns.grounds import BUDGET, VALUES_MAX, is_shown, needs_ground, values_in
from inspector.turns.positions import Places, Step
from inspector.turns.turn import Call, Finding, Place

CALLS_MAX = 20
"""Calls of one response that are looked at."""


def _ungrounded(context: Context) -> Iterator[Finding]:
    response = context.response
    calls = [call for call in response.calls if call.status != "unparsed"] if response else []
    if not calls or not context.turn.messages:
        return
    texts: list[str] = []
    left = BUDGET
    for call in calls[:CALLS_MAX]:
        places = Places(call.raw, max(call.raw.find("{"), 0))
        for path, value in islice(values_in(call.arguments), VALUES_MAX):
            if not needs_ground(value) or _is_listed(context, call, path, value):
                continue
            texts = texts or _texts(context)
            left -= sum(map(len, texts))
            if left < 0:
                return
            if not is_shown(value, texts):
                yield _finding(context, call, path, value, places)


def _texts(context: Context) -> list[str]:
    """All that the model could have a value from: prompt, calls in it, tools, results of calls before."""
    messages = context.turn.messages
    texts = [message.text for message in messages if message.text]
    texts += [call.arguments for message in messages for call in message.calls]
    texts += [f"{tool.description} {_dumped(tool.schema)}" for tool in context.turn.tools]
    for read in context.earlier[-20:]:
        calls = read.reading.response.calls if read.reading.response else ()
        texts += [_dumped(call.result.value) for call in calls if call.result is not None]
    return texts


def _dumped(value: Any) -> str:
    try:
        return json.dumps(value, ensure_ascii=False)
    except (TypeError, ValueError, RecursionError):
        return ""


def _is_listed(context: Context, call: Call, path: tuple[Step, ...], value: object) -> bool:
    """Whether the schema itself gives the value: a choice, a constant, a default, an example."""
    offers = offers_named(context.contract.actions, call.name)
    asked = properties_of(offers[0].schema).get(str(path[0])) if offers and path else None
    if not isinstance(asked, dict):
        return False
    return "enum" in asked or "const" in asked or asked.get("default") == value


def _finding(
    context: Context, call: Call, path: tuple[Step, ...], value: str | int | float, places: Places
) -> Finding:
    what = shown(value) if isinstance(value, str) else str(value)[:60]
    name = shown(written(list(path))) if path else "the argument"
    return UNGROUNDED.finding(
        f"Action {shown(call.name)}: {name} is {what}, which stands nowhere in the prompt.",
        _place(context, call, path, places),
        "Nor did a call before give it. The model worked it out, knows it from its training, or made it up.",
        {"call": call.index, "path": written(list(path)), "got": what},
    )


def _place(context: Context, call: Call, path: tuple[Step, ...], places: Places) -> Place:
    place = places.of(path) if call.json == "strict" else None
    return inside(context, call, place[0], place[1] - place[0]) if place else inside(context, call, None, 0)


UNGROUNDED = Rule(
    "ungrounded-value",
    "info",
    "A value that the prompt does not show",
    "A call has an id, a path, an address or a number of some digits that stands nowhere in the prompt, in "
    "the tools or in what the calls before gave, neither whole nor in parts. Free text, dates, small numbers "
    "and choices that the schema lists are left out.\n\n"
    "What to do: nothing, if the model was to make or compute it; else this is where it guessed.",
    _ungrounded,
)
RULES = (UNGROUNDED,)
