"""What a test looks at in a turn that a wire read: plain values, empty ones left out."""

from dataclasses import fields, is_dataclass
from datetime import datetime
from typing import Any


def as_read(value: Any) -> Any:
    """A turn as JSON values for an expected file."""
    if is_dataclass(value):
        shown = {item.name: as_read(getattr(value, item.name)) for item in fields(value)}
        return {
            name: item for name, item in shown.items() if item not in (None, "", [], {}) and item is not False
        }
    if isinstance(value, tuple | list):
        return [as_read(item) for item in value]
    if isinstance(value, datetime):
        return value.isoformat()
    if isinstance(value, dict):
        return {name: as_read(item) for name, item in value.items()}
    return value
