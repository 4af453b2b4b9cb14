"""What two prompts would share if the sections at which they differ stood last in both."""

from collections.abc import Set

from inspector.turns.turn import IfAllMoved, IfMoved, ReadTurn, Section
from inspector.turns.volatile import masked
from inspector.turns.walk import Spot, Walk, is_end, sections_at, tokens_before, walk

LEAST_GAIN = 8
"""Fewest tokens that a move must save to be named; of a long prompt two in a hundred."""
MOVES = 16
"""Most sections that are moved at once."""
NEAR = 400
"""Code points around a difference that tell whether it is one of values."""
LARGEST = 200_000
"""Longest section, in code points, that is looked through for values that change by themselves."""


def worth(new: ReadTurn) -> int:
    """Tokens that a move must save to be worth naming."""
    return max(LEAST_GAIN, new.reading.tokens // 50)


# ---------------------------------------------------------------- one section


def if_moved(old: ReadTurn, new: ReadTurn, shared: Walk) -> IfMoved | None:
    """The one section at the break whose move to the end lets most of the prompt be reused."""
    best: tuple[int, Section, Walk] | None = None
    olds = sections_at(old, shared.old)
    for section in sections_at(new, shared.new):
        onward = walk(old.turn.messages, new.turn.messages, *_past(section, olds, shared))
        chars = onward.chars - max(shared.new.offset - section.start, 0)
        if chars > 0 and (best is None or chars > best[0]):
            best = (chars, section, onward)
    if best is None:
        return None
    _, section, onward = best
    start = Spot(section.message, min(section.start, shared.new.offset))
    return IfMoved(section.path, tokens_before(new, start) + _tokens_behind(new, section, onward))


def _past(section: Section, olds: list[Section], shared: Walk) -> tuple[Spot, Spot]:
    """Where both prompts go on behind a section; the old one where it stood if it has no such section."""
    after = Spot(section.message, section.end)
    for candidate in olds:
        if candidate.start == section.start and candidate.path == section.path:
            return Spot(candidate.message, candidate.end), after
    return Spot(shared.old.message, min(section.start, shared.old.offset)), after


def _tokens_behind(new: ReadTurn, section: Section, onward: Walk) -> int:
    """Tokens from the end of a section to where the prompts differ again."""
    return tokens_before(new, onward.new) - tokens_before(new, Spot(section.message, section.end))


# ---------------------------------------------------------------- all that change by themselves


def if_all_moved(old: ReadTurn, new: ReadTurn, shared: Walk, restless: Set[str]) -> IfAllMoved | None:
    """What could be reused with every section last that changes by itself; None with fewer than two.

    Such a section is one of ``restless``, or differs in clocks, dates, ids and counters alone.
    """
    at, low, tokens = shared, Spot(0, 0), tokens_before(new, shared.new)
    paths: list[str] = []
    for _ in range(MOVES):
        found = _restless_at(old, new, at, low, restless)
        if found is None:
            break
        was, section = found
        behind = Spot(was.message, was.end), Spot(section.message, section.end)
        onward = walk(old.turn.messages, new.turn.messages, *behind)
        start = Spot(section.message, min(section.start, at.new.offset))
        own = tokens_before(new, at.new) - tokens_before(new, start)
        tokens += _tokens_behind(new, section, onward) - own
        paths.append(section.path)
        at, low = onward, behind[1]
        if is_end(old.turn.messages, at.old) or is_end(new.turn.messages, at.new):
            break
    return IfAllMoved(tuple(paths), tokens) if len(paths) > 1 else None


def _restless_at(
    old: ReadTurn, new: ReadTurn, at: Walk, low: Spot, restless: Set[str]
) -> tuple[Section, Section] | None:
    """The innermost section at a break, as it was and is, that changes by itself and was not moved yet."""
    olds = {section.path: section for section in sections_at(old, at.old)}
    for section in reversed(sections_at(new, at.new)):
        was = olds.get(section.path)
        if was is None or (section.message, section.start) < (low.message, low.offset):
            continue
        if section.path in restless or _differ_in_values(was, section, at, old, new):
            return was, section
    return None


def _differ_in_values(was: Section, section: Section, at: Walk, old: ReadTurn, new: ReadTurn) -> bool:
    """Whether two versions differ in values alone; the line of the first difference is asked first."""
    before, after = old.turn.messages[was.message].text, new.turn.messages[section.message].text
    if max(was.chars, section.chars) > LARGEST:
        return False
    if masked(_line(before, at.old.offset)) != masked(_line(after, at.new.offset)):
        return False
    return masked(before[was.start : was.end]) == masked(after[section.start : section.end])


def _line(text: str, at: int) -> str:
    """The line around a place, or what is near to the place of a long one."""
    low, high = max(at - NEAR, 0), at + NEAR
    start, end = text.rfind("\n", low, at) + 1, text.find("\n", at, high)
    return text[max(start, low) : end if end >= 0 else high]
