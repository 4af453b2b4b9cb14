"""The sections' part of a reading's document: each by how far it lies from where it is expected."""

from typing import Any

from inspector.turns.turn import KINDS, Section, Syntax

SYNTAXES: tuple[Syntax, ...] = ("tag", "heading", "label", "role", "json", "text")


class _Walk:
    """Where the next section is expected: after its sibling, or at its parent's body."""

    def __init__(self) -> None:
        self.open: list[Section] = []
        self.last: Section | None = None

    def expected(self, depth: int, message: int) -> tuple[Section | None, int, int]:
        """Parent of a section of this depth, and the offset and line at which it would tile."""
        last = self.last
        if last is None:
            return None, 0, 1
        if depth > last.depth:
            return last, last.body_start, last.line
        while self.open and self.open[-1].depth >= depth:
            last = self.open.pop()
        parent = self.open[-1] if self.open else None
        return parent, last.end if last.message == message else 0, last.end_line

    def enter(self, section: Section) -> None:
        while self.open and self.open[-1].depth >= section.depth:
            self.open.pop()
        self.open.append(section)
        self.last = section


def _name(path: str, parent: Section | None) -> str:
    """A path as what it adds to its parent's; one that could be mistaken for that is marked."""
    if parent is not None and path.startswith(parent.path + "/"):
        return path[len(parent.path) :]
    return "=" + path if path.startswith(("/", "=")) else path


def _path(name: str, parent: Section | None) -> str:
    if name.startswith("="):
        return name[1:]
    return parent.path + name if parent is not None and name.startswith("/") else name


def write_sections(sections: tuple[Section, ...]) -> list[Any]:
    """Sections as rows of JSON values."""
    walk = _Walk()
    rows = []
    message = 0
    for section in sections:
        parent, start, line = walk.expected(section.depth, section.message)
        path = section.path
        row = [
            _name(path, parent),
            None if section.title == path.rpartition("/")[2] else section.title,
            KINDS.index(section.kind) * 10 + SYNTAXES.index(section.syntax),
            section.depth,
            section.message - message,
            section.start - start,
            section.body_start - section.start,
            section.end - section.body_end,
            section.line - line,
            section.end_line - section.line,
            section.end - section.start,
            section.tokens,
            section.digest,
        ]
        rows.append([*row, dict(section.attributes)] if section.attributes else row)
        message = section.message
        walk.enter(section)
    return rows


def read_sections(rows: list[Any]) -> tuple[Section, ...]:
    """The sections that ``write_sections`` wrote."""
    walk = _Walk()
    sections = []
    message = 0
    for (
        name,
        title,
        code,
        depth,
        step,
        gap,
        head,
        tail,
        line_gap,
        height,
        length,
        tokens,
        digest,
        *more,
    ) in rows:
        message += step
        parent, start, line = walk.expected(depth, message)
        path = _path(name, parent)
        section = Section(
            path=path,
            kind=KINDS[code // 10],
            title=path.rpartition("/")[2] if title is None else title,
            syntax=SYNTAXES[code % 10],
            depth=depth,
            message=message,
            start=start + gap,
            end=start + gap + length,
            body_start=start + gap + head,
            body_end=start + gap + length - tail,
            line=line + line_gap,
            end_line=line + line_gap + height,
            tokens=tokens,
            digest=digest,
            attributes=more[0] if more else {},
        )
        sections.append(section)
        walk.enter(section)
    return tuple(sections)
