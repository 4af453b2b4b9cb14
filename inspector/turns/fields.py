"""The fields of a posted turn and the rule that each must keep.

``null`` is the same as left out, for every field. A wrong type is refused; a value out of range (a
time in the year 9999, an end before the start) is kept and noted when the turn is read.
"""

import re
from collections.abc import Callable, Mapping
from typing import Any

from inspector.turns.errors import NotATurn
from inspector.turns.strangers import recognised

MAX_SESSION = 256
MAX_NAME = 256
MAX_SHORT_NAME = 100
CONTENT = ("prompt", "messages", "request", "response")
FIELDS = frozenset(
    (
        *CONTENT,
        *("id", "session", "agent", "parent", "prefill", "tools", "model", "provider", "usage", "started_at"),
        *("ended_at", "finish_reason", "error", "results", "dialect", "tags", "metadata"),
    )
)
"""Names that the API gives a meaning to; all others are kept as they are."""

_ID = re.compile(r"[A-Za-z0-9._:~-]{1,128}+")
Rule = Callable[[str, Any], None]


def check(payload: Mapping[str, Any]) -> None:
    """Whether a payload may be recorded as a turn. Raises NotATurn for what the API refuses."""
    is_empty = not any(_is_there(payload.get(name)) for name in CONTENT)
    if is_empty and (words := recognised(payload)):
        raise NotATurn(words)
    for name, rule in RULES.items():
        value = payload.get(name)
        if value is not None:
            rule(name, value)
    if is_empty:
        raise NotATurn(
            "A turn needs at least one of prompt, messages, request or response. Send the rendered prompt as "
            "'prompt', the chat messages as 'messages' or the provider's request body as 'request'."
        )


def check_addition(part: str, payload: Mapping[str, Any]) -> None:
    """Whether a payload may be recorded as a later part, ``response`` or ``results``. Raises NotATurn."""
    names = ("results",) if part == "results" else ("response", "usage", "finish_reason", "error", "ended_at")
    for name in names:
        value = payload.get(name)
        if value is not None:
            RULES[name](name, value)
    if part == "results" and payload.get("results") is None:
        raise NotATurn("Send the results as {'results': [{'call': 0, 'value': …}]}.", "results")
    if part == "response" and payload.get("response") is None and payload.get("error") is None:
        raise NotATurn("Send the response as {'response': …}, or {'error': …} if there is none.", "response")


def _is_there(value: Any) -> bool:
    return value is not None and value != [] and value != {}


def _wrong(name: str, wanted: str, value: Any) -> NotATurn:
    return NotATurn(f"{name} must be {wanted}, not {_kind(value)}.", name)


def _kind(value: Any) -> str:
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true or false"
    names = {str: "a string", list: "a list", dict: "an object", int: "a number", float: "a number"}
    return next((name for kind, name in names.items() if isinstance(value, kind)), "this")


def _identifier(name: str, value: Any) -> None:
    if not isinstance(value, str):
        raise _wrong(name, "a string", value)
    if not _ID.fullmatch(value):
        raise NotATurn(
            f"{name} must be 1 to 128 of letters, digits and . _ : ~ - (it has {len(value)}).", name
        )
    if value in (".", ".."):
        # In an address these mean the folder itself and the one above: nothing could ever ask for the turn.
        raise NotATurn(f"{name} must not be {value!r}: no address can hold it.", name)


def _text(limit: int | None) -> Rule:
    def rule(name: str, value: Any) -> None:
        if not isinstance(value, str):
            raise _wrong(name, "a string", value)
        if limit is not None and len(value) > limit:
            raise NotATurn(f"{name} has {len(value)} characters; the limit is {limit}.", name)

    return rule


def _session(name: str, value: Any) -> None:
    _text(MAX_SESSION)(name, value)
    if not value:
        raise NotATurn("session is empty. Leave it out to make the turn its own session.", name)


def _prompt(name: str, value: Any) -> None:
    if isinstance(value, list):
        raise NotATurn("prompt must be one string. Send a list of messages as 'messages'.", name)
    _text(None)(name, value)


def _messages(name: str, value: Any) -> None:
    if not isinstance(value, list):
        raise _wrong(name, "a list of messages", value)
    for index, message in enumerate(value):
        place = f"{name}[{index}]"
        if isinstance(message, str):
            continue
        if not isinstance(message, dict):
            raise _wrong(place, "an object with role and content", message)
        if not isinstance(message.get("role"), str | None):
            raise _wrong(f"{place}.role", "a string", message["role"])
        if not isinstance(message.get("content"), str | list | dict | None):
            raise _wrong(f"{place}.content", "a string or a list of parts", message["content"])


def _one_of(wanted: str, *kinds: type) -> Rule:
    def rule(name: str, value: Any) -> None:
        if not isinstance(value, kinds) or (isinstance(value, bool) and bool not in kinds):
            raise _wrong(name, wanted, value)

    return rule


def _results(name: str, value: Any) -> None:
    if not isinstance(value, list):
        raise _wrong(name, "a list", value)
    for index, result in enumerate(value):
        place = f"{name}[{index}]"
        if not isinstance(result, dict):
            raise _wrong(place, "an object", result)
        call = result.get("call")
        if isinstance(call, bool) or not isinstance(call, int | str) or (isinstance(call, int) and call < 0):
            raise _wrong(f"{place}.call", "the index of the call (from 0) or its id", call)
        if not isinstance(result.get("name"), str | None):
            raise _wrong(f"{place}.name", "a string", result["name"])
        if "value" not in result and "error" not in result:
            raise NotATurn(f"{place} needs 'value' or 'error'.", name)


def _tags(name: str, value: Any) -> None:
    if not isinstance(value, dict):
        raise _wrong(name, "an object of strings", value)
    for key, tag in value.items():
        if not isinstance(tag, str):
            raise _wrong(f"{name}.{key[:40]}", "a string", tag)


RULES: Mapping[str, Rule] = {
    "id": _identifier,
    "session": _session,
    "agent": _text(MAX_NAME),
    "parent": _identifier,
    "prompt": _prompt,
    "messages": _messages,
    "request": _one_of("the provider's request body (an object)", dict),
    "response": _one_of("a string, an object or a list", str, dict, list),
    "prefill": _text(None),
    "tools": _one_of("a list of tool declarations", list, dict),
    "model": _text(MAX_NAME),
    "provider": _text(MAX_SHORT_NAME),
    "usage": _one_of("an object of token counts", dict),
    "started_at": _one_of("ISO 8601 text or Unix milliseconds", str, int, float),
    "ended_at": _one_of("ISO 8601 text or Unix milliseconds", str, int, float),
    "finish_reason": _text(None),
    "error": _one_of("a string or {type, message}", str, dict),
    "results": _results,
    "dialect": _text(None),
    "tags": _tags,
}
"""The rule of each field; ``metadata`` may be any JSON."""
