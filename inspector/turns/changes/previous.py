"""What differs from the turn before, by digests alone: cheap enough for every turn that comes in."""

from collections import Counter
from collections.abc import Iterable, Sequence

from inspector.turns.changes.align import align
from inspector.turns.changes.pair import Pair, each
from inspector.turns.prefix import prefix
from inspector.turns.turn import KINDS, Kind, ReadTurn, Section, SectionCounts, SincePrevious

LOOKED_BACK = 8
"""Turns before that tell which sections change all the time."""
OFTEN = 0.75
"""Share of them that must have changed a section."""


def since(old: ReadTurn, new: ReadTurn, earlier: Sequence[ReadTurn] = ()) -> SincePrevious:
    """What differs from ``old``; counts as ``compare(old, new).summary`` does, without line diffs.

    ``earlier``: the turns of the same session up to ``old``, oldest first.
    """
    pairs = [pair for pair in each(align(old, new)) if is_counted(pair)]
    differing = [pair for pair in pairs if pair.change != "same"]
    return SincePrevious(
        turn=old.id,
        tokens=new.reading.tokens - old.reading.tokens,
        sections=counts_of(pairs),
        prefix=prefix(old, new, restless(earlier)),
        changed_paths=tuple(pair.new.section.path for pair in differing if pair.new and pair.new.section),
        changed_kinds=_kinds(differing),
    )


def restless(earlier: Sequence[ReadTurn]) -> frozenset[str]:
    """Paths of the sections that nearly every one of these turns changed; none with fewer than two."""
    told = [each.reading.since_previous for each in earlier[-LOOKED_BACK:]]
    known = [since for since in told if since is not None]
    if len(known) < 2:
        return frozenset()
    counts = Counter(path for since in known for path in set(since.changed_paths))
    return frozenset(path for path, count in counts.items() if count >= max(2, OFTEN * len(known)))


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
