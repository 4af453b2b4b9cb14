"""The first difference of two prompts: its place, and the reason a person would give for it."""

import json
from collections.abc import Sequence
from itertools import zip_longest

from inspector.turns.key_order import is_swapped, swapped
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
        return _swapped_keys(before.tools, after.tools)
    pairs = zip_longest(before.tools, after.tools)
    was, now = next((old_tool, new_tool) for old_tool, new_tool in pairs if old_tool != new_tool)
    if was and now and was.name == now.name:
        texts = _tool_text(was), _tool_text(now)
        at = shared_length(texts[0], 0, texts[1], 0)
        shown = [f"{was.name}: {_excerpt(text, max(at - 20, 0))}"[:EXCERPT] for text in texts]
        return Break(None, None, 1, 1, shown[0], shown[1], "tool-list")
    names = [tool.name[:EXCERPT] if tool else "" for tool in (was, now)]
    return Break(None, None, 1, 1, names[0], names[1], "tool-list")


def _swapped_keys(olds: Sequence[Tool], news: Sequence[Tool]) -> Break | None:
    """The first of equal tools whose schema has its keys in another order: other bytes to a cache."""
    for was, now in zip(olds, news, strict=True):
        found = swapped(was.schema, now.schema) if was is not now else None
        if found:
            place = f"{now.name}.{found.path}" if found.path else now.name
            old, new = (f"{place}: {', '.join(keys)}"[:EXCERPT] for keys in (found.before, found.after))
            return Break(None, None, 1, 1, old, new, "key-order")
    return None


def _tool_text(tool: Tool) -> str:
    return json.dumps([tool.description, tool.schema], ensure_ascii=False)


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
        old=_excerpt(before, at) or _calls(old.turn.messages[spot.message]),
        new=_excerpt(after, at) or _calls(new.turn.messages[spot.message]),
        cause=_cause(old, new, spot),
    )


def _excerpt(text: str, at: int) -> str:
    """What follows, to the end of the line; beyond it when the line ends here."""
    piece = text[at : at + EXCERPT]
    end = piece.find("\n")
    return piece[:end] if end > 0 else piece


def _calls(message: Message) -> str:
    """What follows the text of a message: its native calls."""
    return " ".join(f"{call.name} {call.arguments}" for call in message.calls)[:EXCERPT]


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
    line, new_line, _ = _lines_at(before.text, after.text, at)
    follows, new_follows = before.text[at : at + WINDOW], after.text[at : at + WINDOW]
    return (
        cause_of(line, new_line)
        or ("key-order" if is_swapped(line, new_line) else None)
        or _by_whitespace(follows, new_follows)
        or _by_place(old, new, spot)
        or "edit"
    )


def _by_place(old: ReadTurn, new: ReadTurn, spot: Spot) -> str | None:
    """What came or went here: sections, or else lines of one section, or else a value in a line."""
    olds, news = sections_at(old, spot), sections_at(new, spot)
    for before, after in zip_longest(olds, news):
        if before is None or after is None or before.path != after.path or before.start != after.start:
            return _among_sections(before, after, old.reading.sections, new.reading.sections)
    texts = old.turn.messages[spot.message].text, new.turn.messages[spot.message].text
    return value_at(*_lines_at(*texts, spot.offset)) or _among_lines(*texts, spot.offset)


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


def _lines_at(old: str, new: str, at: int) -> tuple[str, str, int]:
    """The lines that hold the first difference, or the part of them around it, and its column in them."""
    start = max(new.rfind("\n", 0, at) + 1, at - WINDOW)
    return _line(old, start, at), _line(new, start, at), at - start


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


def _among_sections(
    before: Section | None, after: Section | None, olds: Sequence[Section], news: Sequence[Section]
) -> str | None:
    """Sections that came, went or changed places: the outermost two that are not the same one.

    One is None where a section stands against its parent's own text. One that began further up goes on
    where the other prompt's ended. A section that is found under another parent is gone from here.
    """
    if before and after and before.start != after.start:
        return "insertion" if after.start < before.start else "removal"
    came_forward = after is not None and _stands_in(after, olds)
    pushed_away = before is not None and _stands_in(before, news)
    found = _came_or_went(came_forward, pushed_away)
    if found is None and before is None:
        return "insertion"
    return "removal" if found is None and after is None else found


def _stands_in(section: Section, others: Sequence[Section]) -> bool:
    parent = _parent(section)
    return any(
        other.path == section.path or (other.digest == section.digest and _parent(other) == parent)
        for other in others
    )


def _parent(section: Section) -> str:
    return section.path.rpartition("/")[0]


def _among_lines(old: str, new: str, at: int) -> str | None:
    """Lines, or the end of one, that are found again further on in the other text."""
    before, after, column = _lines_at(old, new, at)
    if before and after:
        found = _came_or_went(_found_again(after, old, at), _found_again(before, new, at))
        if found:
            return found
    rest, new_rest = before[column:], after[column:]
    if len(rest) == len(new_rest):
        return None
    return _came_or_went(before.endswith(new_rest), after.endswith(rest))


def _found_again(line: str, text: str, at: int) -> bool:
    return len(line.strip()) > 3 and f"\n{line}" in text[at : at + SOUGHT]
