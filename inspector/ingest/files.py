"""Recording turns from files: lines are taken in a few at a time, through the same intake as posts."""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO

from inspector.ingest import intake
from inspector.ingest.decoders.single import item
from inspector.ingest.errors import TooLarge
from inspector.ingest.posted import Posted
from inspector.store.models import Project

BATCH_TURNS = 100
BATCH_BYTES = 4 * 1024 * 1024
_SPACE = b" \t\r\n"


@dataclass(frozen=True, slots=True)
class Refused:
    """A line that was not taken in, and why."""

    line: int
    status: int
    message: str


@dataclass(slots=True)
class Progress:
    """How far a file has come."""

    lines: int = 0
    bytes: int = 0
    counts: Counter[int] = field(default_factory=Counter)
    """Status → turns: 201 recorded, 200 were there already, 409 conflict, 400 are no turns."""
    refused: list[Refused] = field(default_factory=list)
    """Of the last step."""


def record_lines(project: Project, lines: BinaryIO, limit: int) -> Iterator[Progress]:
    """Record turns, one a line; yields after each step. Lines longer than ``limit`` bytes are refused.

    Raises Busy.
    """
    progress = Progress()
    for step in _steps(_numbered(lines, limit)):
        outcomes = intake.record(project, [posted for _, posted in step])
        progress.refused = []
        for (number, posted), outcome in zip(step, outcomes, strict=True):
            progress.lines = number
            progress.bytes += len(posted.data)
            progress.counts[outcome.status] += 1
            if outcome.error is not None:
                progress.refused.append(Refused(number, outcome.status, str(outcome.error)))
        yield progress


def _numbered(lines: BinaryIO, limit: int) -> Iterator[tuple[int, Posted]]:
    """The lines that are not blank, with their numbers from 1."""
    number = 0
    while line := lines.readline(limit + 2):
        number += 1
        size = len(line)
        while size > limit and not line.endswith(b"\n") and (more := lines.readline(limit)):
            # The rest of a line that is too long is read away, not kept.
            size += len(more)
            if more.endswith(b"\n"):
                break
        if size > limit + 1:
            yield number, Posted(b"", {}, TooLarge(limit, size))
            continue
        line = line.removesuffix(b"\n").removesuffix(b"\r")
        if line.strip(_SPACE):
            yield number, item(line)


def _steps(items: Iterable[tuple[int, Posted]]) -> Iterator[list[tuple[int, Posted]]]:
    step: list[tuple[int, Posted]] = []
    size = 0
    for number, posted in items:
        step.append((number, posted))
        size += len(posted.data)
        if len(step) >= BATCH_TURNS or size >= BATCH_BYTES:
            yield step
            step, size = [], 0
    if step:
        yield step


def size_of(name: str) -> int:
    """Bytes of a file, for progress; 0 where nobody knows."""
    try:
        return Path(name).stat().st_size
    except OSError:
        return 0
