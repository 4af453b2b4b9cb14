"""The rule on what the user asked for and the prompt does not hold any more."""

import re
from collections.abc import Iterator

from inspector.turns.findings.dialogue import Course, course
from inspector.turns.findings.rule import Context, Rule, shown
from inspector.turns.turn import Finding, Place

_WORD = re.compile(r"\w{4,40}")


def _lost(context: Context) -> Iterator[Finding]:
    going = course(context)
    if going is None or not going.goes_on:
        return
    task = next((index for index in going.olds if going.is_asked(index)), None)
    if task is not None and _is_gone(going, task):
        yield _told_lost(context, going, task, "The first message of the user is not in this prompt any more")
    pending = _pending(going)
    if pending is not None and pending != task and _is_gone(going, pending):
        yield _told_lost(
            context, going, pending, "What the user asked last, and the agent was still working on, is gone"
        )


def _pending(going: Course) -> int | None:
    """The question that the answer before had not finished: it only made calls."""
    said = going.old.turn.response
    if said is None or not said.calls or not going.olds:
        return None
    return next((index for index in reversed(going.olds) if going.is_asked(index)), None)


def _is_gone(going: Course, index: int) -> bool:
    """Whether nothing of the prompt holds a message's text, and no summary most of its words."""
    if index in going.kept:
        return False
    text = going.old.turn.messages[index].text.strip()
    if any(text in message.text for message in going.new.messages):
        return False
    words = {word.lower() for word in _WORD.findall(text[:4_000])}
    for place in going.fresh:
        new = {word.lower() for word in _WORD.findall(going.new.messages[place].text[:20_000])}
        if words and len(words & new) >= 0.6 * len(words):
            return False
    return True


def _told_lost(context: Context, going: Course, index: int, what: str) -> Finding:
    text = going.old.turn.messages[index].text
    summary = going.summary
    where = (
        context.in_prompt(summary, 0, len(going.new.messages[summary].text))
        if summary is not None
        else Place("prompt")
    )
    instead = (
        "A message in its place tells of a summary or a cut, and not of this." if summary is not None else ""
    )
    return LOST_TASK.finding(
        f"{what}: {shown(text)}.",
        where,
        f"{instead} Keep the task word for word when old messages are dropped.".strip(),
        {"turn": going.old.id, "message": index, "text": text[:400]},
    )


LOST_TASK = Rule(
    "lost-task",
    "warning",
    "What the user asked for is gone",
    "The conversation goes on, but the user's first message, or the question that the agent was still "
    "working "
    "on, is in no message of the prompt any more. It often happens when old messages are dropped or "
    "summarised: "
    "the plan survives and the task does not. A summary that holds most of its words is left alone.\n\n"
    "What to do: keep the task word for word through every cut.",
    _lost,
)

RULES = (LOST_TASK,)
