"""The first difference of two prompts with the words around it, as the comparison shows it."""

from dataclasses import dataclass

from inspector.turns.turn import Break, ReadTurn

AROUND = 60
"""Code points of the line that are shown before the difference."""
WORD = 40
"""Code points by which a word may reach beyond it."""


@dataclass(frozen=True, slots=True)
class Excerpt:
    """One prompt's side."""

    before: str
    changed: str
    after: str


def excerpts(new: ReadTurn, at: Break) -> tuple[Excerpt, Excerpt]:
    """The older and the newer side: alike, whole words that differ, alike again as far as it is known."""
    before = shared_before(new, at)
    word = ending_word(before)
    same = len(common_end(at.old, at.new))
    # What follows begins with the rest of the word that differs.
    same -= len(beginning_word(at.new[len(at.new) - same :])) if same else 0
    lead, begun = before[: len(before) - len(word)], word
    return (
        Excerpt(lead, begun + at.old[: len(at.old) - same], at.old[len(at.old) - same :]),
        Excerpt(lead, begun + at.new[: len(at.new) - same], at.new[len(at.new) - same :]),
    )


def shared_before(new: ReadTurn, at: Break) -> str:
    """What stands before the difference on its line; nothing where it is before all text."""
    if at.message is None or at.message >= len(new.turn.messages):
        return ""
    text, start = new.turn.messages[at.message].text, 0
    for _ in range(at.line - new.reading.messages[at.message].line):
        start = text.find("\n", start) + 1
    end = start + at.column - 1
    begin = max(start, end - AROUND)
    return ("…" if begin > start else "") + text[begin:end]


def common_end(old: str, new: str) -> str:
    """The longest end that both have."""
    most = min(len(old), len(new))
    count = 0
    while count < most and old[-1 - count] == new[-1 - count]:
        count += 1
    return new[len(new) - count :]


def ending_word(text: str) -> str:
    """The letters and digits at the end."""
    count = 0
    while count < min(len(text), WORD) and text[-1 - count].isalnum():
        count += 1
    return text[len(text) - count :]


def beginning_word(text: str) -> str:
    """The letters and digits at the beginning."""
    count = 0
    while count < min(len(text), WORD) and text[count].isalnum():
        count += 1
    return text[:count]
