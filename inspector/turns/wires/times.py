"""Times as agents write them: ISO 8601 or Unix milliseconds, or something else that deserves a note."""

from datetime import UTC, datetime
from typing import Any

EARLIEST = datetime(1970, 1, 2, tzinfo=UTC)
LATEST = datetime(2262, 1, 1, tzinfo=UTC)
"""Both databases, every browser and nanosecond clocks can say times between these."""
UNITS = (
    (1e11, 1, "seconds"),
    (1e14, 1_000, ""),
    (1e17, 1_000_000, "microseconds"),
    (1e20, 1e9, "nanoseconds"),
)
"""Upper bound of a plausible number, divisor to seconds, and its name where it isn't milliseconds."""


def time_of(name: str, value: Any) -> tuple[datetime | None, str | None]:
    """The time in UTC, or None, and a note when it was read otherwise than it was written."""
    if value is None:
        return None, None
    if isinstance(value, str) and _is_number(value):
        value = float(value)
    if isinstance(value, str):
        return _from_text(name, value)
    if isinstance(value, int | float) and not isinstance(value, bool):
        return _from_number(name, value)
    return None, f"{name} is not a time and is left out."


def _is_number(text: str) -> bool:
    return len(text) < 32 and text.isascii() and text.replace(".", "", 1).isdigit() and len(text) > 8


def _from_text(name: str, text: str) -> tuple[datetime | None, str | None]:
    try:
        time = datetime.fromisoformat(text.strip())
        note = None
        if time.tzinfo is None:
            time, note = time.replace(tzinfo=UTC), f"{name} has no time zone and is read as UTC."
        time = time.astimezone(UTC)
    except (ValueError, OverflowError):
        return None, f"{name} is not an ISO 8601 time and is left out: {text[:40]!r}."
    return _in_range(name, time, note, text)


def _from_number(name: str, value: float) -> tuple[datetime | None, str | None]:
    for bound, divisor, unit in UNITS:
        if 0 <= value < bound:
            time = datetime.fromtimestamp(value / divisor, UTC)
            note = f"{name} looks like {unit}, not milliseconds, and is read so." if unit else None
            return _in_range(name, time, note, str(value))
    return None, f"{name} is not a plausible time and is left out."


def _in_range(name: str, time: datetime, note: str | None, shown: str) -> tuple[datetime | None, str | None]:
    if EARLIEST <= time < LATEST:
        return time, note
    return None, f"{name} is out of range and is left out: {shown[:40]}."
