"""Two prompts compared: aligned sections, with hunks where their own text differs."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from inspector.turns.changes.align import align
from inspector.turns.changes.change import Changes, Hunk, SectionChange, Stretch
from inspector.turns.changes.contract import contract_changes
from inspector.turns.changes.hunks import Limits, hunks
from inspector.turns.changes.notes import is_whitespace_only, note_on
from inspector.turns.changes.numbered import Numbered, own_lines
from inspector.turns.changes.pair import Pair, each
from inspector.turns.changes.previous import counts_of, is_counted
from inspector.turns.learnt import Pattern, masked_by
from inspector.turns.prefix import prefix
from inspector.turns.turn import ReadTurn, Section
from inspector.turns.volatile import masked

type Key = Callable[[str], str] | None
type Learnt = Mapping[str, Sequence[Pattern]]

NOTHING: Learnt = {}


def compare(
    old: ReadTurn,
    new: ReadTurn,
    *,
    ignore_whitespace: bool = False,
    ignore_volatile: bool = False,
    learnt: Learnt = NOTHING,
) -> Changes:
    """All that differs between two turns' prompts.

    With ``ignore_whitespace`` or ``ignore_volatile`` (clocks, dates, ids, counts, and by a section's path
    what the session has ``learnt`` to change by itself) lines that differ in these alone are not drawn;
    their section stays ``changed``, with a note.
    """
    pairs = list(each(align(old, new)))
    limits = Limits.fresh()
    ignored = _Ignored(ignore_whitespace, ignore_volatile, learnt)
    return Changes(
        summary=counts_of([pair for pair in pairs if is_counted(pair)]),
        tokens=new.reading.tokens - old.reading.tokens,
        prefix=prefix(old, new),
        sections=tuple(_section_change(pair, old, new, limits, ignored) for pair in pairs),
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


def _section_change(
    pair: Pair, old: ReadTurn, new: ReadTurn, limits: Limits, ignored: _Ignored
) -> SectionChange:
    before = pair.old.section if pair.old else None
    after = pair.new.section if pair.new else None
    shown = after or before
    assert shown is not None
    key = ignored.key(pair)
    drawn = _drawn(pair, old, new, limits, key)
    whitespace_only, note = pair.ends_differ, "moved" if pair.moved and pair.change == "changed" else None
    if pair.ends_differ:
        note = "only the blank space behind it differs"
    if before and after and pair.own_differs:
        left, right = _side(drawn, "-"), _side(drawn, "+")
        whitespace_only = is_whitespace_only(left, right)
        note = "; ".join(filter(None, (note, note_on(left, right) if drawn else _unseen(pair, key)))) or None
    return SectionChange(
        path=shown.path,
        kind=shown.kind,
        title=shown.title,
        depth=shown.depth,
        change=pair.change,
        old=_stretch(before),
        new=_stretch(after),
        whitespace_only=whitespace_only,
        hunks=drawn,
        note=note,
    )


def _drawn(pair: Pair, old: ReadTurn, new: ReadTurn, limits: Limits, key: Key) -> tuple[Hunk, ...]:
    """Hunks of a changed section, of an added or removed one wholly; none of one that stayed or moved."""
    if pair.old and pair.new:
        if not pair.own_differs:
            return ()
        return hunks(own_lines(pair.old, old), own_lines(pair.new, new), limits, key)
    nothing = Numbered([], [])
    before = own_lines(pair.old, old, whole=True) if pair.old else nothing
    return hunks(before, own_lines(pair.new, new, whole=True) if pair.new else nothing, limits)


def _unseen(pair: Pair, key: Key) -> str | None:
    """Why a changed section has no hunks, if not because the change is in sections below it."""
    if pair.new and pair.new.beside is not None and key is None:
        return "the same values, spelled otherwise"
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
