"""What can go wrong when a payload is taken for a turn.

TurnError
 +-- NotATurn      the payload can't be a turn: a field is missing or of the wrong type
 +-- Unreadable    the payload is kept but no reading can be made of it
"""


class TurnError(Exception):
    """Base of this room's errors."""


class NotATurn(TurnError):
    """The payload can't be a turn; ``field`` names what is wrong, ``str()`` says how to mend it."""

    def __init__(self, message: str, field: str | None = None) -> None:
        super().__init__(message)
        self.field = field


class Unreadable(TurnError):
    """The turn is kept, but no reading can be made of it; ``str()`` is the reason."""
