"""A turn's fields as one line of strict JSON, whatever objects an agent puts into them."""

import base64
import dataclasses
import json
import math
from collections.abc import Mapping
from datetime import date
from typing import Any


def encode(fields: Mapping[str, Any]) -> bytes:
    """ASCII JSON without line ends. Raises ValueError or RecursionError for circular or bottomless values."""
    try:
        text = json.dumps(fields, default=plain, allow_nan=False)
    except (ValueError, TypeError):
        # NaN, or keys that aren't text: the server refuses the one and JSON the other.
        text = json.dumps(_strict(fields), default=plain, allow_nan=False)
    return text.encode("ascii")


def plain(value: Any) -> Any:
    """What stands for a value that JSON doesn't know: SDK objects by their fields, else their text."""
    for method in ("model_dump", "to_dict", "_asdict"):
        if callable(dump := getattr(value, method, None)) and not isinstance(value, type):
            return _strict(dump())
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return _strict(dataclasses.asdict(value))
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, bytes | bytearray | memoryview):
        return base64.b64encode(bytes(value)).decode("ascii")
    if isinstance(value, set | frozenset):
        return [_strict(item) for item in value]
    return repr(value)


def _strict(value: Any) -> Any:
    """The value with text keys, and with NaN and infinities as text."""
    if isinstance(value, float) and not math.isfinite(value):
        return repr(value)
    if isinstance(value, Mapping):
        return {key if isinstance(key, str) else str(key): _strict(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_strict(item) for item in value]
    return value
