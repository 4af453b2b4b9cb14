"""Rules on what came of calls, in the prompt that brings it: an error, or the same twice."""

from collections import Counter
from collections.abc import Iterator

from inspector.turns.findings.dialogue import dialogue
from inspector.turns.findings.rule import Context, Rule, shown
from inspector.turns.shown import Shown, sections_at, shown_in
from inspector.turns.turn import Finding

TOLD_MAX = 5
"""Findings of one rule on one turn."""


def _failed(context: Context) -> Iterator[Finding]:
    for result in _new(context)[:TOLD_MAX]:
        name = result.name or _name_of(context, result.id)
        what = f"Action {shown(name)}" if name else "A call"
        yield FAILED_CALL.finding(
            f"{what} came back with an error: {shown(_words(result.error), 200)}",
            context.in_prompt(result.message, result.start, result.end),
            None,
            {"call": result.id, "name": name},
        )


def _new(context: Context) -> list[Shown]:
    """Errors that the turn before did not show yet: behind the last answer, or with an id of their own."""
    messages = context.turn.messages
    last = max((index for index, message in enumerate(messages) if message.role == "assistant"), default=-1)
    is_chat = last >= 0
    results = [result for result in shown_in(context.turn, last + 1) if result.error is not None]
    if results and context.previous is not None and not is_chat:
        known = {result.id for result in shown_in(context.previous.turn)}
        results = [result for result in results if result.id not in known]
    places = sections_at(context.sections, results)
    return [result for result, place in zip(results, places, strict=True) if place or not result.tagged]


def _name_of(context: Context, identity: str | None) -> str | None:
    calls = (each.call for each in dialogue(context).calls)
    return next((call.name for call in calls if identity is not None and call.id == identity), None)


def _words(error: object) -> str:
    """What an error says, without the object that it comes in."""
    for key in ("error", "message"):
        if isinstance(error, dict) and error.get(key):
            error = error[key]
    return error if isinstance(error, str) else str(error)[:400]


def _twice(context: Context) -> Iterator[Finding]:
    asked = Counter(call.call.id for call in dialogue(context).calls)
    seen: Counter[str] = Counter()
    told = 0
    for answer in dialogue(context).answers:
        if answer.id is None:
            continue
        seen[answer.id] += 1
        if seen[answer.id] == 1 or seen[answer.id] <= asked[answer.id] or told >= TOLD_MAX:
            continue
        told += 1
        yield RESULT_TWICE.finding(
            f"A second result answers the call {shown(answer.id)}.",
            context.in_prompt(answer.message, answer.start, answer.end),
            "Put in one result for each call; most providers refuse a second one.",
            {"call": answer.id},
        )


FAILED_CALL = Rule(
    "failed-call",
    "info",
    "A call that failed",
    "What came of a call is an error, and this prompt is the first to show it. The model will try to make "
    "something of it.\n\n"
    "What to do: look at the call's arguments in the turn before, and whether the error tells the model what "
    "to do otherwise.",
    _failed,
)
RESULT_TWICE = Rule(
    "result-twice",
    "warning",
    "Two results for one call",
    "The prompt holds more results for a call than there are calls with its id. The model sees the action "
    "done twice; most providers refuse such a prompt.\n\n"
    "What to do: look whether a retry or a resumed session put the result in again.",
    _twice,
)
RULES = (FAILED_CALL, RESULT_TWICE)
