"""Which words of a changed line differ; characters where a script has no spaces."""

import re
from collections.abc import Sequence

from inspector.turns.changes.sequence import Budget, Run, runs
from inspector.turns.walk import shared_length

UNSPACED = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3\uf900-\ufaff\U00020000-\U0003ffff"
WORD = re.compile(rf"[^\W{UNSPACED}]+|\s+|.", re.DOTALL)
LONGEST = 200
"""Longest word, in code points, that is looked at as one."""
A_PAIR = 500
"""What a pair of lines costs beside its length, in steps."""
SHORT = 4
"""Longest equal stretch, in code points, that may be given up between two changed ones."""

type Spans = tuple[tuple[int, int], ...]


def changed_words(old: str, new: str, budget: Budget) -> tuple[Spans, Spans]:
    """The stretches of each line that the other has not; what is outside them is equal on both."""
    if not budget.walk(A_PAIR):
        return _spans(old, 0), _spans(new, 0)
    head, tail = _shared_ends(old, new)
    left, right = old[head : len(old) - tail], new[head : len(new) - tail]
    if not left or not right:
        return _spans(left, head), _spans(right, head)
    if not budget.walk(len(left) + len(right)):
        return _spans(left, head), _spans(right, head)
    olds, news = WORD.findall(left), WORD.findall(right)
    numbers: dict[str, int] = {}
    kept = runs(
        [numbers.setdefault(word, len(numbers)) for word in olds],
        [numbers.setdefault(word, len(numbers)) for word in news],
        budget,
    )
    return _outside(_solid(kept, olds, news), olds, news, head)


def _shared_ends(old: str, new: str) -> tuple[int, int]:
    """Code points shared at either end, given back to the bounds of a word."""
    head = shared_length(old, 0, new, 0)
    head -= _given_back(old, new, [(head - step, head - step) for step in range(min(head, LONGEST))])
    most = min(len(old), len(new)) - head
    tail = min(shared_length(old[::-1], 0, new[::-1], 0), most)
    places = [(len(old) - tail + step, len(new) - tail + step) for step in range(min(tail, LONGEST))]
    return head, tail - _given_back(old, new, places)


def _given_back(old: str, new: str, places: Sequence[tuple[int, int]]) -> int:
    """How many of the places to give up until one stands between words in both texts."""
    for step, (at, there) in enumerate(places):
        if not (_inside_word(old, at) or _inside_word(new, there)):
            return step
    return len(places) if len(places) < LONGEST else 0


def _inside_word(text: str, at: int) -> bool:
    return (
        0 < at < len(text) and (match := WORD.match(text[at - 1 : at + 1])) is not None and len(match[0]) > 1
    )


def _spans(text: str, head: int) -> Spans:
    return ((head, head + len(text)),) if text else ()


def _solid(kept: Sequence[Run], olds: Sequence[str], news: Sequence[str]) -> list[Run]:
    """Equal runs without those that only part two changes: a space, a comma, a lone short word."""
    solid: list[Run] = []
    low = new_low = 0
    for index, run in enumerate(kept):
        after = kept[index + 1] if index + 1 < len(kept) else Run(len(olds), len(news), 0)
        text = "".join(olds[run.old : run.old + min(run.size, SHORT + 1)])
        before = max(run.old - low, run.new - new_low)
        behind = max(after.old - run.old, after.new - run.new) - run.size
        if before and behind and _only_parts(text, min(before, behind)):
            continue
        solid.append(run)
        low, new_low = run.old + run.size, run.new + run.size
    return solid


def _only_parts(text: str, words: int) -> bool:
    """Whether an equal text is less than the changes of at least so many words around it."""
    if len(text) > SHORT:
        return False
    return not any(map(str.isalnum, text)) or (len(text.strip()) <= 2 and words >= 3)


def _outside(kept: Sequence[Run], olds: Sequence[str], news: Sequence[str], head: int) -> tuple[Spans, Spans]:
    old_at, new_at = _offsets(olds, head), _offsets(news, head)
    left: list[tuple[int, int]] = []
    right: list[tuple[int, int]] = []
    low = new_low = 0
    for run in [*kept, Run(len(olds), len(news), 0)]:
        if low < run.old:
            left.append((old_at[low], old_at[run.old]))
        if new_low < run.new:
            right.append((new_at[new_low], new_at[run.new]))
        low, new_low = run.old + run.size, run.new + run.size
    return tuple(left), tuple(right)


def _offsets(words: Sequence[str], head: int) -> list[int]:
    places = [head]
    for word in words:
        places.append(places[-1] + len(word))
    return places
