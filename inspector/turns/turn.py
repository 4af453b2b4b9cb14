"""The shapes that every part of the product speaks in.

Offsets are code points into the text they belong to: a message's ``text`` for sections and
prompt places, ``Response.text`` for everything read in a response. Tokens are o200k_base counts.
"""

from collections.abc import Mapping
from dataclasses import field
from datetime import datetime
from typing import Any, Literal

from inspector.turns.shape import shape

Kind = Literal[
    "instructions",
    "documents",
    "environment",
    "format",
    "actions",
    "outputs",
    "contexts",
    "memory",
    "history",
    "updates",
    "other",
]
KINDS: tuple[Kind, ...] = (
    "instructions",
    "documents",
    "environment",
    "format",
    "actions",
    "outputs",
    "contexts",
    "memory",
    "history",
    "updates",
    "other",
)
Severity = Literal["error", "warning", "info"]
SEVERITIES: tuple[Severity, ...] = ("error", "warning", "info")
Syntax = Literal["tag", "heading", "label", "role", "json", "text"]
ResponseSyntax = Literal["tagged", "json", "tools", "markers", "react", "text"]
CallStatus = Literal["ok", "unknown", "invalid", "unparsed", "unchecked"]
JsonState = Literal["strict", "truncated", "repaired", "invalid"]
MarkState = Literal["hit", "partly", "missed"]
ReferenceStatus = Literal["resolved", "dangling", "forward", "self", "not-resolved-here"]
READ_WITH = 1
"""Version of the reading code; ``manage.py reread`` makes older readings again."""


# ---------------------------------------------------------------- what travelled


@shape
class Part:
    """A content part of a message and where its text lies in the message's text."""

    kind: str
    """``text`` or the provider's own name: ``image_url``, ``input_audio``, ``tool_result`` …"""
    start: int
    end: int
    value: Any = None
    """The part as it was posted when it is not text; shown, never interpreted."""


@shape
class Breakpoint:
    """A mark up to which a request asks its provider to keep the prompt in its cache."""

    offset: int
    """Code points into the message's text; 0 behind a tool."""
    blocks: int
    """Content parts of the message up to the mark; a text alone is one."""
    lifetime: str = ""
    """``5m``, ``1h``; empty when the request leaves it to the provider."""


@shape
class NativeCall:
    """A call as the provider's own tool calling carries it."""

    id: str | None
    name: str
    arguments: str
    """The arguments' JSON as text, exactly as sent (compact dump if the wire sends an object)."""
    hosted: bool = field(default=False, compare=False)
    """The provider carries it out itself."""


@shape
class Message:
    """One message of a prompt. ``text`` is its text parts, concatenated with nothing between."""

    role: str
    text: str
    name: str | None = None
    parts: tuple[Part, ...] = ()
    """Empty when the content was one string."""
    calls: tuple[NativeCall, ...] = ()
    call_id: str | None = None
    """``tool_call_id`` of a tool message."""
    breakpoints: tuple[Breakpoint, ...] = field(default=(), compare=False)
    """Cache breakpoints: no part of what the model sees."""
    members: tuple[str, ...] = field(default=(), compare=False)
    """Role, content and calls in the order that they were posted in, where it is not this one."""


@shape
class Tool:
    """A tool declaration offered natively beside the messages."""

    name: str
    description: str | None
    schema: Any
    """JSON Schema of the parameters, or None."""
    breakpoint: Breakpoint | None = field(default=None, compare=False)
    """The cache breakpoint behind it."""


@shape
class ResponseBody:
    """The model's answer before it is read: text, native reasoning and native calls."""

    text: str
    reasoning: tuple[str, ...] = ()
    calls: tuple[NativeCall, ...] = ()
    role: str = "assistant"
    members: tuple[str, ...] = field(default=(), compare=False)
    """As in Message."""


@shape
class Usage:
    """Token counts as the provider reported them; ``input_tokens`` includes cached ones."""

    input_tokens: int | None = None
    output_tokens: int | None = None
    cache_read_tokens: int | None = None
    cache_write_tokens: int | None = None
    reasoning_tokens: int | None = None


@shape
class ErrorInfo:
    """A provider's error."""

    type: str | None
    message: str


@shape
class PostedResult:
    """What came of one call, as the agent itself told us."""

    call: int | str
    """Index of the call in the response, or its id."""
    name: str | None = None
    value: Any = None
    error: Any = None


@shape
class Turn:
    """One request to a model with its response, as it travelled."""

    messages: tuple[Message, ...] = ()
    response: ResponseBody | None = None
    prefill: str = ""
    """Text the assistant turn was begun with, whether posted or the last assistant message."""
    tools: tuple[Tool, ...] = ()
    id: str | None = None
    session: str | None = None
    agent: str | None = None
    parent: str | None = None
    model: str | None = None
    provider: str | None = None
    usage: Usage | None = None
    started_at: datetime | None = None
    ended_at: datetime | None = None
    finish_reason: str | None = None
    error: ErrorInfo | None = None
    results: tuple[PostedResult, ...] = ()
    dialect: str | None = None
    tags: Mapping[str, str] = field(default_factory=dict)
    metadata: Any = None
    extra: Mapping[str, Any] = field(default_factory=dict)
    """Posted fields that this version gives no meaning to."""
    wire: str = "native"
    notes: tuple[str, ...] = ()
    """What the wire had to guess or leave out, in plain words."""
    continued: bool = False
    """The provider kept earlier messages of the conversation, and the request does not carry them."""


# ---------------------------------------------------------------- what is derived


@shape
class Section:
    """A stretch of a message's text. Sections of depth 0 tile their message's text."""

    path: str
    kind: Kind
    title: str
    syntax: Syntax
    depth: int
    message: int
    start: int
    end: int
    body_start: int
    body_end: int
    line: int
    """First line, from 1, over the whole prompt (each message starts on a new line)."""
    end_line: int
    tokens: int
    digest: str
    """First 16 hex digits of SHA-256 of the section's text (lone surrogates escaped)."""
    attributes: Mapping[str, str] = field(default_factory=dict)

    @property
    def chars(self) -> int:
        """Length in code points."""
        return self.end - self.start


@shape
class Source:
    """Where an offer is written."""

    message: int
    start: int
    end: int


@shape
class Offer:
    """An action or output that the prompt offers."""

    name: str
    description: str | None
    schema: Any
    """JSON Schema of the arguments (an output's content), or None when none is shown."""
    source: Source | Literal["tools"]
    section: str | None
    """Path of the section that offers it."""
    required: bool | None = None
    attributes_schema: Any = None
    rebuilt: bool = False
    """The schema was rebuilt from a documented parameter list, not printed."""
    call_format: str = "json"
    """How a call's arguments are written: ``json`` or ``xml`` (child tags)."""


@shape
class Contract:
    """What a prompt offers: the actions it may do and the outputs it may speak through."""

    actions: tuple[Offer, ...] = ()
    outputs: tuple[Offer, ...] = ()


@shape
class Span:
    """A stretch of response text. Offsets are None when it came beside the text (native)."""

    text: str
    start: int | None
    end: int | None


@shape
class Result:
    """What came of a call: where a later prompt shows it, or what the agent posted."""

    turn: str | None
    """Id of the turn whose prompt shows it; None when posted."""
    seq: int | None
    section: str | None
    line: int | None
    value: Any
    error: Any


@shape
class Call:
    """An action that the response asks for."""

    index: int
    id: str | None
    name: str
    attributes: Mapping[str, str]
    arguments: Any
    """Parsed arguments, or None when they could not be parsed."""
    raw: str
    json: JsonState | None
    status: CallStatus
    start: int | None
    end: int | None
    raw_start: int | None = None
    """Offset of ``raw`` in the response's text."""
    result: Result | None = None
    mended: tuple[str, ...] = ()
    """What the mending of broken JSON changed, in plain words."""


@shape
class Output:
    """Something the response says through a named output."""

    index: int
    name: str
    attributes: Mapping[str, str]
    data: Any
    """Parsed JSON content where the output's schema asks for JSON; else None."""
    raw: str
    status: CallStatus
    start: int | None
    end: int | None
    raw_start: int | None = None


@shape
class Reference:
    """A template reference such as ``{{calls[0].temperature}}`` in a response."""

    expression: str
    """Without the braces, trimmed."""
    where: Literal["call", "output", "text"]
    index: int | None
    """Index of the call or output that holds it."""
    call: int | None
    """Index of the call it points at, or None."""
    path: str | None
    """What follows the index: ``temperature``, ``forecast[0].high``."""
    status: ReferenceStatus
    value: Any
    start: int
    end: int


@shape
class Response:
    """What the model sent back, read."""

    syntax: ResponseSyntax
    complete: bool
    text: str
    """Prefill and response text together: what all offsets point into."""
    tokens: int
    prefill_chars: int = 0
    """How many leading code points of ``text`` are prefill."""
    reasoning: tuple[Span, ...] = ()
    calls: tuple[Call, ...] = ()
    outputs: tuple[Output, ...] = ()
    references: tuple[Reference, ...] = ()
    stray: tuple[Span, ...] = ()


@shape
class Place:
    """Where a finding is. Lines count from 1 over the prompt or the response; columns from 1."""

    part: Literal["prompt", "response", "turn"]
    message: int | None = None
    section: str | None = None
    start: int | None = None
    end: int | None = None
    line: int | None = None
    column: int | None = None


@shape
class Finding:
    """Something a person should look at."""

    rule: str
    severity: Severity
    message: str
    where: Place
    hint: str | None = None
    data: Mapping[str, Any] = field(default_factory=dict)


@shape
class Break:
    """The first difference between two prompts, in the new one."""

    section: str | None
    message: int | None
    line: int
    column: int
    old: str
    """A short excerpt of the old text from the difference on."""
    new: str
    cause: str
    """``clock``, ``date``, ``id``, ``counter``, ``insertion``, ``removal``, ``reorder``,
    ``whitespace``, ``key-order``, ``tool-list``, ``model``, ``append`` or ``edit``."""


@shape
class IfMoved:
    """What the shared prefix would be if one section stood last."""

    section: str
    shared_tokens: int


@shape
class IfAllMoved:
    """What the shared prefix would be if all sections that change by themselves stood last."""

    sections: tuple[str, ...]
    shared_tokens: int


@shape
class CacheMark:
    """A cache breakpoint of the new prompt, and what the one before had left for it to read."""

    message: int | None
    """None behind a tool."""
    line: int | None
    """The last line before it, over the whole prompt."""
    tokens: int
    """Tokens of text before it."""
    lifetime: str
    """``5m``, ``1h``; empty when the request leaves it to the provider."""
    state: MarkState
    """``hit``: all before it; ``partly``: up to an earlier breakpoint; ``missed``: nothing."""
    read_tokens: int
    """Tokens of text that could be read for it."""


@shape
class Prefix:
    """What two prompts share from the first token on, in the provider's order."""

    shared_tokens: int
    shared_chars: int
    tokens: int
    ratio: float
    """Shared tokens over the new prompt's tokens, 0 to 1."""
    broken_at: Break | None
    rebilled_tokens: int
    """Tokens of the old prompt that lie after the break and must be paid for again."""
    reported_cached_tokens: int | None = None
    if_moved: IfMoved | None = None
    if_all_moved: IfAllMoved | None = None
    """None where it would be no better than ``if_moved``."""
    breakpoints: tuple[CacheMark, ...] = ()

    @property
    def readable_tokens(self) -> int | None:
        """Tokens that the request's breakpoints let the provider read; None when it sets none."""
        return max(mark.read_tokens for mark in self.breakpoints) if self.breakpoints else None


@shape
class SectionCounts:
    """How many sections changed between two prompts."""

    added: int = 0
    removed: int = 0
    changed: int = 0
    moved: int = 0
    same: int = 0


@shape
class SincePrevious:
    """What differs from the turn before in the same session."""

    turn: str
    tokens: int
    """Difference of the prompts' tokens: new minus old."""
    sections: SectionCounts
    prefix: Prefix
    changed_paths: tuple[str, ...] = ()
    """Paths of added, changed and moved sections of the new prompt (the innermost)."""
    changed_kinds: tuple[Kind, ...] = ()
    """Kinds in which something differs, removed sections included, in the order of KINDS."""


@shape
class MessageFacts:
    """Size of one message."""

    role: str
    name: str | None
    chars: int
    tokens: int
    line: int
    """First line of the message over the whole prompt."""


@shape
class Reading:
    """All that is derived from a turn. May be thrown away and made again."""

    dialect: str
    layout: str | None
    chars: int
    bytes: int
    lines: int
    tokens: int
    messages: tuple[MessageFacts, ...]
    sections: tuple[Section, ...]
    """Depth first, parents before children."""
    contract: Contract
    response: Response | None
    findings: tuple[Finding, ...]
    since_previous: SincePrevious | None = None
    read_with: int = READ_WITH


@shape
class ReadTurn:
    """A turn with its reading, and how its session knows it."""

    id: str
    seq: int
    turn: Turn
    reading: Reading
