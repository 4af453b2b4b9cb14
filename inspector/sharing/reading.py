"""A turn and its reading as a link shows them: cut to the link's scope, then covered by its mask."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

from inspector.sharing import scope
from inspector.sharing.cover import cover_reading, cover_turn, texts_of
from inspector.sharing.errors import OutOfScope
from inspector.sharing.masking import MARK, SHORTEST, Masker
from inspector.store import readings
from inspector.store.errors import Damaged, NotFound
from inspector.store.models import Share, Turn
from inspector.turns.errors import TurnError
from inspector.turns.findings import ALONE, rule_named
from inspector.turns.turn import Call, Finding, Reading, ReadTurn, Response, Section

LISTED = 4 << 20
"""Bytes of turns that are looked through for one list; names of further ones are covered whole."""


@dataclass(frozen=True, slots=True)
class ShownSection:
    """One section as a link shows it; offsets are its message's, ``text`` begins at ``section.start``."""

    section: Section
    text: str
    inside: tuple[Section, ...]
    """Sections below it, depth first."""
    turn: ReadTurn
    """For the page that renders it; shows more than the link may, so nothing else of it leaves the house."""


def read_turn(share: Share, row: Turn) -> ReadTurn:
    """A turn that the link's scope has given out, cut and masked."""
    return _masked(share, [_cut(share, readings.read_turn_of(row))])[0]


def compared(share: Share, old: str | None = None, new: str | None = None) -> tuple[ReadTurn, ReadTurn]:
    """The two turns of a comparison, older first, cut and masked alike. Raises OutOfScope."""
    rows = scope.comparison_of(share, old, new)
    shown = _masked(share, [_cut(share, readings.read_turn_of(row)) for row in rows])
    return shown[0], shown[1]


def section(share: Share) -> ShownSection:
    """The one section of a section's link. Raises OutOfScope when a new reading no longer has it."""
    row, path = scope.section_shown(share)
    full = readings.read_turn_of(row)
    index = next((number for number, found in enumerate(full.reading.sections) if found.path == path), None)
    if index is None:
        raise OutOfScope
    shown = _masked(share, [_cut(share, full)])[0]
    found = shown.reading.sections[index]
    text = shown.turn.messages[found.message].text[found.start : found.end]
    inside = []
    for below in shown.reading.sections[index + 1 :]:
        if below.depth <= found.depth:
            break
        inside.append(below)
    return ShownSection(found, text, tuple(inside), shown)


def names_covered(share: Share, rows: Sequence[Turn]) -> Callable[[Turn, str], str]:
    """Covers names that a list shows of turns (its agent, its calls) just as the turns' own pages do."""
    if not share.mask:
        return lambda _, name: name
    room, covers = LISTED, {}
    for row in rows:
        # What was found in a turn's texts is looked for elsewhere only if it is that long.
        is_plain = all(len(str(name)) < SHORTEST for name in (row.agent, *row.calls))
        texts: Iterable[str] | None = () if is_plain else _texts(row) if row.size <= room else None
        room -= 0 if is_plain else row.size
        covers[row.pk] = _blanket if texts is None else Masker(share.mask, texts).derived
    return lambda row, name: covers.get(row.pk, _blanket)(name)


def _texts(row: Turn) -> list[str] | None:
    try:
        return list(texts_of(readings.read_turn_of(row)))
    except (NotFound, Damaged, TurnError):
        return None


def _blanket(name: str) -> str:
    return MARK * len(name)


def _masked(share: Share, turns: list[ReadTurn]) -> list[ReadTurn]:
    if not share.mask:
        return turns
    masker = Masker(share.mask, [text for read in turns for text in texts_of(read)])
    return [
        replace(
            read, turn=cover_turn(read.turn, masker), reading=cover_reading(read.turn, read.reading, masker)
        )
        for read in turns
    ]


# ---------------------------------------------------------------- cutting to scope


def _cut(share: Share, read: ReadTurn) -> ReadTurn:
    """Without what belongs to turns that the link doesn't show."""
    if share.scope == Share.Scope.SESSION:
        return replace(read, reading=_cut_reading(share, read.reading))
    turn = replace(read.turn, session=None, parent=None)
    reading = replace(_cut_reading(share, read.reading), since_previous=None)
    if reading.response is not None:
        # What points at no call of this response takes its value from a turn before.
        own = (
            one if one.call is not None else replace(one, value=None) for one in reading.response.references
        )
        reading = replace(reading, response=replace(reading.response, references=tuple(own)))
    return replace(read, turn=turn, reading=replace(reading, findings=tuple(map(_bare, reading.findings))))


def _cut_reading(share: Share, reading: Reading) -> Reading:
    if reading.response is None:
        return reading
    return replace(reading, response=_cut_response(share, reading.response))


def _cut_response(share: Share, response: Response) -> Response:
    hidden = {call.index for call in response.calls if not _result_shown(share, call)}
    if not hidden:
        return response
    return replace(
        response,
        calls=tuple(replace(call, result=None) if call.index in hidden else call for call in response.calls),
        # A reference's value is taken from a result, and a run may count calls of earlier turns too.
        references=tuple(replace(reference, value=None) for reference in response.references),
    )


def _result_shown(share: Share, call: Call) -> bool:
    """A posted result is the turn's own; one that a later prompt shows is that turn's."""
    return call.result is None or call.result.turn is None or scope.holds(share, call.result.seq)


def _bare(finding: Finding) -> Finding:
    """Without what may come from other turns: data, and the words of rules that look at them."""
    if finding.rule in ALONE:
        return replace(finding, data={})
    rule = rule_named(finding.rule)
    return replace(finding, message=rule.title if rule else finding.rule, hint=None, data={})
