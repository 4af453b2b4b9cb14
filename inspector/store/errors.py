"""What can go wrong between a question and the tables.

StoreError
 +-- NotFound    no such thing, or not for this person: the two can't be told apart
 +-- Forbidden   the person may see it, but not do this
 +-- Damaged     stored bytes don't decode to what was posted
 +-- BadQuery    a search or cursor that can't be understood; ``str()`` explains
"""


class StoreError(Exception):
    """Base of this room's errors."""


class NotFound(StoreError):
    """No such thing, or not for this person."""


class Forbidden(StoreError):
    """The person may see it, but not do this."""


class Damaged(StoreError):
    """Stored bytes don't decode to what was posted."""


class BadQuery(StoreError):
    """A search or a cursor that can't be understood."""


class BadKinds(StoreError):
    """A table of section names that can't be; ``field`` is the name in question."""

    def __init__(self, message: str, field: str) -> None:
        super().__init__(message)
        self.field = field
