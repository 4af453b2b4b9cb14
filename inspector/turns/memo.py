"""What was worked out of a text before, by the text's digest: a long session pays only for what is new."""

from collections import OrderedDict
from typing import Any, Protocol


class Memo(Protocol):
    """Remembers values by key. Keys name the work and the whole SHA-256 of the text it was done on."""

    def get(self, key: str) -> Any:
        """The value, or None."""

    def set(self, key: str, value: Any) -> None:
        """Remembers a value; may forget it at any time."""


class RecentMemo:
    """A memo in memory that forgets what was not asked for the longest. Not for threads to share."""

    def __init__(self, size: int = 20_000) -> None:
        self._values: OrderedDict[str, Any] = OrderedDict()
        self._size = size

    def get(self, key: str) -> Any:
        """The value, or None."""
        value = self._values.get(key)
        if value is not None:
            self._values.move_to_end(key)
        return value

    def set(self, key: str, value: Any) -> None:
        """Remembers a value and forgets the oldest one when there are too many."""
        self._values[key] = value
        self._values.move_to_end(key)
        if len(self._values) > self._size:
            self._values.popitem(last=False)
