"""What Hive's toolkits add at the end of a system text: paragraphs without a heading, told by first words."""

from inspector.turns.dialects.card import Piece
from inspector.turns.dialects.cutting import limits
from inspector.turns.dialects.outline import slug

TITLE = "Toolkit Instructions"
_TOOLKITS = (
    ("You have a personal notepad.", "Notepad"),
    ("You can manage tasks:", "Tasks"),
    ("You can set timed alarms", "Alarms"),
    ("You can save notes to a knowledge base", "Knowledge"),
    ("You can save URLs", "Links"),
    ("You can copy text, notes, tasks, or links", "Clipboard"),
)
"""First words of the instructions that come with the framework; an agent's own toolkits may add others."""


def parted(text: str, piece: Piece) -> list[Piece]:
    """A piece without the toolkits' paragraphs that follow its own ones, and these as a piece."""
    start = min((at for at, _ in _places(text, piece.start, piece.end)), default=-1)
    return split_at(text, piece, start) if start > piece.start else [piece]


def split_at(text: str, piece: Piece, start: int) -> list[Piece]:
    """A piece that ends at ``start``, and the toolkits' instructions from there on, one child each."""
    head = Piece(
        piece.start,
        start,
        piece.kind,
        piece.title,
        piece.name,
        piece.syntax,
        min(piece.body_start, start),
        start,
    )
    places = _places(text, start, piece.end)
    ends = limits([at for at, _ in places], piece.end)
    children = tuple(
        Piece(at, end, "instructions", title, slug(title))
        for (at, title), end in zip(places, ends, strict=True)
    )
    tail = Piece(start, piece.end, "instructions", TITLE, slug(TITLE), "text", start, piece.end, children)
    return [head, tail]


def _places(text: str, start: int, end: int) -> list[tuple[int, str]]:
    """Where paragraphs begin with the first words of a toolkit, and its title; the first place of each."""
    places = [(_paragraph(text, words, start, end), title) for words, title in _TOOLKITS]
    return sorted(place for place in places if place[0] >= 0)


def _paragraph(text: str, words: str, start: int, end: int) -> int:
    if text.startswith(words, start):
        return start
    blank = text.find(f"\n\n{words}", start, end)
    return blank + 2 if blank >= 0 else -1
