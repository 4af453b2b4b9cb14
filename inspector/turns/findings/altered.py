"""Rules on results and answers that came back otherwise than they were."""

import json
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace

from inspector.turns.findings.dialogue import Answer, Course, course, dialogue, dialogue_before
from inspector.turns.findings.past import TOLD_MAX, is_alike
from inspector.turns.findings.rule import Context, Rule, shown
from inspector.turns.shown import spoken
from inspector.turns.turn import Finding, Message, NativeCall

_CLEARED = re.compile(
    r"\b(?:cleared|removed|omitted|truncated|elided|pruned|hidden|masked|compacted|no longer)\b",
    re.IGNORECASE,
)
_OBSERVED = "\nObservation:"
"""Where a loop in words puts what came of an action behind the answer that asks for it."""
WRAPPED_MAX = 100_000
"""Longest result, in code points, that is looked into for another one."""
_REASONING = ("think", "thinking", "reasoning")


def _results_altered(context: Context) -> Iterator[Finding]:
    going = course(context)
    if going is None or not dialogue(context).answers:
        return
    messages = going.old.turn.messages
    before = {
        one.id: messages[one.message].text[one.start : one.end]
        for one in _once(dialogue_before(context).answers)
    }
    told = 0
    for answer in _once(dialogue(context).answers):
        old = before.get(answer.id) if answer.id else None
        new = context.turn.messages[answer.message].text[answer.start : answer.end]
        if old is None or old == new or told >= TOLD_MAX:
            continue
        told += 1
        cleared = len(new) < len(old) and _CLEARED.search(new[:1_000] + new[-1_000:]) is not None
        wrapped = not cleared and (_holds(new, old) or _holds(old, new))
        how = (
            "was cleared or cut"
            if cleared
            else "is wrapped otherwise than it was"
            if wrapped
            else "differs from what it was"
        )
        yield RESULT_ALTERED.finding(
            f"The result of the call {shown(answer.id or '')} {how} in turn {going.old.seq}: there "
            f"{shown(old)} ({len(old)} characters), here {shown(new)} ({len(new)}).",
            context.in_prompt(answer.message, answer.start, answer.end),
            "What came of a call should stay as it was, or say that it was cut.",
            {"call": answer.id, "before": len(old), "after": len(new), "cleared": cleared},
            "info" if cleared or wrapped else None,
        )


def _holds(outer: str, inner: str) -> bool:
    """Whether a result is another one as the only member of a JSON object."""
    if not outer.startswith("{") or len(outer) > WRAPPED_MAX:
        return False
    value = _value(outer)
    if not isinstance(value, dict) or len(value) != 1:
        return False
    (only,) = value.values()
    return only in (inner, _value(inner))


def _once(answers: Sequence[Answer]) -> list[Answer]:
    """Results whose id no other one has: some agents number their calls anew."""
    times = Counter(answer.id for answer in answers)
    return [answer for answer in answers if answer.id and times[answer.id] == 1]


def _answer_altered(context: Context) -> Iterator[Finding]:
    """The answer of the turn before, put into this prompt with a difference."""
    going = course(context)
    if going is None or going.old.turn.response is None or len(going.kept) != len(going.olds):
        return
    place = next((index for index in going.fresh if index > max(going.kept.values(), default=-1)), None)
    if place is None or going.new.messages[place].role != "assistant":
        return
    said, put = going.old.turn.response, _joined(going, place)
    how, severe = _difference_of(said.text, put.text)
    if (
        not how
        and said.reasoning
        and not any("reason" in part.kind or "think" in part.kind for part in put.parts)
    ):
        how = "without its reasoning"
    if not how and (calls := _other_calls(_calls(said.calls), _calls(put.calls))):
        how, severe = calls, True
    if not how or (not severe and _was_told(context)):
        return
    yield ANSWER_ALTERED.finding(
        f"The answer of turn {going.old.seq} stands here {how}.",
        context.in_prompt(place, 0, len(put.text)),
        "A provider's cache and a model's own line of thought hold only if its answer comes back letter "
        "for letter.",
        {"turn": going.old.id, "how": how},
        "warning" if severe else None,
    )


def _joined(going: Course, place: int) -> Message:
    """The assistant's messages from here on as one: some wires put an answer into several."""
    run = [going.new.messages[place]]
    for message in going.new.messages[place + 1 :]:
        if message.role != "assistant":
            break
        run.append(message)
    return replace(
        run[0],
        text="\n".join(text for message in run if (text := spoken(message))),
        parts=tuple(part for message in run for part in message.parts),
        calls=tuple(call for message in run for call in message.calls),
    )


def _was_told(context: Context) -> bool:
    """Harmless differences are told at the first turn that has them; they come back with each one."""
    return any(f.rule == "answer-altered" for read in context.earlier[-20:] for f in read.reading.findings)


def _difference_of(said: str, put: str) -> tuple[str, bool]:
    if _OBSERVED in put and "\nAction" in put[: put.index(_OBSERVED)]:
        said, put = said.partition(_OBSERVED)[0], put.partition(_OBSERVED)[0]
    if said.strip() == put.strip() or not said.strip() or not put.strip():
        return "", False
    if "".join(said.split()) == "".join(put.split()):
        inside = " inside its reasoning" if _bare(said) == _bare(put) else ""
        return f"with other blank space{inside}", False
    if "".join(_bare(said).split()) == "".join(_bare(put).split()):
        return "without its reasoning", False
    if put.strip().startswith(said.strip()):
        return "with more behind it", True
    if said.strip().startswith(put.strip()):
        return "cut", True
    return ("with other words", True) if is_alike(said, put) else ("", False)


def _bare(text: str) -> str:
    """The text without a first stretch of reasoning in tags."""
    for name in _REASONING:
        start = text.find(f"<{name}>")
        end = text.find(f"</{name}>", start) if start >= 0 else -1
        if end >= 0:
            text = text[:start] + text[end + len(name) + 3 :]
    return text.strip()


def _other_calls(said: list[tuple[str, object]], put: list[tuple[str, object]]) -> str:
    """How the calls differ; empty where they don't."""
    if said == put:
        return ""
    lost = [call for call in said if call not in put]
    if len(lost) + len(put) == len(said):
        return f"without {len(lost)} of its {len(said)} calls"
    return "with other calls"


def _calls(calls: tuple[NativeCall, ...]) -> list[tuple[str, object]]:
    """Calls that the agent answers. Those of the provider's own tools not all agents send back."""
    return [(call.name, _value(call.arguments)) for call in calls if not call.hosted]


def _value(arguments: str) -> object:
    try:
        return json.loads(arguments) if len(arguments) < 100_000 else arguments
    except (ValueError, RecursionError):
        return arguments


RESULT_ALTERED = Rule(
    "result-altered",
    "warning",
    "A result that changed afterwards",
    "The result of a call reads otherwise than in the turn before. Results that were cleared with a note are "
    "told as info.\n\n"
    "What to do: keep results as they came; cut them once, when they enter, and say that they are cut.",
    _results_altered,
)
ANSWER_ALTERED = Rule(
    "answer-altered",
    "info",
    "The model's answer came back altered",
    "The prompt repeats the answer of the turn before with a difference: other blank space, no reasoning, "
    "other words or other calls. Harmless ones are told once a session.\n\n"
    "What to do: send back what the model said as it said it; some providers ask for the reasoning, too.",
    _answer_altered,
)

RULES = (RESULT_ALTERED, ANSWER_ALTERED)
