"""Dates that a text says are today's, such as “Current date: 2026-07-04”."""

import re
from collections.abc import Iterator
from datetime import UTC, date, datetime
from itertools import islice

from inspector.turns.findings.scanning import Hit

_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_MONTH = r"(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]{0,6}"
_DATE = re.compile(
    rf"""
    \b(?P<y>20[0-9]{{2}})[-/.](?P<m>[01][0-9])[-/.](?P<d>[0-3][0-9])
        (?P<time>[T\ ][0-2][0-9]:[0-5][0-9](?::[0-5][0-9](?:[.,][0-9]{{1,9}})?)?
        (?P<zone>\ ?Z\b|\ ?[+-][0-9]{{2}}:?[0-9]{{2}}\b)?)?
    |\b(?P<name>{_MONTH})\.?\ (?P<day>[0-3]?[0-9])(?:st|nd|rd|th)?,?\ (?P<year>20[0-9]{{2}})\b
    |\b(?P<day2>[0-3]?[0-9])(?:st|nd|rd|th)?\.?\ (?P<name2>{_MONTH})\.?,?\ (?P<year2>20[0-9]{{2}})\b
    """,
    re.VERBOSE,
)
_TODAY = re.compile(
    r"\b(?:current|today(?:'s)?|now|present)(?:_\w{1,12})?\b[^.!?\n]{0,50}\Z"
    r"|(?:\A|\n)[ \t]{0,8}[-*#>|]{0,3}[ \t]{0,4}[\"'`*<]{0,3}"
    r"(?:date|time|datetime|date and time|timestamp|today|now)"
    r"[\"'`*>]{0,3}[ \t]{0,3}[:=>|][ \t\"'`*]{0,4}(?:[A-Z][a-z]{2,8},? )?\Z",
    re.IGNORECASE,
)
_HEADING = re.compile(
    r"(?:\A|\n)#{1,6}[ \t][^\n]{0,20}\b(?:current|today)"
    r"[^\n]{0,30}\n{1,2}[^\n]{0,30}\Z",
    re.IGNORECASE,
)
_OTHER = re.compile(
    r"\b(?:updated|modified|created|since|published|cutoff|cut-off|training|trained|knowledge|before|after|"
    r"example|e\.g|format|version|changed|until|expires?|deadline|due|next|last|previous|instead of|not|"
    r"as of|released?|dated|revision|born|founded|launch\w{0,3}|effective|valid|model|"
    r"schedul\w{1,4}|booking)\b",
    re.IGNORECASE,
)
_YEAR = re.compile(r"20[0-9]{2}")
_WORDS = ("current", "today", "now", "present", "date", "time")
YEARS_MAX = 1_000
WIDE = 24
"""Code points of a date before its year."""
LABEL = 90
"""Code points before a date in which its label is sought."""


def dates_in(text: str) -> Iterator[Hit]:
    """Dates that a text calls the current one; named in ISO 8601, with a time where a zone is given."""
    lowered = text.lower()
    if len(lowered) != len(text):  # some letters grow when lowered: then only what is lower case already
        lowered = text
    words = [word for word in _WORDS if word in lowered]
    end = 0
    for year in islice(_YEAR.finditer(text), YEARS_MAX) if words else ():
        if year.start() < end:
            continue
        before = lowered[max(year.start() - LABEL, 0) : year.start()]
        for word in words:
            if word in before:
                break
        else:
            continue
        match = _DATE.search(text, max(year.start() - WIDE, end), year.end() + 2 * WIDE)
        if match is None or not match.start() <= year.start() < match.end():
            continue
        end = match.end()
        said = _iso(match) if _is_labelled(text, match.start()) else None
        if said is not None:
            yield Hit("date", match.start(), end, said)


def _is_labelled(text: str, at: int) -> bool:
    before = text[max(at - LABEL, 0) : at]
    label = _TODAY.search(before) or _HEADING.search(before)
    return label is not None and _OTHER.search(label[0]) is None


def moment_of(said: str) -> tuple[date, datetime | None]:
    """The day of a hit's name, and its moment where it has one."""
    if len(said) > 10:
        moment = datetime.fromisoformat(said)
        return moment.date(), moment.astimezone(UTC)
    return date.fromisoformat(said), None


def _iso(match: re.Match[str]) -> str | None:
    name = match["name"] or match["name2"]
    year, day = match["y"] or match["year"] or match["year2"], match["d"] or match["day"] or match["day2"]
    month = int(match["m"]) if match["m"] else _MONTHS.index(name[:3].lower()) + 1
    said = f"{year}-{month:02d}-{int(day):02d}"
    if match["zone"]:
        said += match["time"].replace(" ", "T", 1).replace(" ", "").replace(",", ".")
    try:
        moment_of(said)
    except ValueError:
        return None
    return said
