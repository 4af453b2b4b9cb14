"""The two sides of a turn as a wire reads them: what was asked and what was answered."""

from dataclasses import dataclass

from inspector.turns.turn import ErrorInfo, Message, ResponseBody, Tool, Usage


@dataclass(frozen=True, slots=True)
class Asked:
    """The request: messages in the order in which the model sees them, and the tools beside them."""

    messages: tuple[Message, ...] = ()
    tools: tuple[Tool, ...] = ()
    model: str | None = None
    notes: tuple[str, ...] = ()
    continued: bool = False
    """The provider kept earlier messages, and the request does not carry them."""


@dataclass(frozen=True, slots=True)
class Answered:
    """The response and what the provider said about it."""

    body: ResponseBody | None = None
    usage: Usage | None = None
    finish_reason: str | None = None
    model: str | None = None
    error: ErrorInfo | None = None
    notes: tuple[str, ...] = ()
