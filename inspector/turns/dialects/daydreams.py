"""Daydreams: one user message that holds the whole prompt, tagged sections in a fixed order, a tagged answer.

Layouts by their first version: 0.2.0, 0.3.0, 0.3.9, 0.3.13, 0.3.16, 0.3.20, then ``seed``, the layout of the
framework's own documentation page, and ``custom``, whatever an agent's own builder wrote. Nothing that users,
tools or models wrote is escaped.
"""

from collections.abc import Mapping

from inspector.turns.dialects import daydreams_layouts as layouts
from inspector.turns.dialects.anchors import Found, Order, close_of, find, forged
from inspector.turns.dialects.card import Cut, Dialect, Note, Piece, Tags
from inspector.turns.dialects.chat import Chat
from inspector.turns.dialects.daydreams_layouts import Layout
from inspector.turns.dialects.entries import entries
from inspector.turns.dialects.keyed_lines import keyed_lines
from inspector.turns.dialects.names import own_kind
from inspector.turns.dialects.statics import by_headings, by_leads
from inspector.turns.turn import Turn

CUSTOM = "custom"
_PREFILLS = ("<response>", "<response>\n<reasoning>")


def likelihood(turn: Turn) -> float:
    """By the first words of the prompt, else by its boundaries, else by the prefill."""
    index = _prompt(turn)
    if index is None:
        return 0.0
    text = turn.messages[index].text
    if layouts.by_first_words(text):
        return 0.98
    if layouts.by_boundaries(text):
        return 0.9
    return 0.3 if turn.prefill.strip() in _PREFILLS else 0.0


def split(turn: Turn, kinds: Mapping[str, str]) -> Cut:
    """Cuts the prompt by its layout; what no layout explains is cut by its own outline."""
    index = _prompt(turn)
    text = turn.messages[index].text if index is not None else ""
    layout = layouts.layout_of(text)
    cut: list[tuple[Piece, ...]] = []
    notes: list[Note] = []
    chat = Chat(turn, kinds)
    for at in range(len(turn.messages)):
        if at == index and layout:
            pieces, seen = _prompt_pieces(text, layout, kinds, at)
            notes += seen
        else:
            pieces = chat.pieces(at)
        if at == index and len(pieces) == 1:
            pieces = tuple(_own(piece, kinds) for piece in keyed_lines(text)) or pieces
        cut.append(pieces)
    return Cut(tuple(cut), layout.id if layout else CUSTOM, (*notes, *chat.notes))


def _prompt(turn: Turn) -> int | None:
    """Index of the message that holds the prompt: the first of the user's."""
    return next((index for index, message in enumerate(turn.messages) if message.role == "user"), None)


def _prompt_pieces(
    text: str, layout: Layout, kinds: Mapping[str, str], message: int
) -> tuple[tuple[Piece, ...], list[Note]]:
    order = _wanted(layout.order, kinds)
    tail = layouts.tail_of(text, layout)
    found = find(text, order, tail)
    notes = forged(text, order, found, tail, message)
    pieces: list[Piece] = []
    head = found[0].start if found else tail
    top = by_headings(text, 0, head) if layout.headings else by_leads(text, 0, head, layout.top)
    pieces.extend(top)
    for at, section in enumerate(found):
        limit = found[at + 1].start if at + 1 < len(found) else tail
        piece, note = _section(text, section, limit, message)
        pieces.append(piece)
        pieces.extend(by_leads(text, piece.end, limit, layout.between))
        notes += note
    pieces.extend(by_leads(text, tail, len(text), layout.tails))
    return tuple(_own(piece, kinds) for piece in pieces), notes


def _wanted(order: Order, kinds: Mapping[str, str]) -> Order:
    """The order without what the project says is no section."""
    if not kinds:
        return order
    return Order(tuple(stop for stop in order.stops if own_kind(stop.tag, kinds) != "none"), order.groups)


def _own(piece: Piece, kinds: Mapping[str, str]) -> Piece:
    """A piece with the kind that the project gives its name."""
    own = own_kind(piece.name, kinds) or own_kind(piece.title, kinds)
    return piece.with_kind(own) if own and own != "none" else piece


def _section(text: str, found: Found, limit: int, message: int) -> tuple[Piece, list[Note]]:
    stop = found.stop
    close = close_of(text, found, limit)
    notes = []
    if close < 0 and not found.closed:
        words = f"<{stop.tag}> is never closed."
        notes.append(Note("unclosed-section", message, found.open_start, found.open_end, words))
    body_end = close if close >= 0 else found.open_end if found.closed else limit
    after = close + len(stop.tag) + 3 if close >= 0 else body_end
    piece = Piece(
        start=found.start,
        end=_after_blank(text, after, limit),
        kind=stop.kind,
        title=stop.title,
        name=stop.name or stop.tag,
        syntax="heading" if stop.lead.startswith("#") else "tag",
        body_start=found.open_end,
        body_end=body_end,
        children=entries(text, found.open_end, body_end, stop.entries, stop.kind),
    )
    return piece, notes


def _after_blank(text: str, at: int, limit: int) -> int:
    """Where the first line with words begins, from the end of a section's tag on."""
    rest = text[at:limit]
    words = len(rest) - len(rest.lstrip())
    if words == len(rest):
        return limit
    return max(at, text.rfind("\n", at, at + words) + 1)


_FACTS: Mapping[str, Mapping[str, object]] = {
    "": {"prefill": "<response>", "stop": None, "output_name": "name", "template_engine": True},
    "0.2.0": {
        "prefill": "<think>",
        "stop": "</response>",
        "output_name": "type",
        "template_engine": False,
        "call_format": "json",
    },
    "0.3.0": {"stop": "\n</response>", "output_name": "type"},
    "0.3.9": {"prefill": "<response>\n<reasoning>", "stop": "\n</response>", "output_name": "type"},
    "0.3.13": {"prefill": "<response>\n<reasoning>", "stop": "\n</response>", "output_name": "type"},
    "seed": {"output_name": "type", "stop": None},
}
"""What differs between layouts: the prefill of normal models, the stop sequence (a response without
``</response>`` is then normal), the attribute that names an output, whether references exist."""

DAYDREAMS = Dialect(
    name="daydreams",
    title="Daydreams",
    likelihood=likelihood,
    split=split,
    layouts=(*(layout.id for layout in layouts.LAYOUTS), CUSTOM),
    grammar="tagged",
    tags=Tags("response", ("reasoning", "think", "thinking"), ("action_call",), ("output",)),
    references="daydreams",
    facts=_FACTS,
)
