"""Rules on what became of the conversation: messages lost, rewritten, altered, or from somewhere else."""

import json
import re
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace

from inspector.turns.findings.dialogue import (
    Answer,
    Course,
    carries_results,
    course,
    dialogue,
    dialogue_before,
    dialogue_of,
)
from inspector.turns.findings.rule import Context, Rule, shown
from inspector.turns.turn import Finding, Message, NativeCall, Place, Turn
from inspector.turns.walk import shared_length

_CLEARED = re.compile(
    r"\b(?:cleared|removed|omitted|truncated|elided|pruned|hidden|masked|compacted|no longer)\b",
    re.IGNORECASE,
)
_WORD = re.compile(r"\w{4,40}")
_REASONING = ("think", "thinking", "reasoning")
TOLD_MAX = 5
"""Messages of one kind that are told one by one."""


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


# ---------------------------------------------------------------- rewritten


def _rewritten(context: Context) -> Iterator[Finding]:
    going = course(context)
    if going is None or not going.goes_on or not going.kept:
        return
    results = {answer.id for answer in dialogue(context).answers if answer.id}
    altered, gone = _differing(going, results)
    gone = _without_fork(going, gone)
    for old, new in altered[:TOLD_MAX]:
        before, after = going.old.turn.messages[old], going.new.messages[new]
        at = _difference(before.text, after.text)
        yield HISTORY_REWRITTEN.finding(
            f"A past message of the {after.role} reads otherwise than in turn {going.old.seq}: there "
            f"{shown(before.text[at : at + 80])}, here {shown(after.text[at : at + 80])}.",
            context.in_prompt(new, at, len(after.text)),
            "What was said before should stay as it was: the cache is lost from here on, and the model reads "
            "another past.",
            {"turn": going.old.id, "message": old, "altered": len(altered)},
        )
    if gone:
        yield _told_gone(context, going, gone)


def _differing(going: Course, results: set[str]) -> tuple[list[tuple[int, int]], list[int]]:
    """Messages that stand in the same gap with another text, and messages that are gone."""
    altered: list[tuple[int, int]] = []
    gone: list[int] = []
    for olds, news in _gaps(going):
        at = 0
        for index in olds:
            if not going.is_missing(index) or _has_result(going, index, results):
                continue
            if at < len(news) and _is_version(going, index, news[at]):
                altered.append((index, news[at]))
                at += 1
            else:
                gone.append(index)
    return altered, gone


def _gaps(going: Course) -> Iterator[tuple[list[int], list[int]]]:
    """Old and new messages between two that were kept; behind the last one only what was there before."""
    old = new = -1
    for next_old, next_new in [*going.kept.items(), (len(going.old.turn.messages), new)]:
        olds = going.olds[bisect_right(going.olds, old) : bisect_left(going.olds, next_old)]
        news = going.news[bisect_right(going.news, new) : bisect_left(going.news, next_new)]
        yield olds, news
        old, new = next_old, next_new


def _without_fork(going: Course, gone: list[int]) -> list[int]:
    """Without what is gone from the end: the conversation went another way from there, or began anew.

    One last question that is gone while nothing came in its place is told all the same.
    """
    last_kept = max(going.kept)
    ends = [index for index in gone if index > last_kept]
    lost = len(ends) == 1 and len(gone) == 1 and not going.fresh and len(going.kept) > 2
    if lost and going.is_asked(ends[0]):
        return gone
    return [index for index in gone if index < last_kept]


def _has_result(going: Course, index: int, results: set[str]) -> bool:
    """Whether a message's results are still there, altered or not: that is told by another rule."""
    found = [one.id for one in dialogue_of(Turn(messages=(going.old.turn.messages[index],))).answers]
    return bool(found) and all(one in results for one in found)


def _is_version(going: Course, old: int, new: int) -> bool:
    """Whether a new message is likely an old one with another text."""
    before, after = going.old.turn.messages[old], going.new.messages[new]
    if before.role != after.role or carries_results(before) or not before.text or not after.text:
        return False
    return before.text.strip() != after.text.strip() and is_alike(before.text, after.text)


def is_alike(old: str, new: str) -> bool:
    """Whether two texts are likely versions of one: most of the shorter one begins or ends both."""
    shorter = min(len(old), len(new))
    begins = shared_length(old, 0, new, 0)
    ends = shared_length(old[::-1], 0, new[::-1], 0) if begins < shorter else 0
    return min(begins + ends, shorter) >= 0.5 * shorter


def _told_gone(context: Context, going: Course, gone: list[int]) -> Finding:
    messages = going.old.turn.messages
    last = gone[-1] == going.olds[-1]
    first = messages[gone[-1] if last else gone[0]]
    summary = going.summary
    why = "A summary stands in their place." if summary is not None else "No summary stands in their place."
    place = (
        Place("prompt")
        if summary is None
        else context.in_prompt(summary, 0, len(going.new.messages[summary].text))
    )
    many = f"{len(gone)} of {len(going.olds)} messages" if len(gone) > 1 else "A message"
    return HISTORY_REWRITTEN.finding(
        f"{many} of turn {going.old.seq} {'are' if len(gone) > 1 else 'is'} gone from the conversation, "
        f"{'the last' if last else 'the first'} by the {first.role}: "
        f"{shown(first.text) if first.text else 'a call'}.",
        place,
        why,
        {"turn": going.old.id, "messages": gone[:50], "count": len(gone), "summary": summary is not None},
        None if last and summary is None else "info",
    )


def _difference(old: str, new: str) -> int:
    """About where two texts begin to differ, at the start of a word."""
    at = shared_length(old, 0, new, 0)
    return new.rfind(" ", max(at - 40, 0), at) + 1 or max(at - 20, 0)


# ---------------------------------------------------------------- altered


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
        how = "was cleared or cut" if cleared else "differs from what it was"
        yield RESULT_ALTERED.finding(
            f"The result of the call {shown(answer.id or '')} {how} in turn {going.old.seq}: there "
            f"{shown(old)} ({len(old)} characters), here {shown(new)} ({len(new)}).",
            context.in_prompt(answer.message, answer.start, answer.end),
            "What came of a call should stay as it was, or say that it was cut.",
            {"call": answer.id, "before": len(old), "after": len(new), "cleared": cleared},
            "info" if cleared else None,
        )


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
    if not how and _calls(said.calls) != _calls(put.calls):
        how, severe = "with other calls", True
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
        text="\n".join(message.text for message in run if message.text),
        parts=tuple(part for message in run for part in message.parts),
        calls=tuple(call for message in run for call in message.calls),
    )


def _was_told(context: Context) -> bool:
    """Harmless differences are told at the first turn that has them; they come back with each one."""
    return any(f.rule == "answer-altered" for read in context.earlier[-20:] for f in read.reading.findings)


def _difference_of(said: str, put: str) -> tuple[str, bool]:
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


def _calls(calls: tuple[NativeCall, ...]) -> list[tuple[str, object]]:
    return [(call.name, _value(call.arguments)) for call in calls]


def _value(arguments: str) -> object:
    try:
        return json.loads(arguments) if len(arguments) < 100_000 else arguments
    except (ValueError, RecursionError):
        return arguments


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
HISTORY_REWRITTEN = Rule(
    "history-rewritten",
    "warning",
    "Past messages that are not what they were",
    "Messages of the turn before are gone or read otherwise, although the conversation goes on. Dropping old "
    "messages for a summary or a window is told as info; a changed message or a lost last one is a "
    "warning.\n\n"
    "What to do: add to the conversation instead of changing it; where it must be cut, say so in the prompt.",
    _rewritten,
)
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

RULES = (LOST_TASK, HISTORY_REWRITTEN, RESULT_ALTERED, ANSWER_ALTERED)
