"""Two prompts compared: aligned sections, with hunks where their own text differs."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from inspector.turns.changes.align import align
from inspector.turns.changes.change import Changes, Hunk, SectionChange, Stretch, Window
from inspector.turns.changes.contract import contract_changes
from inspector.turns.changes.hunks import Drawn, Limits, drawn, one_sided
from inspector.turns.changes.notes import is_whitespace_only, note_on
from inspector.turns.changes.numbered import own_lines
from inspector.turns.changes.pair import Pair, each
from inspector.turns.changes.previous import counts_of, is_counted
from inspector.turns.learnt import Pattern, masked_by
from inspector.turns.prefix import prefix
from inspector.turns.turn import Prefix, ReadTurn, Section
from inspector.turns.volatile import masked

type Key = Callable[[str], str] | None
type Learnt = Mapping[str, Sequence[Pattern]]

NOTHING: Learnt = {}
END = "only the blank space at its end differs"
UNDRAWN = Drawn()


def compare(
    old: ReadTurn,
    new: ReadTurn,
    *,
    ignore_whitespace: bool = False,
    ignore_volatile: bool = False,
    learnt: Learnt = NOTHING,
    window: Window | None = None,
    known: Prefix | None = None,
) -> Changes:
    """All that differs between two turns' prompts.

    With ``ignore_whitespace`` or ``ignore_volatile`` (clocks, dates, ids, counts, and by a section's path
    what the session has ``learnt`` to change by itself) lines that differ in these alone are not drawn;
    their section stays ``changed``, with a note. ``window``: what is to be drawn of it; everything if
    not given. ``known``: the prefix of the two, if it was found before.
    """
    pairs = list(each(align(old, new)))
    limits = Limits.fresh(window.lines if window else None)
    ignored = _Ignored(ignore_whitespace, ignore_volatile, learnt)
    return Changes(
        summary=counts_of([pair for pair in pairs if is_counted(pair)]),
        tokens=new.reading.tokens - old.reading.tokens,
        prefix=known or prefix(old, new),
        sections=tuple(_sections(pairs, old, new, limits, ignored, window)),
        contract=contract_changes(old.reading.contract, new.reading.contract),
        coarse=limits.coarse,
    )


@dataclass(frozen=True, slots=True)
class _Ignored:
    """What does not count as a difference of two lines."""

    whitespace: bool
    volatile: bool
    learnt: Learnt

    def key(self, pair: Pair) -> Key:
        """What lines of a section are compared by; None when everything counts."""
        patterns = self._patterns(pair) if self.volatile else ()
        if self.whitespace and self.volatile:
            return lambda line: "".join(masked(masked_by(patterns, line)).split())
        if self.whitespace:
            return lambda line: "".join(line.split())
        return (lambda line: masked(masked_by(patterns, line))) if self.volatile else None

    def _patterns(self, pair: Pair) -> Sequence[Pattern]:
        section = pair.new.section if pair.new else None
        return self.learnt.get(section.path, ()) if section else ()


def _sections(
    pairs: Sequence[Pair],
    old: ReadTurn,
    new: ReadTurn,
    limits: Limits,
    ignored: _Ignored,
    window: Window | None,
) -> Iterator[SectionChange]:
    place = 0
    for index, pair in enumerate(pairs):
        is_drawn = window is None or (pair.change != "same" and window.holds(index, place))
        yield _section_change(pair, old, new, limits, ignored) if is_drawn else _change(pair)
        place += pair.change != "same"


def _change(
    pair: Pair, found: Drawn = UNDRAWN, *, whitespace_only: bool = False, note: str | None = None
) -> SectionChange:
    """A section's change, with what is drawn of it."""
    before = pair.old.section if pair.old else None
    after = pair.new.section if pair.new else None
    shown = after or before
    assert shown is not None
    return SectionChange(
        path=shown.path,
        kind=shown.kind,
        title=shown.title,
        depth=shown.depth,
        change=pair.change,
        old=_stretch(before),
        new=_stretch(after),
        whitespace_only=whitespace_only,
        hunks=found.hunks,
        note=note,
        added=found.added,
        removed=found.removed,
        left_out=found.left_out,
    )


def _section_change(
    pair: Pair, old: ReadTurn, new: ReadTurn, limits: Limits, ignored: _Ignored
) -> SectionChange:
    key = ignored.key(pair)
    found = _drawn(pair, old, new, limits, key)
    whitespace_only, note = pair.ends_differ, "moved" if pair.moved and pair.change == "changed" else None
    if pair.ends_differ:
        note = "only the blank space behind it differs"
    if pair.old and pair.new and pair.own_differs and not found.left_out:
        left, right = _side(found.hunks, "-"), _side(found.hunks, "+")
        whitespace_only = is_whitespace_only(left, right)
        unseen = note_on(left, right) if found.hunks else _unseen(pair, key)
        whitespace_only = whitespace_only or unseen == END
        note = "; ".join(filter(None, (note, unseen))) or None
    return _change(pair, found, whitespace_only=whitespace_only, note=note)


def _drawn(pair: Pair, old: ReadTurn, new: ReadTurn, limits: Limits, key: Key) -> Drawn:
    """Hunks of a changed section, of an added or removed one wholly; none of one that stayed or moved."""
    if pair.old and pair.new:
        if not pair.own_differs:
            return Drawn()
        return drawn(own_lines(pair.old, old), own_lines(pair.new, new), limits, key)
    if pair.old:
        return one_sided(own_lines(pair.old, old, whole=True), "-", limits)
    return one_sided(own_lines(pair.new, new, whole=True), "+", limits) if pair.new else Drawn()


def _unseen(pair: Pair, key: Key) -> str | None:
    """Why a changed section has no hunks, if not because the change is in sections below it."""
    if pair.new and pair.new.beside is not None and key is None:
        return "the same values, spelled otherwise"
    if key is None and pair.own_differs:
        return END
    return "only what is ignored differs" if key and is_counted(pair) else None


def _side(drawn: Sequence[Hunk], op: str) -> str:
    return "".join(line.text + "\n" for hunk in drawn for line in hunk.lines if line.op == op)


def _stretch(section: Section | None) -> Stretch | None:
    if section is None:
        return None
    return Stretch(
        section.path,
        section.title,
        section.message,
        section.start,
        section.end,
        section.line,
        section.end_line,
        section.tokens,
        section.digest,
    )
