"""Answers whose tags were written with entities: ``&lt;action_call name=&quot;…&quot;&gt;``."""

import re
from dataclasses import replace

from inspector.turns.dialects.card import Tags
from inspector.turns.responses.elements import Elements, elements_of
from inspector.turns.responses.heard import Quirk

_ENTITIES = {"&lt;": "<", "&gt;": ">", "&quot;": '"', "&#34;": '"', "&apos;": "'", "&#39;": "'", "&amp;": "&"}
_ENTITY = re.compile("|".join(_ENTITIES))


def unescaped(text: str) -> tuple[str, list[int]]:
    """A text with its entities replaced, and for each of its places the place in the text before."""
    pieces: list[str] = []
    places: list[int] = []
    position = 0
    for match in _ENTITY.finditer(text):
        pieces += [text[position : match.start()], _ENTITIES[match[0]]]
        places.extend(range(position, match.start() + 1))
        position = match.end()
    pieces.append(text[position:])
    places.extend(range(position, len(text) + 1))
    return "".join(pieces), places


def escaped_elements(text: str, tags: Tags) -> Elements | None:
    """The elements of a text by tags written with entities, with their places; None without any."""
    known = "|".join(
        map(re.escape, filter(None, (tags.container, *tags.reasoning, *tags.calls, *tags.outputs)))
    )
    first = re.search(rf"&lt;/?({known})\b", text) if "&lt;" in text else None
    if first is None:
        return None
    plain, places = unescaped(text)
    found = elements_of(plain, tags)
    if not found.leaves:
        return None
    return Elements(
        leaves=[
            replace(
                leaf,
                start=places[leaf.start],
                end=places[leaf.end],
                body_start=places[leaf.body_start],
                body_end=places[leaf.body_end],
                inner=(),
            )
            for leaf in found.leaves
        ],
        stray=[(places[start], places[end]) for start, end in found.stray],
        quirks=[Quirk("escaped", first.start(), first.end(), first[1])],
        containers=found.containers,
        closed=found.closed,
        cut=found.cut,
    )
