"""What two prompts share from the first token on, where that ends and why, and what it costs.

A provider's cache reads the tools, then the messages in their order. Tools are compared as a whole:
when they differ, or the model does, nothing of the text can be reused. Characters and tokens are
those of the messages' texts, as everywhere in a reading. A prompt that only continues the old one,
or is its beginning, is not broken: ``broken_at`` is None.
"""

from inspector.turns.breaks import break_in_text, break_of_offer
from inspector.turns.turn import IfMoved, Prefix, ReadTurn, Section
from inspector.turns.walk import Spot, Walk, is_end, sections_at, tokens_before, walk

LEAST_GAIN = 8
"""Fewest tokens that a move must save to be named; of a long prompt two in a hundred."""


def prefix(old: ReadTurn, new: ReadTurn) -> Prefix:
    """What ``new`` shares with ``old`` from the first token on."""
    offer = break_of_offer(old, new)
    if offer is not None:
        tokens = new.reading.tokens
        return Prefix(0, 0, tokens, 0.0, offer, min(old.reading.tokens, tokens), _reported(new))
    olds, news = old.turn.messages, new.turn.messages
    shared = walk(olds, news)
    if is_end(olds, shared.old) or is_end(news, shared.new):
        return _unbroken(new, shared)
    return _broken(old, new, shared)


def _unbroken(new: ReadTurn, shared: Walk) -> Prefix:
    tokens = new.reading.tokens
    before = tokens_before(new, shared.new)
    return Prefix(before, shared.chars, tokens, _ratio(before, tokens), None, 0, _reported(new))


def _broken(old: ReadTurn, new: ReadTurn, shared: Walk) -> Prefix:
    tokens = new.reading.tokens
    before = tokens_before(new, shared.new)
    return Prefix(
        shared_tokens=before,
        shared_chars=shared.chars,
        tokens=tokens,
        ratio=_ratio(before, tokens),
        broken_at=break_in_text(old, new, shared.new),
        rebilled_tokens=max(min(old.reading.tokens, tokens) - before, 0),
        reported_cached_tokens=_reported(new),
        if_moved=_if_moved(old, new, shared, before),
    )


def _ratio(shared: int, tokens: int) -> float:
    return round(shared / tokens, 4) if tokens else 1.0


def _reported(new: ReadTurn) -> int | None:
    return new.turn.usage.cache_read_tokens if new.turn.usage else None


def _if_moved(old: ReadTurn, new: ReadTurn, shared: Walk, before: int) -> IfMoved | None:
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
    tokens = tokens_before(new, start) + (
        tokens_before(new, onward.new) - tokens_before(new, Spot(section.message, section.end))
    )
    worth = max(LEAST_GAIN, new.reading.tokens // 50)
    return IfMoved(section.path, tokens) if tokens >= before + worth else None


def _past(section: Section, olds: list[Section], shared: Walk) -> tuple[Spot, Spot]:
    """Where both prompts go on behind a section; the old one where it stood if it has no such section."""
    after = Spot(section.message, section.end)
    for candidate in olds:
        if candidate.start == section.start and candidate.path == section.path:
            return Spot(candidate.message, candidate.end), after
    return Spot(shared.old.message, min(section.start, shared.old.offset)), after
