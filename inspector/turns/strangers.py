"""What somebody posts that is no turn but can be recognised: whole traces, logs, bare bodies of providers."""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple


class _Shape(NamedTuple):
    fits: Callable[[Mapping[str, Any]], bool]
    words: str


_STEPS = (
    "Post each call of a model in it as a turn of its own: what the model was sent as 'messages' or "
    "'request', what it answered as 'response', and the same 'session' for all of them."
)


def _has(name: str, kind: type) -> Callable[[Mapping[str, Any]], bool]:
    return lambda payload: isinstance(payload.get(name), kind)


def _is_response(payload: Mapping[str, Any]) -> bool:
    bodies = (payload.get("choices"), payload.get("candidates"), payload.get("output"))
    if any(isinstance(body, list | Mapping) for body in bodies):
        return True
    return payload.get("type") == "message" and isinstance(payload.get("content"), list)


def _is_request(payload: Mapping[str, Any]) -> bool:
    if isinstance(payload.get("contents"), list):
        return True
    return "input" in payload and isinstance(payload.get("model"), str)


_SHAPES = (
    _Shape(
        lambda payload: "schema_version" in payload and isinstance(payload.get("steps"), list),
        f"This is an agent's whole trajectory (its 'steps'), not one turn. {_STEPS}",
    ),
    _Shape(
        lambda payload: "resourceSpans" in payload or "resource_spans" in payload,
        f"This is an OpenTelemetry export of spans, not one turn. {_STEPS}",
    ),
    _Shape(_has("observations", list), f"This is a trace with its observations, not one turn. {_STEPS}"),
    _Shape(_has("batch", list), f"This is a batch of trace events, not one turn. {_STEPS}"),
    _Shape(
        _has("log", Mapping),
        "This is an entry of a log of what an agent did, not a turn: it holds no prompt. Post what was sent "
        "to the model as 'prompt' or 'messages' and what it answered as 'response'.",
    ),
    _Shape(
        _is_response,
        "This looks like a provider's response alone. Send it as 'response', what was asked as 'request'.",
    ),
    _Shape(
        _is_request,
        "This looks like a provider's request body alone. Send it as 'request', the answer as 'response'.",
    ),
)
"""In the order in which they are asked."""


def recognised(payload: Mapping[str, Any]) -> str:
    """What a payload without a turn's content is, and what to do with it; empty where nobody knows."""
    return next((shape.words for shape in _SHAPES if shape.fits(payload)), "")
