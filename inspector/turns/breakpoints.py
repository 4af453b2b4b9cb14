"""What a provider could read from its cache, given the breakpoints that two requests set.

Anthropic keeps what lies before a breakpoint, and reads it again for a breakpoint at the same place or for
a later one that is not more than some blocks behind it. How long a prompt must be for that differs from
model to model and is not judged here. A breakpoint behind a tool has no text before it.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from inspector.turns.turn import Breakpoint, CacheMark, MarkState, Message, ReadTurn
from inspector.turns.walk import Spot, tokens_before

LOOKBACK = 20
"""Blocks before a breakpoint in which Anthropic looks for what an earlier request left there."""
MOST = 12
"""Most breakpoints that are judged: a request may set four."""


@dataclass(frozen=True, slots=True)
class Shared:
    """How far two requests are alike."""

    tools: int
    """Leading tools that are the same; all of them where messages may be alike at all."""
    spot: Spot | None
    """The first difference of the messages; None when tools or model differ."""


@dataclass(frozen=True, slots=True)
class _Mark:
    """A breakpoint and where it stands."""

    message: int
    """-1 behind a tool."""
    offset: int
    """Code points, or the number of tools before it."""
    blocks: int
    order: int
    """Blocks of the whole request before it."""
    lifetime: str

    @property
    def place(self) -> tuple[int, int, int]:
        """Equal and ordered for two requests that are alike up to it."""
        return (self.message, self.offset, self.blocks)


def cache_marks(old: ReadTurn, new: ReadTurn, shared: Shared) -> tuple[CacheMark, ...]:
    """The breakpoints of the new request, in order, and what of the old one's cache each could read."""
    news = list(_marks(new))
    if not news:
        return ()
    kept = [mark for mark in _marks(old) if _is_shared(mark, old, new, shared)]
    return tuple(_judged(mark, kept, new) for mark in [*news[: MOST - 1], *news[MOST - 1 :][-1:]])


def _judged(mark: _Mark, kept: Sequence[_Mark], new: ReadTurn) -> CacheMark:
    near = [each for each in kept if each.place <= mark.place and mark.order - each.order <= LOOKBACK]
    best = max(near, key=lambda each: each.place, default=None)
    state: MarkState = "missed" if best is None else "hit" if best.place == mark.place else "partly"
    return CacheMark(
        message=mark.message if mark.message >= 0 else None,
        line=_line(mark, new),
        tokens=_tokens(mark, new),
        lifetime=mark.lifetime,
        state=state,
        read_tokens=_tokens(best, new) if best else 0,
    )


def _marks(read: ReadTurn) -> Iterator[_Mark]:
    order = 0
    for order, tool in enumerate(read.turn.tools, 1):
        if tool.breakpoint is not None:
            yield _Mark(-1, order, 1, order, tool.breakpoint.lifetime)
    for index, message in enumerate(read.turn.messages):
        for each in message.breakpoints:
            yield _of_message(index, each, order)
        order += max(len(message.parts), 1)


def _of_message(index: int, each: Breakpoint, order: int) -> _Mark:
    return _Mark(index, each.offset, each.blocks, order + each.blocks, each.lifetime)


def _is_shared(mark: _Mark, old: ReadTurn, new: ReadTurn, shared: Shared) -> bool:
    if mark.message < 0:
        return mark.offset <= shared.tools
    spot = shared.spot
    if spot is None or mark.message > spot.message:
        return False
    if mark.message < spot.message:
        return True
    before, after = old.turn.messages[mark.message], new.turn.messages[mark.message]
    return mark.offset <= spot.offset and _blocks(before, mark.blocks) == _blocks(after, mark.blocks)


def _blocks(message: Message, count: int) -> object:
    """What the first blocks of a message are, but for their text."""
    parts = message.parts[:count]
    calls = sum(1 for part in parts if isinstance(part.value, dict) and {"id", "name"} == set(part.value))
    return parts, message.calls[:calls]


def _tokens(mark: _Mark, read: ReadTurn) -> int:
    return tokens_before(read, Spot(mark.message, mark.offset)) if mark.message >= 0 else 0


def _line(mark: _Mark, read: ReadTurn) -> int | None:
    if mark.message < 0 or mark.message >= len(read.reading.messages):
        return None
    text = read.turn.messages[mark.message].text
    return read.reading.messages[mark.message].line + text.count("\n", 0, max(mark.offset - 1, 0))
