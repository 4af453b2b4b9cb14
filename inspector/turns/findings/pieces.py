"""A prompt in pieces that repeat from turn to turn, so that what depends on text alone is looked at once."""

from collections.abc import Iterator, Sequence
from hashlib import sha256

from inspector.turns.findings import marks, scanning
from inspector.turns.findings.dates import dates_in
from inspector.turns.findings.rule import Context
from inspector.turns.findings.scanning import Hit
from inspector.turns.shape import shape
from inspector.turns.turn import Section
from inspector.turns.watch import Watch


@shape
class Piece:
    """A section without children, or the stretch of one between its children."""

    message: int
    start: int
    end: int
    section: Section


@shape
class Found:
    """Something seen in a piece of a prompt; offsets are into the message's text."""

    section: Section
    start: int
    end: int
    hit: Hit


def found_in(context: Context) -> Sequence[Found]:
    """All that scanning the prompt's text brought up, worked out once a turn and remembered by text."""
    if "hits" not in context.cache:
        context.cache["hits"] = list(_found(context))
    found: Sequence[Found] = context.cache["hits"]
    return found


def pieces(context: Context) -> Sequence[Piece]:
    """The pieces of the turn at hand, worked out once."""
    if "pieces" not in context.cache:
        context.cache["pieces"] = list(pieces_of(context.sections))
    found: Sequence[Piece] = context.cache["pieces"]
    return found


def _found(context: Context) -> Iterator[Found]:
    for piece in pieces(context):
        text = context.turn.messages[piece.message].text[piece.start : piece.end]
        for hit in hits_of(context, text):
            yield Found(piece.section, piece.start + hit.start, piece.start + hit.end, hit)


def hits_of(context: Context, text: str) -> tuple[Hit, ...]:
    """All that scanning a stretch of prompt text brings up, remembered by the text."""
    if context.memo is None:
        return _seen_in(text)
    key = f"hits:{sha256(text.encode('utf-8', 'surrogatepass')).hexdigest()}"
    known: tuple[Hit, ...] | None = context.memo.get(key)
    if known is None:
        known = _seen_in(text)
        context.memo.set(key, known)
    return known


_WATCH = Watch((*scanning.WORDS, *marks.WORDS))


def _seen_in(text: str) -> tuple[Hit, ...]:
    seen = _WATCH.seen(text)
    return (*scanning.hits_in(text, seen), *marks.marks_in(text, seen), *dates_in(text))


def pieces_of(sections: Sequence[Section]) -> Iterator[Piece]:
    """The pieces that a section tree falls into; together they are the whole prompt."""
    opened: list[tuple[Section, int]] = []
    for section in sections:
        while opened and not _holds(opened[-1][0], section):
            yield from _rest(*opened.pop())
        if opened:
            parent, at = opened.pop()
            if at < section.start:
                yield Piece(parent.message, at, section.start, parent)
            opened.append((parent, section.end))
        opened.append((section, section.start))
    while opened:
        yield from _rest(*opened.pop())


def _holds(parent: Section, child: Section) -> bool:
    return parent.message == child.message and parent.depth < child.depth


def _rest(section: Section, at: int) -> Iterator[Piece]:
    if at < section.end:
        yield Piece(section.message, at, section.end, section)
