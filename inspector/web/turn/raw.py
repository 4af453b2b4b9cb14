"""The prompt as it was, line by line over all messages, a page at a time."""

from dataclasses import dataclass

from django.utils.safestring import SafeString

from inspector.turns.turn import MessageFacts
from inspector.web.code_lines import fitting, nodes
from inspector.web.highlight import Span, highlighted
from inspector.web.markup import LONGEST, CodeLine, code
from inspector.web.titles import titles
from inspector.web.turn.panels import PART_NODES, PromptView
from inspector.web.verdicts import flags, worst

LINES = 300
LETTERS = 80_000
MESSAGES = 60


@dataclass(frozen=True, slots=True)
class RawMessage:
    """The lines of one message that are on this page."""

    title: str
    facts: MessageFacts
    code: SafeString
    index: int = 0
    """Which message it is."""


@dataclass(frozen=True, slots=True)
class Raw:
    """One page."""

    messages: list[RawMessage]
    first_line: int
    last_line: int
    next_line: int | None

    @property
    def before(self) -> int:
        """First line of the page before."""
        return max(1, self.first_line - LINES)


def raw(view: PromptView, first: int, marked: int | None = None) -> Raw:
    """The page that begins with line ``first``."""
    facts, names = view.reading.messages, titles(view.turn)
    first = max(1, min(first, view.reading.lines or 1))
    found: list[RawMessage] = []
    line, letters, left, room = first, 0, LINES, PART_NODES
    for index, fact in enumerate(facts):
        following = facts[index + 1].line if index + 1 < len(facts) else view.reading.lines + 1
        if following <= line:
            continue
        if left <= 0 or room <= 0 or letters > LETTERS or len(found) >= MESSAGES:
            break
        texts = view.turn.messages[index].text.split("\n")[line - fact.line :]
        kept: list[str] = []
        while len(kept) < min(len(texts), left) and letters <= LETTERS:
            kept.append(texts[len(kept)])
            letters += min(len(kept[-1]), LONGEST)
        drawn = lines(view, kept, line, marked)
        fits = fitting(drawn, room)
        room -= nodes(drawn[:fits]) + 8
        kept = kept[:fits]
        title = names[index] if index < len(names) else f"Message {index + 1}"
        found.append(RawMessage(title, fact, code(drawn[:fits]), index))
        line += len(kept)
        left -= len(kept)
        if len(kept) < len(texts):
            break
    return Raw(found, first, line - 1, line if line <= view.reading.lines else None)


def lines(view: PromptView, texts: list[str], first: int, marked: int | None) -> list[CodeLine]:
    """These lines with colours and flags."""
    coloured = highlighted("\n".join(text[: LONGEST + 1] for text in texts))
    found = []
    for offset, text in enumerate(texts):
        number = first + offset
        here = view.flagged.get(number, [])
        spans = coloured[offset] if len(text) <= LONGEST else [Span("", text)]
        found.append(CodeLine(number, f"L{number}", spans, worst(here), flags(here), number == marked))
    return found
