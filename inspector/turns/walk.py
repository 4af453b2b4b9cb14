"""Walking two prompts side by side from the first character on, and what lies before a spot."""

from collections.abc import Sequence

from inspector.turns.shape import shape
from inspector.turns.tokens import count_all
from inspector.turns.turn import Message, ReadTurn, Section


@shape
class Spot:
    """A place in a prompt."""

    message: int
    offset: int
    """Code points into the message's text."""


START = Spot(0, 0)


@shape
class Walk:
    """How far two prompts are alike: the spots of the first difference, and the code points before it."""

    old: Spot
    new: Spot
    chars: int


def walk(olds: Sequence[Message], news: Sequence[Message], old: Spot = START, new: Spot = START) -> Walk:
    """Walk on from two spots until the prompts differ or one of them ends."""
    i, a, j, b, chars = old.message, old.offset, new.message, new.offset, 0
    while i < len(olds) and j < len(news):
        before, after = olds[i], news[j]
        if a == 0 == b and _head(before) != _head(after):
            break
        shared = shared_length(before.text, a, after.text, b)
        a, b, chars = a + shared, b + shared, chars + shared
        if a < len(before.text) or b < len(after.text) or _beside(before) != _beside(after):
            break
        i, a, j, b = i + 1, 0, j + 1, 0
    return Walk(Spot(i, a), Spot(j, b), chars)


def shared_length(old: str, a: int, new: str, b: int) -> int:
    """How many code points two texts share from ``a`` and ``b`` on; compares slices, not characters."""
    most = min(len(old) - a, len(new) - b)
    if old[a : a + most] == new[b : b + most]:
        return most
    at, size = 0, 256
    while size:
        size = min(size, most - at)
        if old[a + at : a + at + size] == new[b + at : b + at + size]:
            at += size
            size *= 4
        else:
            most = at + size
            size //= 2 if size < 8 else 4
    return at


def _head(message: Message) -> object:
    return (message.role, message.name, message.call_id)


def _beside(message: Message) -> object:
    """What is sent with the text: native calls, images and the like."""
    return (message.calls, [part for part in message.parts if part.value is not None])


def is_end(messages: Sequence[Message], spot: Spot) -> bool:
    """The prompt ends at this spot, or could be continued there without a change to what is before."""
    if spot.message >= len(messages):
        return True
    last = messages[spot.message]
    return spot.message == len(messages) - 1 and 0 < spot.offset == len(last.text) and not last.calls


def tokens_before(read: ReadTurn, spot: Spot) -> int:
    """Tokens of a prompt's text before a spot: those of whole messages and sections, and the rest counted."""
    reading = read.reading
    total = sum(facts.tokens for facts in reading.messages[: spot.message])
    if spot.message >= len(reading.messages) or spot.offset == 0:
        return min(total, reading.tokens)
    text = read.turn.messages[spot.message].text
    at = 0
    loose: list[str] = []
    for section in sections_of_message(reading.sections, spot.message):
        if section.start >= at and section.end <= spot.offset:
            loose.append(text[at : section.start])
            total += section.tokens
            at = section.end
    loose.append(text[at : spot.offset])
    return min(total + sum(count_all([piece for piece in loose if piece])), reading.tokens)


def sections_of_message(sections: Sequence[Section], message: int) -> list[Section]:
    """The sections of one message, in their order."""
    return [section for section in sections if section.message == message]


def sections_at(read: ReadTurn, spot: Spot) -> list[Section]:
    """The sections that hold a spot, outermost first; at the end of a text those that end there.

    Blank space that ends a section is given to the section behind it: that is what came or went.
    """
    if spot.message >= len(read.turn.messages):
        return []
    text = read.turn.messages[spot.message].text
    sections = sections_of_message(read.reading.sections, spot.message)
    inside = spot.offset if spot.offset < len(text) else max(spot.offset - 1, 0)
    found = _holding(sections, inside)
    behind = found[0].end if found else len(text)
    if behind < len(text) and text[inside:behind].isspace():
        return _holding(sections, behind)
    return found


def _holding(sections: Sequence[Section], offset: int) -> list[Section]:
    return [section for section in sections if section.start <= offset < section.end]
