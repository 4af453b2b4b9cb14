"""How well a payload's request and response fit a wire."""

from collections.abc import Callable, Mapping
from typing import Any

from inspector.turns.wires.streams import Streamed

Fits = Callable[[Mapping[str, Any]], float]
FIRST_EVENTS = 12
"""A stream shows what it is at once; pings and comments may come first."""


def fit(payload: Mapping[str, Any], request_fits: Fits, response_fits: Fits, event_fits: Fits) -> float:
    """Likelihood of a wire. The response tells more: many requests are nothing but a list of messages."""
    request, response = payload.get("request"), payload.get("response")
    answered = 0.0
    if isinstance(response, Streamed):
        answered = max((event_fits(event) for event in response.events[:FIRST_EVENTS]), default=0.0)
    elif isinstance(response, Mapping):
        answered = response_fits(response)
    if not isinstance(request, Mapping):
        return answered * 0.9
    asked = request_fits(request)
    return (asked + 2 * answered) / 3 if asked else answered * 0.3


def never(value: Mapping[str, Any]) -> float:
    """For a side that tells nothing."""
    return 0.0
