"""The prompt as panels: one per top section, opened and filled within what a page may hold."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from django.utils.safestring import SafeString

from inspector.turns.turn import Finding, Reading, Section, Turn
from inspector.web.code_lines import fitting, nodes, spans_of
from inspector.web.kinds import KindCard, card
from inspector.web.links import section_query
from inspector.web.markup import LONGEST, CodeLine, code
from inspector.web.slugs import slugs
from inspector.web.turn.origins import Brought, Since
from inspector.web.verdicts import by_line, flags, worst

NODES = 2_700
"""Elements of a first page's columns; what panels, outline and response don't use is for text."""
PANEL_NODES, ROW_NODES = 37, 13
LETTERS = 80_000
"""Code points of prompt text in a first page."""
WINDOW = 24
"""Panels on one page; longer prompts are paged."""
PART_LINES = 400
"""Lines of one section sent at once."""
PART_LETTERS = 120_000
PART_NODES = 2_300


@dataclass(frozen=True, slots=True)
class Panel:
    """One top section as it is shown."""

    index: int
    """Index in the reading's sections: the number in its address."""
    slug: str
    card: KindCard
    title: str
    tokens: int
    chars: int
    line: int
    end_line: int
    changed: bool | None
    """Against the turn before; None when there is none."""
    verdict: str
    open: bool = False
    code: SafeString | None = None
    """None: loaded on demand."""
    next_line: int | None = None
    """First line that is not in ``code``."""
    breaks_prefix: int | None = None
    """Line at which the prefix shared with the turn before ends, if in here."""
    asked: str = ""
    """What the address of its history asks for."""
    since: Since | None = None
    """Since when it has been as it is."""

    @property
    def lines(self) -> int:
        """How many lines it has."""
        return self.end_line - self.line + 1


@dataclass(frozen=True, slots=True)
class PromptView:
    """A turn's prompt, ready to be cut into panels."""

    turn: Turn
    reading: Reading
    slugs: list[str] = field(default_factory=list)
    tops: list[int] = field(default_factory=list)
    changed: frozenset[str] | None = None
    flagged: Mapping[int, list[Finding]] = field(default_factory=dict)
    since: Mapping[str, Since] = field(default_factory=dict)
    """By path: since when a section has been as it is."""
    brought: Mapping[int, Brought] = field(default_factory=dict)
    """By line: the turn that brought it."""
    pretty: bool = False
    """JSON in its lines is laid out: a view, not the text."""

    @classmethod
    def of(cls, turn: Turn, reading: Reading) -> "PromptView":
        """The view of a turn as it was read."""
        since = reading.since_previous
        return cls(
            turn,
            reading,
            slugs([section.path for section in reading.sections]),
            [index for index, section in enumerate(reading.sections) if section.depth == 0],
            None if since is None else frozenset(since.changed_paths),
            by_line(reading.findings, "prompt"),
        )

    def text(self, section: Section) -> str:
        """The section's text."""
        return self.turn.messages[section.message].text[section.start : section.end]

    def children(self, index: int) -> range:
        """Indexes of everything inside a section."""
        sections = self.reading.sections
        end = index + 1
        while end < len(sections) and sections[end].depth > sections[index].depth:
            end += 1
        return range(index + 1, end)

    def is_changed(self, index: int) -> bool | None:
        """The section or something inside it differs from the turn before."""
        if self.changed is None:
            return None
        sections = self.reading.sections
        return sections[index].path in self.changed or any(
            sections[child].path in self.changed for child in self.children(index)
        )

    def findings(self, section: Section) -> list[Finding]:
        """Findings on the section's lines."""
        if len(self.flagged) <= section.end_line - section.line:
            lines = [line for line in self.flagged if section.line <= line <= section.end_line]
        else:
            lines = [line for line in range(section.line, section.end_line + 1) if line in self.flagged]
        return [finding for line in lines for finding in self.flagged[line] if inside(finding, section)]


def inside(finding: Finding, section: Section) -> bool:
    """Two sections may share a line: the offset decides."""
    start, message = finding.where.start, finding.where.message
    return (
        start is None
        or message is None
        or (message == section.message and section.start <= start <= section.end)
    )


def panel(view: PromptView, index: int) -> Panel:
    """A closed, empty panel."""
    section = view.reading.sections[index]
    since = view.reading.since_previous
    broken = since.prefix.broken_at if since else None
    here = broken and broken.message == section.message and section.line <= broken.line <= section.end_line
    return Panel(
        index,
        view.slugs[index],
        card(section.kind),
        section.title,
        section.tokens,
        section.chars,
        section.line,
        section.end_line,
        view.is_changed(index),
        worst(view.findings(section)),
        breaks_prefix=broken.line if broken and here else None,
        asked=section_query(section.path),
        since=view.since.get(section.path),
    )


def rows(view: PromptView, section: Section) -> list[str]:
    """The section's lines; the line end that only closes the last line makes no line of its own."""
    lines = view.text(section).split("\n")
    return lines[:-1] if len(lines) > 1 and not lines[-1] else lines


def numbered(
    view: PromptView, section: Section, texts: Sequence[str], first: int, marked: int | None
) -> list[CodeLine]:
    """These lines with colours, anchors and flags; ``first`` is the number of the first one."""
    text = view.turn.messages[section.message].text
    mid_line = section.start > 0 and text[section.start - 1] != "\n"
    lines: list[CodeLine] = []
    for offset, shown in enumerate(spans_of(texts, view.pretty)):
        number = first + offset
        split = mid_line and number == section.line
        found = [f for f in view.flagged.get(number, ()) if inside(f, section)]
        anchor = f"L{number}-{section.message}-{section.start}" if split else f"L{number}"
        by = view.brought.get(number)
        new = by is not None and (by.begins or not lines)
        lines.append(
            CodeLine(
                number,
                anchor,
                shown,
                worst(found),
                flags(found),
                number == marked,
                by.age if by else 0,
                by.who if by and new else None,
            )
        )
    return lines


def part(
    view: PromptView,
    index: int,
    from_line: int | None = None,
    marked: int | None = None,
    room: int = PART_NODES,
) -> Panel:
    """The panel with as many of its lines as one answer carries, from ``from_line`` on."""
    section = view.reading.sections[index]
    texts = rows(view, section)
    start = min(max((from_line or section.line) - section.line, 0), len(texts) - 1)
    end, letters = start, 0
    while end < len(texts) and end - start < PART_LINES and (end == start or letters < PART_LETTERS):
        letters += min(len(texts[end]), LONGEST)
        end += 1
    lines = numbered(view, section, texts[start:end], section.line + start, marked)
    end = start + fitting(lines, room)
    lines = lines[: end - start]
    following = section.line + end if end < len(texts) else None
    return replace(panel(view, index), open=True, code=code(lines), next_line=following)


def should_open(panel: Panel, marked: int | None, everything: bool) -> bool:
    """Opened for the reader: what changed, what has findings, what was asked for, or all of a first turn."""
    if marked is not None and panel.line <= marked <= panel.end_line:
        return True
    return everything or panel.changed is None or panel.changed or panel.verdict in ("err", "warn")


def panels(
    view: PromptView,
    start: int = 0,
    marked: int | None = None,
    everything: bool = False,
    room: int = NODES,
) -> list[Panel]:
    """The panels of one page, filled in the order of their use until the page is full."""
    found = [panel(view, index) for index in view.tops[start : start + WINDOW]]
    wish = [should_open(each, marked, everything) for each in found]
    order = sorted(range(len(found)), key=lambda i: (not asked(found[i], marked), not wish[i], i))
    left, letters = max(0, room - PANEL_NODES * len(found)), LETTERS
    for i in order:
        each = found[i]
        if asked(each, marked) and (3 * each.lines > left or each.chars > letters):
            from_line = max(each.line, (marked or 0) - 40)
            found[i] = part(view, each.index, from_line, marked, max(left, 400))
            left, letters = 0, 0
        elif 3 * each.lines <= left and each.chars <= letters:
            section = view.reading.sections[each.index]
            lines = numbered(view, section, rows(view, section), section.line, marked)
            cost = nodes(lines)
            if cost <= left:
                found[i] = replace(each, open=wish[i], code=code(lines))
                left, letters = left - cost, letters - each.chars
    return found


def asked(panel: Panel, marked: int | None) -> bool:
    """The address asks for a line of this panel."""
    return marked is not None and panel.line <= marked <= panel.end_line


def window_of(view: PromptView, line: int) -> int:
    """First panel of the page that holds this line."""
    sections = view.reading.sections
    for place, index in enumerate(view.tops):
        if sections[index].line <= line <= sections[index].end_line:
            return place - place % WINDOW
    return 0
