"""The rule on past messages that are gone or read otherwise."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator

from inspector.turns.findings.dialogue import Course, carries_results, course, dialogue, dialogue_of
from inspector.turns.findings.rule import Context, Rule, shown
from inspector.turns.turn import Finding, Place, Turn
from inspector.turns.walk import shared_length

TOLD_MAX = 5
"""Messages of one kind that are told one by one."""


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

RULES = (HISTORY_REWRITTEN,)
