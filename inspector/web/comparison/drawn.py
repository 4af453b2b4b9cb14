"""A comparison as it is drawn: runs of unchanged sections, panels of changed ones, rows of lines."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from inspector.turns.changes.change import Changes, ContractChange, SectionChange
from inspector.turns.turn import SectionCounts
from inspector.web.arguments import as_text
from inspector.web.comparison.rows import NODES, PANEL_NODES, Pair, Room, Row, pairs_of, rows_of
from inspector.web.kinds import KindCard, card
from inspector.web.slugs import slugs

PANELS = 30
"""Changed sections on one page."""
NAMES = 10
"""Unchanged sections named in one run."""
GLYPHS = {
    "added": ("+", "add", "added"),
    "removed": ("−", "del", "removed"),
    "changed": ("~", "chg", "changed"),
    "moved": ("↔", "mov", "moved"),
    "renamed": ("↔", "mov", "renamed"),
    "same": ("=", "", "unchanged"),
}


@dataclass(frozen=True, slots=True)
class Shown:
    """One changed section."""

    number: int
    """Index in the comparison: the number in its address."""
    slug: str
    card: KindCard
    title: str
    depth: int
    glyph: str
    css: str
    word: str
    added: int
    removed: int
    tokens: int
    note: str
    breaks_prefix: bool
    was: str
    """Where a moved section stood before."""
    rows: tuple[Row, ...] = ()
    pairs: tuple[Pair, ...] = ()
    left_out: int = 0
    """Rows that are not on this page."""

    @property
    def is_run(self) -> bool:
        """Templates ask which of the two an entry is."""
        return False


@dataclass(frozen=True, slots=True)
class Run:
    """Unchanged sections in a row, collapsed."""

    sections: tuple[SectionChange, ...]
    cards: tuple[KindCard, ...]
    tokens: int

    @property
    def is_run(self) -> bool:
        """Templates ask which of the two an entry is."""
        return True

    @property
    def depth(self) -> int:
        """How deep its sections lie."""
        return self.sections[0].depth if self.sections else 0

    @property
    def named(self) -> list[tuple[KindCard, SectionChange]]:
        """The sections that are listed when it is opened."""
        return [(card(section.kind), section) for section in self.sections[:NAMES]]

    @property
    def titles(self) -> str:
        """Their names in one line."""
        return ", ".join(section.title[:60] for section in self.sections[:12])

    @property
    def more(self) -> int:
        """Sections that are not listed."""
        return max(0, len(self.sections) - NAMES)


@dataclass(frozen=True, slots=True)
class ContractRow:
    """A difference in what is offered."""

    where: str
    words: str
    glyph: str
    css: str
    old: str
    new: str
    breaking: bool


@dataclass(frozen=True, slots=True)
class Drawn:
    """The whole comparison."""

    entries: list[Shown | Run]
    contract: list[ContractRow]
    breaking: int
    panels_left: int
    next_panel: int | None
    """How many changed sections come before those of the next page."""


def tokens_of(section: SectionChange) -> int:
    """New minus old."""
    return (section.new.tokens if section.new else 0) - (section.old.tokens if section.old else 0)


def was(section: SectionChange) -> str:
    """Where a moved section stood."""
    if section.change not in ("moved", "renamed") or section.old is None:
        return ""
    if section.change == "renamed":
        return f"was {section.old.title}"
    return f"was at line {section.old.line}"


def shown(section: SectionChange, number: int, slug: str, broken_path: str | None) -> Shown:
    """A changed section without its rows."""
    glyph, css, word = GLYPHS[section.change]
    return Shown(
        number,
        slug,
        card(section.kind),
        section.title,
        section.depth,
        glyph,
        css,
        word,
        section.added,
        section.removed,
        tokens_of(section),
        section.note or ("Only whitespace differs." if section.whitespace_only else ""),
        broken_path is not None and section.path == broken_path,
        was(section),
    )


def filled(panel: Shown, section: SectionChange, split: bool, room: Room) -> Shown:
    """The panel with its rows."""
    rows, left = rows_of(section.hunks, split, room)
    pairs = tuple(pairs_of(rows)) if split else ()
    return replace(panel, rows=tuple(rows), pairs=pairs, left_out=left + section.left_out)


def contract_row(change: ContractChange) -> ContractRow:
    """One difference in words."""
    words = change.change.replace("-", " ")
    glyph, css = (
        ("+", "add")
        if words.endswith("added")
        else ("−", "del")
        if words.endswith("removed")
        else ("~", "chg")
    )
    return ContractRow(
        change.where,
        words,
        glyph,
        css,
        "" if change.old is None else value_words(change.old),
        "" if change.new is None else value_words(change.new),
        change.breaking,
    )


def value_words(value: object) -> str:
    """A side of a contract change: text as it is, lists of names joined, anything else as JSON."""
    if isinstance(value, str):
        return value[:300]
    if isinstance(value, (list, tuple)) and all(isinstance(each, (str, int)) for each in value):
        return ", ".join(str(each) for each in value)[:300]
    return as_text(value)[:300]


def drawn(changes: Changes, *, split: bool = False, only: int | None = None, skip: int = 0) -> Drawn:
    """What the page shows: the comparison from its ``skip``-th changed section on, or one section alone."""
    names = slugs([section.path for section in changes.sections])
    broken = changes.prefix.broken_at.section if changes.prefix.broken_at else None
    numbered = [
        (number, section) for number, section in enumerate(changes.sections) if only in (None, number)
    ]
    changed = [number for number, section in numbered if section.change != "same"]
    here = set(changed[skip : skip + PANELS])
    first = changed[skip - 1] if 0 < skip <= len(changed) else -1
    last = changed[skip + PANELS] if skip + PANELS < len(changed) else len(changes.sections)
    room = Room(NODES - PANEL_NODES * len(here))
    entries: list[Shown | Run] = []
    run: list[SectionChange] = []
    for number, section in numbered:
        if not first < number < last:
            continue
        if section.change == "same":
            run.append(section)
            continue
        if run:
            entries.append(run_of(run))
        run = []
        entries.append(filled(shown(section, number, names[number], broken), section, split, room))
    if run and only is None:
        entries.append(run_of(run))
    left = max(0, len(changed) - skip - len(here))
    return Drawn(
        entries,
        [contract_row(change) for change in changes.contract[:40]],
        sum(1 for change in changes.contract if change.breaking),
        left,
        skip + len(here) if left else None,
    )


def run_of(sections: Sequence[SectionChange]) -> Run:
    """Unchanged sections as one dashed row; only the innermost listed ones are counted."""
    tops = [section for section in sections if section.depth == 0] or list(sections)
    tokens = sum(section.new.tokens for section in tops if section.new)
    return Run(tuple(tops), tuple(card(section.kind) for section in tops[:12]), tokens)


def counted(counts: SectionCounts) -> list[tuple[str, str, str, int]]:
    """The summary's figures: glyph, class, word, count."""
    order = (
        ("changed", counts.changed),
        ("added", counts.added),
        ("removed", counts.removed),
        ("moved", counts.moved),
        ("same", counts.same),
    )
    return [(*GLYPHS[name], count) for name, count in order]
