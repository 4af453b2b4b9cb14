"""The rule on a prompt's own date against the time at which it was sent."""

import re
from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from itertools import islice

from inspector.turns.findings.dates import moment_of
from inspector.turns.findings.dialogue import RULERS
from inspector.turns.findings.pieces import Found, found_in
from inspector.turns.findings.rule import Context, Rule, shown
from inspector.turns.turn import Finding

_KINDS = ("instructions", "environment", "format", "contexts", "other")
_BINDING = re.compile(
    r"\b(?:authoritative|do not (?:substitute|correct|question|assume another|use (?:any )?other)|"
    r"always use this|"
    r"treat this (?:date )?as|never (?:use another|correct))[^.\n]{0,60}",
    re.IGNORECASE,
)
LATE = timedelta(hours=1)
"""How old a clock with a zone may be."""
EAST, WEST = timedelta(hours=14), timedelta(hours=12)
"""The farthest time zones."""


def _stale(context: Context) -> Iterator[Finding]:
    sent = context.turn.started_at
    if sent is None:
        return
    sent = sent.astimezone(UTC) if sent.tzinfo is not None else sent.replace(tzinfo=UTC)
    dates = (one for one in found_in(context) if one.hit.sort == "date" and _is_own(context, one))
    for found in islice(dates, 5):
        said, moment = moment_of(found.hit.name)
        away = _away(said, moment, sent)
        if away:
            yield _told(context, found, away, sent)


def _is_own(context: Context, found: Found) -> bool:
    """Whether the program says it, and not a past message, a document or a result."""
    message = context.turn.messages[found.section.message]
    if len(context.turn.messages) == 1:
        return found.section.kind in ("instructions", "environment")
    return found.section.kind in _KINDS and (message.role in RULERS or found.section.kind == "environment")


def _away(said: date, moment: datetime | None, sent: datetime) -> str:
    """How far a date is from every day that it is anywhere when the turn was sent."""
    first, last = (sent - WEST).date(), (sent + EAST).date()
    if said < first:
        days = (first - said).days
        return f"{days} day{'s' if days > 1 else ''} or more before"
    if said > last:
        return f"{(said - last).days} day{'s' if (said - last).days > 1 else ''} or more after"
    if moment is not None and abs(sent - moment) > LATE:
        hours = round(abs(sent - moment) / timedelta(hours=1))
        return f"{hours} hour{'s' if hours > 1 else ''} {'before' if moment < sent else 'after'}"
    return ""


def _told(context: Context, found: Found, away: str, sent: datetime) -> Finding:
    section = found.section
    text = context.turn.messages[section.message].text
    value = text[found.start : found.end]
    binding = _BINDING.search(text, found.end, min(found.end + 300, section.end))
    data: dict[str, object] = {
        "said": found.hit.name,
        "sent": sent.isoformat(),
        "same_since": _same_since(context, found),
    }
    hint = "Render the date at each turn."
    if binding is not None:
        line, column = context.lines.place(section.message, binding.start())
        hint = f"The prompt makes it binding (line {line}, column {column}): {shown(binding[0])}. {hint}"
        data["binding"] = {"start": binding.start(), "end": binding.end(), "line": line}
    since = data["same_since"]
    same = f" The section is unchanged since turn {since}." if since is not None else ""
    return STALE_VALUE.finding(
        f"The prompt says that it is {shown(value)}, {away} this turn was sent ({sent:%Y-%m-%d %H:%M} "
        f"UTC).{same}",
        context.in_prompt(section.message, found.start, found.end),
        hint,
        data,
    )


def _same_since(context: Context, found: Found) -> int | None:
    """``seq`` of the first turn in a row that shows the section letter for letter."""
    first: int | None = None
    for read in reversed(context.earlier[-50:]):
        if all(one.digest != found.section.digest for one in read.reading.sections):
            break
        first = read.seq
    return first


STALE_VALUE = Rule(
    "stale-value",
    "warning",
    "A date that is not the day on which the prompt was sent",
    "The prompt calls a date or a moment the current one (“Current date:”, “Today is”), and the turn was "
    "sent on "
    "a day that it is nowhere on earth at that date, or more than an hour from a clock that names its "
    "zone. Turns "
    "without a time of their own can't be checked, and dates in documents, results and past messages are "
    "left alone.\n\n"
    "What to do: render the date at each turn; a prompt that is built once keeps the day of its birth.",
    _stale,
)

RULES = (STALE_VALUE,)
