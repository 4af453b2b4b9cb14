"""What differs from the turn before, by digests alone: cheap enough for every turn that comes in."""

from collections.abc import Iterable, Sequence

from inspector.turns.changes.align import align
from inspector.turns.changes.pair import Pair, each
from inspector.turns.prefix import prefix
from inspector.turns.turn import KINDS, Kind, ReadTurn, Section, SectionCounts, SincePrevious


def since(old: ReadTurn, new: ReadTurn) -> SincePrevious:
    """What differs from ``old``; counts as ``compare(old, new).summary`` does, without line diffs."""
    pairs = [pair for pair in each(align(old, new)) if is_counted(pair)]
    differing = [pair for pair in pairs if pair.change != "same"]
    return SincePrevious(
        turn=old.id,
        tokens=new.reading.tokens - old.reading.tokens,
        sections=counts_of(pairs),
        prefix=prefix(old, new),
        changed_paths=tuple(pair.new.section.path for pair in differing if pair.new and pair.new.section),
        changed_kinds=_kinds(differing),
    )


def is_counted(pair: Pair) -> bool:
    """A changed section counts unless all of the change is in sections below it: those count then."""
    return pair.change != "changed" or pair.own_differs


def counts_of(pairs: Sequence[Pair]) -> SectionCounts:
    """How many of the pairs were added, removed, changed (renamed ones too), moved or stayed."""
    changes = [pair.change for pair in pairs]
    return SectionCounts(
        added=changes.count("added"),
        removed=changes.count("removed"),
        changed=changes.count("changed") + changes.count("renamed"),
        moved=changes.count("moved"),
        same=changes.count("same"),
    )


def _kinds(pairs: Iterable[Pair]) -> tuple[Kind, ...]:
    found = {section.kind for pair in pairs for section in _sections(pair)}
    return tuple(kind for kind in KINDS if kind in found)


def _sections(pair: Pair) -> list[Section]:
    return [node.section for node in (pair.old, pair.new) if node and node.section]
