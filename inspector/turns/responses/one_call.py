"""The grammar of answers that end in one function call: ``do(action="Tap", element=[1, 2])``, in tags or not.

Agents that work a phone or a browser answer so, after reasoning in tags or in words. A text that is one call
and nothing else may be of any function whose call the prompt shows.
"""

import re

from inspector.turns.arguments import Budget
from inspector.turns.dialects.card import Tags
from inspector.turns.responses.draft import Draft
from inspector.turns.responses.elements import elements_of
from inspector.turns.responses.pythonic import pythonic_calls
from inspector.turns.turn import Contract, Span

NAMES = frozenset({"do", "finish"})
"""Functions that are calls wherever they come."""
CALL_MAX = 4_000
"""Longest call that is read, in code points."""
_OPEN = re.compile(r"(?:^`?|<answer>|</think>)[ \t\r\n]{0,20}+([A-Za-z_]\w{0,60}+)\((?=[\w)])", re.MULTILINE)
_CLOSE = re.compile(r"`?\s*+(?:</answer>)?\s*+\Z")
_REASONING = Tags(reasoning=("think", "thinking"))


def read(text: str, contract: Contract, prompt: str = "") -> Draft | None:
    """A text that ends in such a call, or None. ``prompt``: its last message, which may show how to call."""
    ending = _CLOSE.search(text, max(len(text) - 200, 0))
    end = ending.start() if ending else len(text)
    tail = max(end - CALL_MAX, 0)
    if text[end - 1 : end] != ")":
        return None
    names = NAMES | {offer.name for offer in contract.actions[:500]}
    for match in _OPEN.finditer(text, tail, end):
        start = match.start(1)
        is_shown = match.start() == 0 and f"{match[1]}(" in prompt
        calls = pythonic_calls(f"[{text[start:end]}]") if is_shown or match[1] in names else []
        if len(calls) == 1:
            name, arguments, _ = calls[0]
            draft = Draft("markers", text)
            where = (start, end, start)
            draft.call(name, text[start:end], {}, where, contract, Budget(), values=arguments)
            _think(draft, match.start())
            return draft
    return None


def _think(draft: Draft, end: int) -> None:
    """What stands before the call is reasoning, in tags or not."""
    leaves = elements_of(draft.text, _REASONING).leaves
    for leaf in leaves:
        draft.reasoning.append(
            Span(draft.text[leaf.body_start : leaf.body_end], leaf.body_start, leaf.body_end)
        )
    begin = max((leaf.end for leaf in leaves), default=0)
    words = draft.text[begin:end]
    if end > begin and words.strip():
        draft.reasoning.append(Span(words, begin, end))
