"""Strict JSON answers, written straight to bytes."""

import json
from typing import Any

from django.http import HttpResponse

JSON = "application/json; charset=utf-8"


def json_bytes(value: Any) -> bytes:
    """Compact JSON in UTF-8; lone surrogates stay escaped, NaN is a ValueError."""
    try:
        return json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode()
    except UnicodeEncodeError:
        return json.dumps(value, allow_nan=False, separators=(",", ":")).encode()


def json_reply(value: Any, status: int = 200) -> HttpResponse:
    """An answer of the API."""
    return HttpResponse(json_bytes(value), status=status, content_type=JSON)
