"""The rule on the same words in several places of a prompt."""

import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterator
from hashlib import sha256
from itertools import islice

from inspector.turns.findings.dialogue import RULERS, carries_results
from inspector.turns.findings.pieces import Piece, pieces
from inspector.turns.findings.prompt_structure import duplicates
from inspector.turns.findings.rule import Context, Rule, shown
from inspector.turns.shape import shape
from inspector.turns.tokens import count
from inspector.turns.turn import Finding, Section

PARAGRAPH = 600
"""Shortest paragraph whose repetition is told."""
BLOCK = 20
"""Shortest tagged block at the beginning of a message whose repetition is told."""
SYSTEM = 40
MUCH = 500
"""Tokens from which a repetition is a warning."""
LINE = 8
WASTE = 150
"""Tokens from which a repeated block is told, unless it is most of what the user's messages say."""
_OWN = (
    "instructions",
    "documents",
    "environment",
    "format",
    "actions",
    "outputs",
    "memory",
    "contexts",
    "other",
)
_TAG = re.compile(r"\s{0,20}<([A-Za-z][\w-]{1,40})(?:\s[^<>]{0,200})?>")


@shape
class _Paragraph:
    message: int
    start: int
    end: int


def _repeated(context: Context) -> Iterator[Finding]:
    yield from _systems(context)
    yield from _blocks(context)
    yield from _lines(context)
    yield from _paragraphs(context)


def _systems(context: Context) -> Iterator[Finding]:
    """A system message that another one holds as a whole."""
    systems = _first_systems(context)
    for place, (index, text) in enumerate(systems[:20]):
        for other, whole in systems[:20]:
            if other == index or text not in whole or (text == whole and other > index):
                continue
            message = context.turn.messages[other].text
            start = message.index(text)
            yield DUPLICATE_CONTENT.finding(
                f"This system message holds all of system message {place + 1} again, word for word "
                f"({count(text)} tokens).",
                context.in_prompt(other, start, start + len(text)),
                "Send it once.",
                {"first": index, "second": other, "tokens": count(text), "share": 100},
            )
            break


def _first_systems(context: Context) -> list[tuple[int, str]]:
    """The system messages that a conversation begins with."""
    found = []
    for index, message in enumerate(context.turn.messages):
        if message.role not in RULERS:
            break
        if len(message.text) >= SYSTEM:
            found.append((index, message.text.strip()))
    return found


def _blocks(context: Context) -> Iterator[Finding]:
    """Tagged blocks that begin the user's messages: repeated in each, or said by the system already."""
    groups: dict[str, list[tuple[int, int, int]]] = defaultdict(list)
    for index, message in enumerate(context.turn.messages):
        if message.role == "user" and not carries_results(message) and "</" in message.text:
            span = _block(message.text)
            if span is not None:
                groups[message.text[span[0] : span[1]]].append((index, *span))
    for text, places in groups.items():
        if len(places) > 1:
            yield from _told_block(context, text, places)
        else:
            yield from _told_above(context, text, places[0])


def _block(text: str) -> tuple[int, int] | None:
    opening = _TAG.match(text)
    if opening is None:
        return None
    end = text.find(f"</{opening[1]}>", opening.end())
    if end < 0 or end - opening.end() < BLOCK - 12:
        return None
    start = opening.start() + len(opening[0]) - len(opening[0].lstrip())
    return start, end + len(opening[1]) + 3


def _told_block(context: Context, text: str, places: list[tuple[int, int, int]]) -> Iterator[Finding]:
    total = sum(len(message.text) for message in context.turn.messages if message.role == "user")
    share = round(100 * len(text) * len(places) / max(total, 1))
    tokens = _tokens(context, text) * (len(places) - 1)
    if tokens < WASTE and share < 50:
        return
    message, start, end = places[-1]
    yield DUPLICATE_CONTENT.finding(
        f"{shown(text)} stands in {len(places)} messages of the user, unchanged: {share} % of what they say, "
        f"{tokens} tokens more than once would take.",
        context.in_prompt(message, start, end),
        "Put it in once, or only when it changed.",
        {
            "messages": [place[0] for place in places[:50]],
            "count": len(places),
            "tokens": tokens,
            "share": share,
        },
        "warning" if tokens >= MUCH else None,
    )


def _told_above(context: Context, text: str, place: tuple[int, int, int]) -> Iterator[Finding]:
    body = text[text.index(">") + 1 : text.rindex("<")].strip()
    if len(body) < BLOCK or place[0] > 3:
        return
    for index, message in enumerate(context.turn.messages[: place[0]]):
        at = message.text.find(body) if message.role in RULERS else -1
        if at >= 0:
            line = context.lines.line(index, at)
            yield DUPLICATE_CONTENT.finding(
                f"This says again what the system's text says at line {line}: {shown(body)} "
                f"({count(body)} tokens).",
                context.in_prompt(*place),
                "Say it in one place.",
                {"first": index, "second": place[0], "tokens": count(body), "line": line},
            )
            return


def _lines(context: Context) -> Iterator[Finding]:
    """A line of the system's text that stands several times in a row, more often than in the turn before."""
    previous = context.previous.turn.messages if context.previous else ()
    for index, message in enumerate(context.turn.messages):
        old = previous[index].text if index < len(previous) else ""
        if message.role not in RULERS or not old or message.text == old:
            continue
        earlier = _runs(old)
        for line, (at, times) in islice(_runs(message.text).items(), 50):
            before = earlier[line][1] if line in earlier else min(old.count(line), 1)
            if 0 < before < times:
                yield DUPLICATE_CONTENT.finding(
                    f"{shown(line)} stands here {times} times in a row; in the turn before it was {before}.",
                    context.in_prompt(index, at, at + len(line)),
                    "Something adds it at every request instead of once.",
                    {"count": times, "before": before, "tokens": count(line) * (times - 1)},
                )
                break


def _runs(text: str) -> dict[str, tuple[int, int]]:
    """Lines that follow themselves: where the first one is and how often."""
    found: dict[str, tuple[int, int]] = {}
    last, at, start, times = "", 0, 0, 1
    for line in text.split("\n"):
        if line == last and len(line) >= LINE and any(character.isalpha() for character in line):
            times += 1
            if times > found.get(line, (0, 0))[1]:
                found[line] = (start, times)
        else:
            last, start, times = line, at, 1
        at += len(line) + 1
    return found


def _paragraphs(context: Context) -> Iterator[Finding]:
    """Long paragraphs of the program's own text that stand twice."""
    seen: dict[bytes, _Paragraph] = {}
    pairs: list[tuple[_Paragraph, _Paragraph]] = []
    told = sorted(
        (other for _, others in duplicates(context) for other in others),
        key=lambda one: (one.message, one.start),
    )
    for piece in pieces(context):
        if not _is_own(context, piece) or _is_told(piece, told):
            continue
        for digest, start, end in _digests(context, piece):
            here = _Paragraph(piece.message, piece.start + start, piece.start + end)
            first = seen.setdefault(digest, here)
            if first is not here:
                pairs.append((first, here))
    stretches: dict[int, list[tuple[_Paragraph, _Paragraph]]] = defaultdict(list)
    for first, second in _joined(pairs):
        stretches[first.message].append((first, second))
    for found in stretches.values():
        yield _told_paragraphs(context, found)


def _is_told(piece: Piece, told: list[Section]) -> bool:
    """Whether a whole section that stands again holds it, which the rule on sections tells."""
    place = bisect_right(told, (piece.message, piece.start), key=lambda one: (one.message, one.start)) - 1
    return place >= 0 and told[place].message == piece.message and piece.start < told[place].end


def _told_paragraphs(context: Context, found: list[tuple[_Paragraph, _Paragraph]]) -> Finding:
    """One finding a message that is said again: the longest stretch, and what all repetitions cost."""
    first, second = max(found, key=lambda pair: pair[1].end - pair[1].start)
    texts = [context.turn.messages[two.message].text[two.start : two.end] for _, two in found]
    text = context.turn.messages[second.message].text[second.start : second.end]
    line = context.lines.line(first.message, first.start)
    tokens = sum(_tokens(context, each) for each in texts)
    stretches = len({one for one, _ in found})
    more = f" and {stretches - 1} more stretches" if stretches > 1 else ""
    places = len({two.message for _, two in found})
    where = f"in {places} more messages" if places > 1 else "a second time"
    return DUPLICATE_CONTENT.finding(
        f"These words{more} stand {where}, first at line {line}: {shown(text)} ({tokens} tokens).",
        context.in_prompt(second.message, second.start, second.end),
        "Say it in one place.",
        {"line": line, "tokens": tokens, "stretches": stretches, "messages": places},
        "warning" if tokens >= MUCH else None,
    )


def _tokens(context: Context, text: str) -> int:
    """Tokens of a text, remembered by its digest."""
    if context.memo is None:
        return count(text)
    key = f"tokens:{sha256(text.encode('utf-8', 'surrogatepass')).hexdigest()}"
    known: int | None = context.memo.get(key)
    if known is None:
        known = count(text)
        context.memo.set(key, known)
    return known


def _is_own(context: Context, piece: Piece) -> bool:
    if piece.end - piece.start < PARAGRAPH or piece.section.kind not in _OWN:
        return False
    role = context.turn.messages[piece.message].role
    return role in RULERS or len(context.turn.messages) == 1


def _digests(context: Context, piece: Piece) -> tuple[tuple[bytes, int, int], ...]:
    """Long paragraphs of a piece by digest, remembered by the piece's text."""
    text = context.turn.messages[piece.message].text[piece.start : piece.end]
    if context.memo is None:
        return _paragraphs_of(text)
    whole = piece.end - piece.start == piece.section.chars
    identity = piece.section.digest if whole else sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
    key = f"paragraphs:{identity}:{len(text)}"
    known: tuple[tuple[bytes, int, int], ...] | None = context.memo.get(key)
    if known is None:
        known = _paragraphs_of(text)
        context.memo.set(key, known)
    return known


def _paragraphs_of(text: str) -> tuple[tuple[bytes, int, int], ...]:
    found = []
    at = 0
    for block in text.split("\n\n"):
        words = block.strip() if len(block) >= PARAGRAPH else ""
        if len(words) >= PARAGRAPH:
            start = at + block.index(words)
            digest = sha256(words.encode("utf-8", "surrogatepass")).digest()[:16]
            found.append((digest, start, start + len(words)))
        at += len(block) + 2
    return tuple(found)


def _joined(pairs: list[tuple[_Paragraph, _Paragraph]]) -> Iterator[tuple[_Paragraph, _Paragraph]]:
    """Repeated paragraphs that follow each other, as one stretch."""
    run: tuple[_Paragraph, _Paragraph] | None = None
    for first, second in pairs:
        if run is not None and run[1].message == second.message and 0 <= second.start - run[1].end <= 8:
            run = (run[0], _Paragraph(second.message, run[1].start, second.end))
            continue
        if run is not None:
            yield run
        run = (first, second)
    if run is not None:
        yield run


DUPLICATE_CONTENT = Rule(
    "duplicate-content",
    "info",
    "The same words in several places",
    "A system message holds another one again, a tagged block stands unchanged in several messages of the "
    "user or "
    "in the system's text as well, a line is added again at every turn, or a long paragraph of the "
    "program's own "
    "text stands twice. The finding tells what it costs; from 500 tokens on it is a warning. "
    "Conversations, results "
    "and documents that people quote may repeat themselves.\n\n"
    "What to do: say it once. When one copy changes, the model reads both.",
    _repeated,
)

RULES = (DUPLICATE_CONTENT,)
