"""What two prompts share from the first token on, where that ends and why, and what it costs.

A provider's cache reads the tools, then the messages in their order. Tools are compared as a whole:
when they differ, or the model does, nothing of the text can be reused. Characters and tokens are
those of the messages' texts, as everywhere in a reading. A prompt that only continues the old one,
or is its beginning, is not broken: ``broken_at`` is None.
"""

from collections.abc import Set
from dataclasses import replace

from inspector.turns.breakpoints import Shared, cache_marks
from inspector.turns.breaks import break_in_text, break_of_offer
from inspector.turns.key_order import swapped
from inspector.turns.moves import if_all_moved, if_moved, worth
from inspector.turns.turn import Break, Prefix, ReadTurn
from inspector.turns.walk import Walk, is_end, tokens_before, walk

NOTHING: Set[str] = frozenset()


def prefix(old: ReadTurn, new: ReadTurn, restless: Set[str] = NOTHING) -> Prefix:
    """What ``new`` shares with ``old`` from the first token on.

    ``restless``: paths of sections that are known to change at nearly every turn of the session.
    """
    offer = break_of_offer(old, new)
    if offer is not None:
        return _without_messages(old, new, offer)
    olds, news = old.turn.messages, new.turn.messages
    shared = walk(olds, news)
    if is_end(olds, shared.old) or is_end(news, shared.new):
        return _shared(old, new, shared, None)
    return _broken(old, new, shared, restless)


def _without_messages(old: ReadTurn, new: ReadTurn, offer: Break) -> Prefix:
    """Model or tools differ, so that no text can be reused."""
    tokens = new.reading.tokens
    return Prefix(
        shared_tokens=0,
        shared_chars=0,
        tokens=tokens,
        ratio=0.0,
        broken_at=offer,
        rebilled_tokens=min(old.reading.tokens, tokens),
        reported_cached_tokens=_reported(new),
        breakpoints=cache_marks(old, new, Shared(_equal_tools(old, new, offer), None)),
    )


def _equal_tools(old: ReadTurn, new: ReadTurn, offer: Break) -> int:
    if offer.cause == "model":
        return 0
    pairs = enumerate(zip(old.turn.tools, new.turn.tools, strict=False))
    differ = (index for index, (was, now) in pairs if was != now or swapped(was.schema, now.schema))
    return next(differ, len(old.turn.tools))


def _shared(old: ReadTurn, new: ReadTurn, shared: Walk, broken: Break | None) -> Prefix:
    tokens = new.reading.tokens
    before = tokens_before(new, shared.new)
    return Prefix(
        shared_tokens=before,
        shared_chars=shared.chars,
        tokens=tokens,
        ratio=round(before / tokens, 4) if tokens else 1.0,
        broken_at=broken,
        rebilled_tokens=max(min(old.reading.tokens, tokens) - before, 0) if broken else 0,
        reported_cached_tokens=_reported(new),
        breakpoints=cache_marks(old, new, Shared(len(new.turn.tools), shared.new)),
    )


def _broken(old: ReadTurn, new: ReadTurn, shared: Walk, restless: Set[str]) -> Prefix:
    found = _shared(old, new, shared, break_in_text(old, new, shared.new))
    least = found.shared_tokens + worth(new)
    one = if_moved(old, new, shared)
    one = one if one and one.shared_tokens >= least else None
    least = (one.shared_tokens if one else found.shared_tokens) + worth(new)
    everything = if_all_moved(old, new, shared, restless) if least <= new.reading.tokens else None
    everything = everything if everything and everything.shared_tokens >= least else None
    return replace(found, if_moved=one, if_all_moved=everything)


def _reported(new: ReadTurn) -> int | None:
    return new.turn.usage.cache_read_tokens if new.turn.usage else None
