"""The lines of a section, and where each stands in its prompt."""

from dataclasses import dataclass

from inspector.turns.changes.tree import Node
from inspector.turns.turn import ReadTurn


@dataclass(frozen=True, slots=True)
class Numbered:
    """Lines without their ends, and the number of each over the whole prompt."""

    lines: list[str]
    numbers: list[int]


def own_lines(node: Node, read: ReadTurn, whole: bool = False) -> Numbered:
    """The lines of a section's text outside the sections below it, or of all of it.

    A text that ends with a line end gives no empty line for what follows. No lines when the turn
    came without its texts.
    """
    section = node.section
    if node.beside is not None and section is not None:
        lines = node.beside.split("\n")
        return Numbered(lines, [section.line] * len(lines))
    if section is None or section.message >= len(read.turn.messages):
        return Numbered([], [])
    text = read.turn.messages[section.message].text
    below = [] if whole else [child.section for child in node.children if child.section]
    bounds = [(child.start, child.end) for child in below] + [(section.end, section.end)]
    lines = []
    numbers: list[int] = []
    at, line, counted = section.start, section.line, section.start
    for start, end in bounds:
        if start > at or not below:
            line += text.count("\n", counted, at)
            counted = at
            piece = text[at:start].split("\n")
            if piece[-1] == "" and len(piece) > 1:
                piece.pop()
            lines += piece
            numbers += range(line, line + len(piece))
        at = end
    return Numbered(lines, numbers)
