"""Lines of prompt text as they are drawn, and how many elements they make."""

from collections.abc import Sequence

from inspector.web.highlight import PROMPT, Span, highlighted
from inspector.web.laid_out import laid_out
from inspector.web.markup import LONGEST, CodeLine

COLOURED = 4_000
"""Code points of one line's laid out JSON that are coloured."""


def spans_of(texts: Sequence[str], pretty: bool) -> list[list[Span]]:
    """The lines with their colours, over-long ones plain; with JSON over lines if ``pretty``."""
    found = highlighted("\n".join(line[: LONGEST + 1] for line in texts), PROMPT)
    for offset, line in enumerate(texts):
        shown = laid_out(line) if pretty else line
        if shown != line:
            colours = together(highlighted(shown[:COLOURED], PROMPT))
            found[offset] = [*colours, Span("", shown[COLOURED:])]
        elif len(line) > LONGEST:
            found[offset] = [Span("", line)]
    return found


def together(lines: Sequence[Sequence[Span]]) -> list[Span]:
    """Several lines of colours as one."""
    found = [*lines[0]]
    for line in lines[1:]:
        found += [Span("", "\n"), *line]
    return found


def nodes(lines: Sequence[CodeLine]) -> int:
    """Elements that these lines make."""
    return sum(
        3 + sum(1 for span in line.spans if span.css) + len(line.flags) + (line.who is not None)
        for line in lines
    )


def fitting(lines: Sequence[CodeLine], room: int) -> int:
    """How many of these lines make at most ``room`` elements; one always fits."""
    for count, line in enumerate(lines):
        room -= nodes([line])
        if room < 0:
            return max(1, count)
    return len(lines)
