"""The distinct instructions, actions and format texts of a project, and how many turns show each."""

from collections import Counter
from collections.abc import Iterable, Sequence

from django.db import connection
from django.db.models import F

from inspector.store import outlines
from inspector.store.models import SectionVersion, Turn
from inspector.turns.turn import Reading, Section

KINDS = ("instructions", "actions", "format")
MAX_SECTIONS = 20
"""Per turn; a prompt cut into hundreds of instructions has no version worth a name."""


def sections_of(reading: Reading) -> tuple[Section, ...]:
    """The sections of a reading that have versions: the outermost of each such kind."""
    chosen: list[Section] = []
    outer: list[Section] = []
    for section in reading.sections:
        while outer and outer[-1].depth >= section.depth:
            outer.pop()
        if section.kind in KINDS and not any(above.kind == section.kind for above in outer):
            chosen.append(section)
        outer.append(section)
    return tuple(chosen[:MAX_SECTIONS])


_COLUMNS = (
    *("project_id", "kind", "digest", "agent", "path", "title", "chars", "tokens"),
    *("first_turn_id", "last_turn_id", "first_at", "last_at", "count"),
)
_SEEN = f"""
INSERT INTO inspector_sectionversion ({", ".join(_COLUMNS)}) VALUES ({", ".join(["%s"] * len(_COLUMNS))})
ON CONFLICT (project_id, kind, agent, digest) DO UPDATE SET
    count = inspector_sectionversion.count + excluded.count,
    last_turn_id = CASE WHEN excluded.last_at >= inspector_sectionversion.last_at
        OR inspector_sectionversion.last_turn_id IS NULL
        THEN excluded.last_turn_id ELSE inspector_sectionversion.last_turn_id END,
    last_at = CASE WHEN excluded.last_at > inspector_sectionversion.last_at
        THEN excluded.last_at ELSE inspector_sectionversion.last_at END,
    first_turn_id = CASE WHEN excluded.first_at < inspector_sectionversion.first_at
        OR inspector_sectionversion.first_turn_id IS NULL
        THEN excluded.first_turn_id ELSE inspector_sectionversion.first_turn_id END,
    first_at = CASE WHEN excluded.first_at < inspector_sectionversion.first_at
        THEN excluded.first_at ELSE inspector_sectionversion.first_at END
"""  # noqa: S608


def count(read: Sequence[tuple[Turn, Reading]]) -> None:
    """Count the versions that turns show; one statement a distinct text, however many turns show it."""
    rows: dict[tuple[str, str, str], SectionVersion] = {}
    for turn, reading in read:
        for section in sections_of(reading):
            key = (section.kind, turn.agent, section.digest)
            row = rows.get(key) or rows.setdefault(key, _version(turn, section))
            row.count += 1
            row.last_turn_id, row.last_at = turn.pk, turn.received_at
    fields = {str(field.column): field for field in SectionVersion._meta.concrete_fields}
    values = [
        [fields[name].get_db_prep_save(getattr(row, name), connection) for name in _COLUMNS]
        for _, row in sorted(rows.items())
    ]
    if values:
        with connection.cursor() as cursor:
            cursor.executemany(_SEEN, values)


def _version(turn: Turn, section: Section) -> SectionVersion:
    return SectionVersion(
        project_id=turn.project_id,
        kind=section.kind,
        digest=section.digest,
        agent=turn.agent,
        path=section.path,
        title=section.title,
        chars=section.chars,
        tokens=section.tokens,
        first_turn_id=turn.pk,
        last_turn_id=turn.pk,
        first_at=turn.received_at,
        last_at=turn.received_at,
        count=0,
    )


def discount(turn_ids: Iterable[int]) -> None:
    """Take back what ``count`` counted for turns that are read again or deleted."""
    ids = list(turn_ids)
    priors = outlines.priors_of(ids)
    turns = Turn.objects.in_bulk(list(priors))
    shown: Counter[tuple[int, str, str, str]] = Counter()
    for pk, prior in priors.items():
        turn = turns[pk]
        for section in sections_of(outlines.read(prior.data)):
            shown[turn.project_id, section.kind, turn.agent, section.digest] += 1
    for (project_id, kind, agent, digest), number in sorted(shown.items()):
        version = SectionVersion.objects.filter(project_id=project_id, kind=kind, agent=agent, digest=digest)
        version.filter(count__lte=number).delete()
        version.update(count=F("count") - number)
