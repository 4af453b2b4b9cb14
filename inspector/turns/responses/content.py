"""The grammar of answers between ``[CONTENT]`` and ``[/CONTENT]``: one output, mostly JSON."""

from inspector.turns.arguments import Budget
from inspector.turns.responses.draft import Draft
from inspector.turns.responses.heard import Quirk
from inspector.turns.turn import Contract, Span

_OPEN, _CLOSE = "[CONTENT]", "[/CONTENT]"
NAME = "content"


def looks_like(text: str) -> bool:
    """Whether a text's first line that says anything is the opening mark, or a fence right above it."""
    return text[:200].lstrip("` \r\n").startswith(_OPEN)


def read(text: str, contract: Contract) -> Draft:
    """A text by its two marks; without the second one the content goes on to the end."""
    draft = Draft("tagged", text)
    start = text.index(_OPEN)
    body = start + len(_OPEN)
    close = text.rfind(_CLOSE, body)
    end = close if close >= 0 else len(text)
    if close < 0:
        draft.complete = False
        draft.quirks.append(Quirk("unclosed", start, body, "CONTENT", "cut"))
    after = end + len(_CLOSE) if close >= 0 else end
    raw = text[body:end].strip()
    at = body + text[body:end].find(raw)
    draft.output(NAME, raw, {}, (start, after, at), contract, Budget())
    if text[after:].strip("` \r\n"):
        draft.stray.append(Span(text[after:], after, len(text)))
    return draft
