"""The outline of a prompt: its sections in order, with honest counts where it is cut."""

from collections.abc import Collection
from dataclasses import dataclass

from inspector.web.kinds import KindCard, card
from inspector.web.turn.panels import WINDOW, PromptView
from inspector.web.verdicts import worst

CHILDREN = 8
"""Inner sections shown under one section."""
ROWS = 48
"""Rows of one outline."""


@dataclass(frozen=True, slots=True)
class Row:
    """One section of the outline."""

    card: KindCard
    title: str
    href: str
    tokens: int
    share: float
    """Width of its bar, 0 to 100."""
    changed: bool | None
    verdict: str
    children: tuple["Row", ...] = ()
    more: int = 0
    """Inner sections that are not shown."""


def share(tokens: int, largest: int) -> float:
    """Width of a bar against the largest section; the least is still seen."""
    return round(max(1.5, 100 * tokens / largest), 1) if largest and tokens else 0.0


def row(
    view: PromptView,
    index: int,
    largest: int,
    children: tuple[Row, ...] = (),
    more: int = 0,
    *,
    filled: bool = False,
) -> Row:
    """One row. An inner section is linked by its line, through the server when that is not on the page."""
    section = view.reading.sections[index]
    line = f"#L{section.line}" if filled else f"?line={section.line}#L{section.line}"
    href = f"#s-{view.slugs[index]}" if section.depth == 0 else line
    return Row(
        card(section.kind),
        section.title[:200],
        href,
        section.tokens,
        share(section.tokens, largest),
        view.is_changed(index),
        worst(view.findings(section)),
        children,
        more,
    )


def outline(view: PromptView, start: int = 0, filled: Collection[int] = ()) -> list[Row]:
    """The rows of one page of panels; ``filled`` panels have all their lines on it.

    When there are many rows, inner sections give way first.
    """
    sections = view.reading.sections
    tops = view.tops[start : start + WINDOW]
    largest = max((sections[index].tokens for index in tops), default=0)
    room = max(0, ROWS - len(tops))
    found = []
    for index in tops:
        inner = [child for child in view.children(index) if sections[child].depth == 1]
        shown = inner[: min(CHILDREN, room)] if len(inner) > 1 or room else []
        room -= len(shown)
        rows = tuple(row(view, child, largest, filled=index in filled) for child in shown)
        found.append(row(view, index, largest, rows, len(inner) - len(shown)))
    return found
