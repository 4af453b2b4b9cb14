"""The grammar of answers whose action is Python code: a thought, a fence of code, then ``<end_code>``."""

import re

from inspector.turns.arguments import Budget
from inspector.turns.responses.draft import Draft
from inspector.turns.responses.heard import Quirk
from inspector.turns.turn import Contract, Span

NAME = "python_interpreter"
_END = re.compile(r"(?:\n[ \t]{0,8}```[ \t]{0,8})?<end_code>")
_OPEN = re.compile(r"^(?:Code:[ \t]{0,8}\n)?[ \t]{0,8}```(?:py|python)?[ \t]{0,8}\n", re.MULTILINE)
_LABEL = re.compile(r"\A\s{0,20}Thought:[ \t]{0,8}")


def looks_like(text: str) -> bool:
    """Whether a text has the mark that ends such code."""
    return "<end_code>" in text


def read(text: str, contract: Contract) -> Draft:
    """A text as a thought and its code; without an opening fence all before the end is code."""
    draft = Draft("markers", text)
    ending = _END.search(text)
    end = ending.start() if ending else len(text)
    opening = _OPEN.search(text, 0, end)
    start = opening.start() if opening else 0
    body = opening.end() if opening else 0
    stop = ending.end() if ending else len(text)
    if label := _LABEL.match(text, 0, start):
        _think(draft, label.end(), start)
    else:
        _think(draft, 0, start)
    raw = text[body:end]
    draft.call(NAME, raw, {}, (start, stop, body), contract, Budget(), values={"code": raw.strip()})
    if opening is None:
        draft.quirks.append(Quirk("no-opening-fence", start, end))
    if text[stop:].strip():
        draft.stray.append(Span(text[stop:], stop, len(text)))
    return draft


def _think(draft: Draft, start: int, end: int) -> None:
    words = draft.text[start:end].strip()
    if words:
        at = draft.text.index(words, start)
        draft.reasoning.append(Span(words, at, at + len(words)))
