"""Since when a turn's sections have been as they are: from a few earlier outlines, no text is opened."""

from inspector.store import readings
from inspector.store.models import Turn as Row
from inspector.turns.turn import Reading
from inspector.web.chains import alike
from inspector.web.turn.origins import Since

TURNS = 24
"""Earlier turns that are looked at."""
SECTIONS = 3_000
"""Sections of all of them together."""


def since_of(row: Row, reading: Reading) -> dict[str, Since]:
    """By path, for the outer sections that did not change since the turn before."""
    if reading.since_previous is None:
        return {}
    count = min(TURNS, SECTIONS // max(len(reading.sections), 1))
    earlier = list(alike(row).filter(seq__lt=row.seq).order_by("-seq")[: count + 1])
    if not earlier or not count:
        return {}
    waiting = {section.path: section.digest for section in reading.sections if section.depth == 0}
    seqs = dict.fromkeys(waiting, row.seq)
    for turn, sections in zip(earlier, readings.sections_of(earlier[:count]), strict=False):
        digests = {section.path: section.digest for section in sections or () if section.depth == 0}
        waiting = {path: digest for path, digest in waiting.items() if digests.get(path) == digest}
        seqs.update(dict.fromkeys(waiting, turn.seq))
        if not waiting:
            break
    more = len(earlier) > count
    return {path: Since(seq, more and path in waiting) for path, seq in seqs.items() if seq < row.seq}
