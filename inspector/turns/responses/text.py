"""The grammar of answers in plain words: the whole text is what the model says."""

from inspector.turns.responses.draft import Draft
from inspector.turns.turn import Span


def read(text: str, *, expected: bool) -> Draft:
    """A plain text. It is stray only where a structure was ``expected``."""
    draft = Draft("text", text)
    if expected and text.strip():
        draft.stray = [Span(text, 0, len(text))]
    return draft
