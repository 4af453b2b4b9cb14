"""How a turn travels: one module a wire, native last. The likeliest wire reads the payload."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Protocol

from inspector.turns.errors import Unreadable
from inspector.turns.fields import check
from inspector.turns.payload import Payload
from inspector.turns.turn import Turn
from inspector.turns.wires import (
    anthropic_messages,
    bedrock_converse,
    cohere,
    completions,
    gemini,
    native,
    ollama,
    openai_chat,
    openai_responses,
)
from inspector.turns.wires.streams import streamed

__all__ = ["WIRES", "Wire", "read_payload"]


class Wire(Protocol):
    """A module that knows one wire."""

    @property
    def NAME(self) -> str: ...

    def likelihood(self, payload: Mapping[str, Any], /) -> float:
        """How well the payload fits, 0 to 1."""

    def read(self, payload: Mapping[str, Any], /) -> Turn:
        """The turn. Never raises on content but Unreadable when nothing can be made of it."""


WIRES: tuple[Wire, ...] = (
    openai_chat,
    openai_responses,
    anthropic_messages,
    gemini,
    bedrock_converse,
    cohere,
    ollama,
    completions,
    native,
)


def read_payload(payload: Mapping[str, Any]) -> Turn:
    """The turn that a payload is.

    Raises NotATurn when it breaks the API's rules, Unreadable when no wire can read it.
    """
    check(payload)
    payload = _with_events(payload)
    wire, notes = _likeliest(payload)
    try:
        turn = wire.read(payload)
    except Unreadable:
        raise
    except Exception as error:  # a wire that stumbles over content must not lose the turn
        notes.append(
            f"The {wire.NAME} wire could not read it ({type(error).__name__}); read as our own fields."
        )
        turn = _by_native(payload)
    return replace(turn, notes=(*turn.notes, *notes)) if notes else turn


def _with_events(payload: Mapping[str, Any]) -> Mapping[str, Any]:
    """The payload with a response that looks like a stream taken apart once, for all wires to look at."""
    response = streamed(payload.get("response"))
    if response is payload.get("response"):
        return payload
    opened = Payload({**payload, "response": response})
    opened.notes = getattr(payload, "notes", ())
    return opened


def _likeliest(payload: Mapping[str, Any]) -> tuple[Wire, list[str]]:
    """The first of the likeliest wires; one that raises while asked counts as 0."""
    best, best_likelihood, notes = WIRES[-1], -1.0, []
    for wire in WIRES:
        try:
            likelihood = wire.likelihood(payload)
        except Exception as error:
            notes.append(f"The {wire.NAME} wire failed while asked ({type(error).__name__}).")
            continue
        if likelihood > best_likelihood:
            best, best_likelihood = wire, likelihood
    return best, notes


def _by_native(payload: Mapping[str, Any]) -> Turn:
    try:
        return native.read(payload)
    except Unreadable:
        raise
    except Exception as error:
        raise Unreadable(f"No wire can read it: {type(error).__name__}.") from error
