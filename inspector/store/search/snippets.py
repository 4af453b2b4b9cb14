"""The line that a hit shows: the first of those that have most of what was asked for."""

from collections.abc import Sequence
from dataclasses import dataclass

from inspector.store.terms.query import Query, Term
from inspector.store.terms.stretches import Stretch
from inspector.store.terms.words import parts, spans, words

LENGTH = 240
BEFORE = 60
MAX_MARKS = 20


@dataclass(frozen=True, slots=True)
class Snippet:
    """A stretch of a line."""

    stretch: Stretch
    line: int
    text: str
    marks: tuple[tuple[int, int], ...]


def words_in(query: Query, stretches: Sequence[Stretch]) -> Snippet:
    """Where in a row that matches the query stands."""
    wanted = {word: term.is_prefix and word == term.words[-1] for term in query.terms for word in term.words}
    best: tuple[int, Stretch, int, str] | None = None
    for stretch in stretches:
        for number, line in enumerate(stretch.text.split("\n"), stretch.line):
            score = _score(line, query.terms)
            if score and (best is None or score > best[0]):
                best = (score, stretch, number, line)
                if score == len(query.terms):
                    return _cut(stretch, number, line, _marks(line, wanted))
    if best is None:
        first = stretches[0]
        return _cut(first, first.line, first.text.split("\n")[0], [])
    return _cut(*best[1:], _marks(best[3], wanted))


def exact_in(text: str, stretches: Sequence[Stretch]) -> Snippet | None:
    """Where an exact text first stands, upper and lower case alike; it may go over line ends."""
    folded = text.lower()
    for stretch in stretches:
        lowered = stretch.text.lower()
        # A text whose lower case has other offsets is rare; then the exact case decides.
        same = len(lowered) == len(stretch.text)
        at = lowered.find(folded) if same else stretch.text.find(text)
        if at >= 0:
            start = stretch.text.rfind("\n", 0, at) + 1
            end = stretch.text.find("\n", at)
            line = stretch.text[start : end if end >= 0 else None]
            mark = (at - start, min(at - start + len(text), len(line)))
            return _cut(stretch, stretch.line + stretch.text.count("\n", 0, at), line, [mark])
    return None


def _score(line: str, terms: Sequence[Term]) -> int:
    here = [*words(line), "", *parts(line)]
    return sum(_has(here, term) for term in terms)


def _has(here: list[str], term: Term) -> bool:
    first, length = term.words[0], len(term.words)
    for at, word in enumerate(here):
        if length == 1:
            if word == first or (term.is_prefix and word.startswith(first)):
                return True
        elif word == first and _follows(here[at : at + length], term):
            return True
    return False


def _follows(here: list[str], term: Term) -> bool:
    if len(here) < len(term.words) or here[:-1] != list(term.words[:-1]):
        return False
    return here[-1] == term.words[-1] or (term.is_prefix and here[-1].startswith(term.words[-1]))


def _marks(line: str, wanted: dict[str, bool]) -> list[tuple[int, int]]:
    marks: list[tuple[int, int]] = []
    for word, start, end in spans(line):
        forms = {*words(word), *parts(word)}
        prefixes = [want for want, is_prefix in wanted.items() if is_prefix]
        if forms & wanted.keys() or any(form.startswith(want) for form in forms for want in prefixes):
            marks.append((start, end))
            if len(marks) == MAX_MARKS:
                break
    return marks


def _cut(stretch: Stretch, number: int, line: str, marks: list[tuple[int, int]]) -> Snippet:
    start = max(0, marks[0][0] - BEFORE) if marks and marks[0][1] > LENGTH else 0
    text = line[start : start + LENGTH]
    shown = [(max(0, left - start), min(right - start, len(text))) for left, right in marks]
    return Snippet(stretch, number, text, tuple(mark for mark in shown if mark[0] < mark[1]))
