"""Why something that was posted is not taken in. The api maps them to answers, once.

IngestError                 ``code`` is the API's, ``detail`` what a program may want to know
 +-- Invalid                not a turn: not JSON, a field missing or of the wrong type
 +-- Conflict               the id is taken by other bytes, or a different response is there
 +-- TooLarge               more bytes than the limit, counted after decompression
 +-- TooMany                more items in a batch than the limit
 +-- UnknownEncoding        a Content-Encoding that is not understood
 +-- BadEncoding            the compressed stream is broken, cut short or followed by rubbish
 +-- Busy                   the database could not take it now; try again
"""

from typing import Any


class IngestError(Exception):
    """Base of this room's errors."""

    code = "invalid"

    def __init__(self, message: str, **detail: Any) -> None:
        super().__init__(message)
        self.detail = detail


class Invalid(IngestError):
    """Not a turn."""

    code = "invalid_turn"


class Conflict(IngestError):
    """The id is taken by other bytes."""

    code = "id_conflict"


class ResponseConflict(Conflict):
    """A different response is already there."""

    code = "response_conflict"


class TooLarge(IngestError):
    """More bytes than the limit. ``actual`` is what was seen before it was stopped, or announced."""

    code = "too_large"

    def __init__(self, limit: int, actual: int) -> None:
        super().__init__(
            f"The body has more than {limit:,} bytes, decompressed. Post less or raise INSPECTOR_MAX_BODY.",
            limit=limit,
            actual=actual,
        )
        self.limit, self.actual = limit, actual


class TooMany(IngestError):
    """More items in a batch than the limit."""

    code = "too_many"


class UnknownEncoding(IngestError):
    """A Content-Encoding that is not understood."""

    code = "unknown_encoding"


class BadEncoding(IngestError):
    """The compressed stream is broken, cut short or followed by rubbish."""

    code = "bad_encoding"


class Busy(IngestError):
    """The database could not take it now; try again."""

    code = "busy"
