"""Times as agents write them."""

from typing import Any

import pytest

from inspector.turns.wires.times import time_of


@pytest.mark.parametrize(
    ("value", "read", "note"),
    [
        (None, None, None),
        ("2026-03-01T12:00:00Z", "2026-03-01T12:00:00+00:00", None),
        ("2026-03-01T12:00:00.5+02:00", "2026-03-01T10:00:00.500000+00:00", None),
        (" 2026-03-01 12:00:00Z ", "2026-03-01T12:00:00+00:00", None),
        ("2026-03-01T12:00:00.123456789Z", "2026-03-01T12:00:00.123456+00:00", None),
        ("2026-03-01", "2026-03-01T00:00:00+00:00", "no time zone"),
        (1772366400000, "2026-03-01T12:00:00+00:00", None),
        (1772366400000.25, "2026-03-01T12:00:00.000250+00:00", None),
        ("1772366400000", "2026-03-01T12:00:00+00:00", None),
        (1772366400, "2026-03-01T12:00:00+00:00", "looks like seconds"),
        (1772366400000000, "2026-03-01T12:00:00+00:00", "looks like microseconds"),
        (1772366400000000000, "2026-03-01T12:00:00+00:00", "looks like nanoseconds"),
        ("0001-01-01T00:00:00Z", None, "out of range"),
        ("0001-01-01T00:00:00+14:00", None, "not an ISO 8601 time"),
        ("9999-12-31T23:59:59.999999Z", None, "out of range"),
        ("9999-12-31T23:59:59-14:00", None, "not an ISO 8601 time"),
        ("2026-02-30T00:00:00Z", None, "not an ISO 8601 time"),
        ("soon\x00\ud800", None, "not an ISO 8601 time"),
        ("", None, "not an ISO 8601 time"),
        ("9" * 5_000, None, "not an ISO 8601 time"),
        (0, None, "out of range"),
        (-5, None, "not a plausible time"),
        (10**30, None, "not a plausible time"),
        (True, None, "not a time"),
        ([], None, "not a time"),
    ],
)
def test_time(value: Any, read: Any, note: Any) -> None:
    time, said = time_of("started_at", value)
    assert (time.isoformat() if time else None) == read
    assert (said is None) == (note is None)
    assert note is None or note in str(said)
