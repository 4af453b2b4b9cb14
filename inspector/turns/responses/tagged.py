"""The grammar of answers in tags: ``<reasoning>``, ``<action_call name>``, ``<output name>``."""

import re

from inspector.turns.arguments import Budget, parse
from inspector.turns.dialects.card import Tags
from inspector.turns.responses.draft import Draft
from inspector.turns.responses.elements import Elements, Leaf, elements_of
from inspector.turns.responses.escaped import escaped_elements, unescaped
from inspector.turns.responses.heard import Quirk
from inspector.turns.turn import Contract, Span

DEFAULT_TAGS = Tags(
    container="response",
    reasoning=("reasoning", "think", "thinking"),
    calls=("action_call",),
    outputs=("output",),
)
"""What is looked for where a dialect has no tags of its own."""
LISTED_MAX = 100
_LISTED = re.compile(r"(?<![\w</.-])[A-Za-z][\w-]{1,80}+(?![\w>])")
LISTING_TAGS = Tags(
    container="response",
    reasoning=("thought", "reasoning", "think"),
    calls=("actions",),
    outputs=("text", "message"),
    names=(),
    lists=("actions",),
)
"""The same where an answer lists its actions by name."""
_IN_NAME = re.compile(r"(?<=<name>)[\w.:-]{1,100}+(?=</name>)")
_WRAPPING = re.compile(r"(?:<\?xml\b[^<>]*+>)?+\s*+(?:```[\w+-]{0,20}+)?+\s*+(?:<\?xml\b[^<>]*+>)?+")


def read(text: str, contract: Contract, tags: Tags) -> Draft:
    """A response text as a draft: spans, calls and outputs that are not yet judged."""
    elements = elements_of(text, tags)
    escaped = escaped_elements(text, tags) if not elements.leaves else None
    elements = escaped or elements
    draft = Draft("tagged", text, complete=not elements.cut, quirks=list(elements.quirks))
    draft.stray = [
        Span(text[start:end], start, end) for start, end in elements.stray if not _is_fence(text[start:end])
    ]
    _note_fence(draft, elements)
    budget = Budget()
    for leaf in elements.leaves:
        body = text[leaf.body_start : leaf.body_end]
        values = parse(unescaped(body)[0], budget).value if escaped else None
        if leaf.role == "reasoning":
            draft.reasoning.append(Span(body, leaf.body_start, leaf.body_end))
            _note_inner(draft, leaf)
        elif leaf.role == "call" and leaf.tag in tags.lists:
            _listed(draft, leaf, body, contract, budget)
        elif leaf.role == "call":
            draft.call(
                leaf.name or "",
                body,
                leaf.attributes,
                (leaf.start, leaf.end, leaf.body_start),
                contract,
                budget,
                values=values,
            )
        else:
            draft.output(
                leaf.name or "",
                body,
                leaf.attributes,
                (leaf.start, leaf.end, leaf.body_start),
                contract,
                budget,
            )
    return draft


def _listed(draft: Draft, leaf: Leaf, body: str, contract: Contract, budget: Budget) -> None:
    """Calls that are only named, one after another, in ``<name>`` tags or not."""
    pattern = _IN_NAME if "<name>" in body else _LISTED
    for match, _ in zip(pattern.finditer(body), range(LISTED_MAX), strict=False):
        start, end = leaf.body_start + match.start(), leaf.body_start + match.end()
        draft.call(match[0], "", {}, (start, end, end), contract, budget, values={})


def _note_inner(draft: Draft, leaf: Leaf) -> None:
    """Calls and outputs that were written inside reasoning: nothing comes of them."""
    for tag in leaf.inner:
        if tag.shape in ("open", "empty") and tag.attributes and tag.name != leaf.tag:
            draft.quirks.append(
                Quirk("call-in-reasoning", tag.start, tag.end, tag.name, "" if leaf.closed else "unclosed")
            )


def _is_fence(text: str) -> bool:
    """Whether a text is nothing but a fence line or an XML declaration around the answer."""
    return len(text) < 200 and _WRAPPING.fullmatch(text.strip()) is not None


def _note_fence(draft: Draft, elements: Elements) -> None:
    for start, end in elements.stray:
        if _is_fence(draft.text[start:end]):
            draft.quirks.append(Quirk("fenced", start, end))
            return
