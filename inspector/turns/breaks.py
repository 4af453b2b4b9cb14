"""The first difference of two prompts: its place, and the reason a person would give for it."""

import json
from collections.abc import Sequence

from inspector.turns.turn import Break, Message, ReadTurn, Section, Tool
from inspector.turns.volatile import cause_of, value_at
from inspector.turns.walk import Spot, sections_at, shared_length

EXCERPT = 80
WINDOW = 2_000
"""Code points from the difference on that are looked at for its cause."""
SOUGHT = 20_000
"""Code points in which a line is sought that may have been pushed away."""


def break_of_offer(old: ReadTurn, new: ReadTurn) -> Break | None:
    """A break before the first message: another model, or other tools."""
    before, after = old.turn, new.turn
    if before.model and after.model and before.model != after.model:
        return Break(None, None, 1, 1, before.model[:EXCERPT], after.model[:EXCERPT], "model")
    if before.tools == after.tools:
        return None
    texts = [tool_text(before.tools), tool_text(after.tools)]
    at = shared_length(texts[0], 0, texts[1], 0)
    if at == len(texts[0]) == len(texts[1]):
        return None
    return Break(None, None, 1, 1, _excerpt(texts[0], at), _excerpt(texts[1], at), "tool-list")


def tool_text(tools: Sequence[Tool]) -> str:
    """The tools as one text, one a line, in their order."""
    return "\n".join(
        json.dumps([tool.name, tool.description, tool.schema], ensure_ascii=False) for tool in tools
    )


def break_in_text(old: ReadTurn, new: ReadTurn, spot: Spot) -> Break:
    """The break at a spot up to which both prompts are alike, so that it has the same place in both."""
    before, after = old.turn.messages[spot.message].text, new.turn.messages[spot.message].text
    sections = sections_at(new, spot)
    at = spot.offset
    return Break(
        section=sections[-1].path if sections else None,
        message=spot.message,
        line=new.reading.messages[spot.message].line + after.count("\n", 0, at),
        column=at - after.rfind("\n", 0, at),
        old=_excerpt(before, at),
        new=_excerpt(after, at),
        cause=_cause(old, new, spot),
    )


def _excerpt(text: str, at: int) -> str:
    """What follows, to the end of the line; beyond it when the line ends here."""
    piece = text[at : at + EXCERPT]
    end = piece.find("\n")
    return piece[:end] if end > 0 else piece


# ---------------------------------------------------------------- the cause


def _cause(old: ReadTurn, new: ReadTurn, spot: Spot) -> str:
    before, after = old.turn.messages[spot.message], new.turn.messages[spot.message]
    at = spot.offset
    if at == 0 or at == len(before.text) == len(after.text):
        found = _among_messages(old.turn.messages[spot.message :], new.turn.messages[spot.message :])
        if found:
            return found
    if at == len(before.text):
        return "append"
    if at == len(after.text):
        return "removal"
    return (
        _by_value(before.text, after.text, at)
        or _by_whitespace(before.text[at : at + WINDOW], after.text[at : at + WINDOW])
        or _among_sections(old, new, spot)
        or _among_lines(before.text, after.text, at)
        or "edit"
    )


def _among_messages(olds: Sequence[Message], news: Sequence[Message]) -> str | None:
    """Messages that came or went: the rest of one prompt goes on with what the other has here."""
    pushed_away = olds[0] in news[1:]
    came_forward = news[0] in olds[1:]
    return _came_or_went(came_forward, pushed_away)


def _came_or_went(came_forward: bool, pushed_away: bool) -> str | None:
    if came_forward and pushed_away:
        return "reorder"
    if pushed_away:
        return "insertion"
    return "removal" if came_forward else None


def _by_value(old: str, new: str, at: int) -> str | None:
    """A value that changes by itself, in a line that is otherwise the same."""
    start = max(new.rfind("\n", 0, at) + 1, at - WINDOW)
    before, after = _line(old, start, at), _line(new, start, at)
    return cause_of(before, after) or value_at(before, after, at - start)


def _line(text: str, start: int, at: int) -> str:
    end = text.find("\n", at, at + WINDOW)
    return text[start : end if end >= 0 else at + WINDOW]


def _by_whitespace(old: str, new: str) -> str | None:
    """The same words follow, spaced otherwise."""
    before, after = "".join(old.split()), "".join(new.split())
    enough = min(len(before), len(after), 40)
    if before[:enough] != after[:enough]:
        return None
    wholly = before == after
    return "whitespace" if wholly or enough == 40 else None


def _among_sections(old: ReadTurn, new: ReadTurn, spot: Spot) -> str | None:
    """Sections that came, went or changed places: the outermost two that are not the same one."""
    for before, after in zip(sections_at(old, spot), sections_at(new, spot), strict=False):
        if before.path != after.path or before.start != after.start:
            return _came_or_went(
                _stands_in(after, old.reading.sections), _stands_in(before, new.reading.sections)
            )
    return None


def _stands_in(section: Section, others: Sequence[Section]) -> bool:
    return any(other.digest == section.digest or other.path == section.path for other in others)


def _among_lines(old: str, new: str, at: int) -> str | None:
    """Lines, or the end of one, that are found again further on in the other text."""
    start = new.rfind("\n", 0, at) + 1
    before, after = _line(old, start, at), _line(new, start, at)
    if before and after:
        pushed_away = _found_again(before, new, at)
        came_forward = _found_again(after, old, at)
        found = _came_or_went(came_forward, pushed_away)
        if found:
            return found
    rest, new_rest = before[at - start :], after[at - start :]
    return _came_or_went(before.endswith(new_rest), after.endswith(rest)) if before != after else None


def _found_again(line: str, text: str, at: int) -> bool:
    return len(line.strip()) > 3 and f"\n{line}" in text[at : at + SOUGHT]
