"""The branches: which turns of a session a sub-agent took, drawn row by row beside the table."""

from collections.abc import Sequence
from dataclasses import dataclass

TRUNK, BRANCH = 12, 26
"""Where the session's own agent and its sub-agents stand."""


@dataclass(frozen=True, slots=True)
class Branch:
    """One row's drawing, 36 by 40, with the turn in its middle."""

    path: str
    x: int
    hollow: bool


def branches(subs: Sequence[bool], *, begins: bool = True, ends: bool = True) -> list[Branch]:
    """A drawing per row, or none when no sub-agent took part; ``begins`` and ``ends`` with the session."""
    if not any(subs):
        return []
    trunks = [index for index, sub in enumerate(subs) if not sub]
    first = trunks[0] if trunks else len(subs)
    last = trunks[-1] if trunks else -1
    return [
        row(subs, index, index > first or not begins, index < last or not ends) for index in range(len(subs))
    ]


def row(subs: Sequence[bool], index: int, above: bool, below: bool) -> Branch:
    """One row: the trunk as far as it goes, the branch where a sub-agent leaves, stays or comes back."""
    before = index > 0 and subs[index - 1]
    after = index + 1 < len(subs) and subs[index + 1]
    parts = []
    if above:
        parts.append(f"M{TRUNK} -20V20")
    if below:
        parts.append(f"M{TRUNK} 20V60")
    if subs[index]:
        if before:
            parts.append(f"M{BRANCH} -20V20")
        if after:
            parts.append(f"M{BRANCH} 20V60")
        return Branch("".join(parts), BRANCH, True)
    if before:
        parts.append(f"M{BRANCH} -20V-2C{BRANCH} 14 {TRUNK} 6 {TRUNK} 20")
    if after:
        parts.append(f"M{TRUNK} 20C{TRUNK} 36 {BRANCH} 26 {BRANCH} 42V60")
    return Branch("".join(parts), TRUNK, False)
