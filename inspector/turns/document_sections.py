"""The sections' part of a reading's document: each by how far it lies from where it is expected."""

from typing import Any

from inspector.turns.turn import KINDS, Section, Syntax

SYNTAXES: tuple[Syntax, ...] = ("tag", "heading", "label", "role", "json", "text")


def _expected(before: Section | None, parent: Section | None, message: int) -> tuple[int, int]:
    """Offset and line at which a section would tile: after its sibling, or at its parent's body."""
    if before is not None:
        return before.end if before.message == message else 0, before.end_line
    return (parent.body_start, parent.line) if parent is not None else (0, 1)


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
    rows = []
    opened: list[Section] = []
    message = 0
    for section in sections:
        before: Section | None = None
        while opened and opened[-1].depth >= section.depth:
            before = opened.pop()
        parent = opened[-1] if opened else None
        start, line = _expected(before, parent, section.message)
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
        opened.append(section)
    return rows


def read_sections(rows: list[Any]) -> tuple[Section, ...]:
    """The sections that ``write_sections`` wrote. Pages read those of hundreds of turns: hence one loop."""
    sections: list[Section] = []
    opened: list[Section] = []
    message = 0
    for name, title, code, depth, step, gap, head, tail, down, height, length, tokens, digest, *more in rows:
        message += step
        before: Section | None = None
        while opened and opened[-1].depth >= depth:
            before = opened.pop()
        parent = opened[-1] if opened else None
        start, line = _expected(before, parent, message)
        start, line = start + gap, line + down
        path = _path(name, parent)
        section = Section(
            path,
            KINDS[code // 10],
            path.rpartition("/")[2] if title is None else title,
            SYNTAXES[code % 10],
            depth,
            message,
            start,
            start + length,
            start + head,
            start + length - tail,
            line,
            line + height,
            tokens,
            digest,
            more[0] if more else {},
        )
        sections.append(section)
        opened.append(section)
    return tuple(sections)
