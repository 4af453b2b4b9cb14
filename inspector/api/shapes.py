# ruff: noqa: E501 - a table reads best with one shape in few lines
"""The shapes that travel, as JSON Schema: for the reference and for tools that read it."""

from typing import Any

Shape = dict[str, Any]


def text(about: str = "") -> Shape:
    """A string."""
    return {"type": "string"} | ({"description": about} if about else {})


def number(about: str = "") -> Shape:
    """A whole number."""
    return {"type": "integer"} | ({"description": about} if about else {})


def maybe(shape: Shape) -> Shape:
    """The shape, or null."""
    return {"anyOf": [shape, {"type": "null"}]}


def ref(name: str) -> Shape:
    """One of SHAPES by its name."""
    return {"$ref": f"#/components/schemas/{name}"}


def many(shape: Shape) -> Shape:
    """A list."""
    return {"type": "array", "items": shape}


def record(about: str, required: tuple[str, ...] = (), /, **fields: Shape) -> Shape:
    """An object; more fields may come."""
    shape: Shape = {"type": "object", "description": about, "properties": fields}
    return shape | ({"required": list(required)} if required else {})


ANY: Shape = {"description": "any JSON"}
ID: Shape = {"type": "string", "pattern": "^[A-Za-z0-9._:~-]{1,128}$"}
TIME: Shape = {"type": "string", "format": "date-time"}
MOMENT: Shape = {"anyOf": [text("ISO 8601"), {"type": "number", "description": "Unix milliseconds"}]}
FLAG: Shape = {"type": "boolean"}
TAGS: Shape = {"type": "object", "additionalProperties": text()}
COUNTS = record("Findings by severity.", error=number(), warning=number(), info=number())
OBJECT: Shape = {"type": "object"}
PLACE = ("start", "end")


def offsets(*names: str) -> dict[str, Shape]:
    """Offsets in code points; null where there is no place in a text."""
    return {name: maybe(number()) for name in names}


SHAPES: dict[str, Shape] = {
    "Error": record(
        "What every error looks like.",
        ("error",),
        error=record(
            "The code is stable, the message is for people, the detail for programs.",
            ("code", "message", "detail"),
            code=text(),
            message=text(),
            detail=OBJECT,
        ),
    ),
    "PostedTurn": record(
        "One request to a model with its response. At least one of prompt, messages, request, response must be "
        "there. Unknown fields are kept and shown.",
        id=ID | {"description": "The agent's own id of the turn; one is made if it is left out."},
        session={"type": "string", "maxLength": 256, "description": "Key of the run or conversation."},
        agent=text("Name of the agent."),
        parent=ID | {"description": "Id of the turn that started this one."},
        prompt=text("The rendered prompt as one string."),
        messages=many({"anyOf": [OBJECT, text()]}) | {"description": "The messages: role, content, tool_calls …"},
        request=OBJECT | {"description": "The provider's request body as it was sent."},
        response={"anyOf": [text(), OBJECT, many(ANY)], "description": "The answer, or its streamed events."},
        prefill=text("Text the assistant turn was begun with."),
        tools={"anyOf": [many(ANY), OBJECT], "description": "Tool declarations offered natively."},
        model=text(),
        provider=text(),
        usage=OBJECT,
        started_at=MOMENT,
        ended_at=MOMENT,
        finish_reason=text(),
        error={"anyOf": [text(), OBJECT]},
        results=many(ref("PostedResult")),
        dialect=text("Name of the dialect, if the agent knows better."),
        tags=TAGS,
        metadata=ANY,
    ),
    "PostedResult": record(
        "What came of a call: value or error.",
        ("call",),
        call={"anyOf": [number("index of the call, from 0"), text("id of the call")]},
        name=text(),
        value=ANY,
        error=ANY,
    ),
    "Place": record(
        "How a turn is found again.",
        ("id", "session", "session_id", "seq", "url", "state"),
        id=ID,
        session=text("The agent's own key of the session."),
        session_id=text("The server's short id of the session."),
        seq=number("Place in the session, from 1."),
        url=text("The turn's page."),
        state={"enum": ["pending", "read", "unreadable"]},
    ),
    "Waiting": record("A later part whose turn has not come yet.", ("id", "state"), id=ID, state={"const": "waiting for its turn"}),
    "Section": record(
        "A stretch of a message's text. Those of depth 0 tile the text. Offsets are code points.",
        path=text(), kind=text(), title=text(), syntax={"enum": ["tag", "heading", "label", "role", "json", "text"]},
        depth=number(), message=number(), start=number(), end=number(), body_start=number(), body_end=number(),
        line=number(), end_line=number(), chars=number(), tokens=number(), digest=text(), attributes=TAGS,
    ),
    "Offer": record(
        "An action or output that the prompt offers.",
        name=text(), description=maybe(text()), schema=ANY, required=FLAG,
        source={"anyOf": [record("Place in the prompt.", message=number(), start=number(), end=number()), {"const": "tools"}]},
        section=maybe(text()),
    ),
    "Result": record(
        "What came of a call.",
        turn=maybe(ID), seq=maybe(number()), section=maybe(text()), line=maybe(number()), value=ANY, error=ANY,
    ),
    "Call": record(
        "An action that the response asks for.",
        index=number(), id=maybe(text()), name=text(), attributes=TAGS, arguments=ANY, raw=text(),
        json={"enum": ["strict", "truncated", "repaired", "invalid", None]},
        status={"enum": ["ok", "unknown", "invalid", "unparsed", "unchecked"]},
        result=maybe(ref("Result")), **offsets(*PLACE),
    ),
    "Output": record(
        "Something said through a named output.",
        index=number(), name=text(), attributes=TAGS, data=ANY, raw=text(), status=text(), **offsets(*PLACE),
    ),
    "Reference": record(
        "A template reference such as {{calls[0].temperature}}.",
        expression=text(), where={"enum": ["call", "output", "text"]}, index=maybe(number()), call=maybe(number()),
        path=maybe(text()), status={"enum": ["resolved", "dangling", "forward", "self", "not-resolved-here"]},
        value=ANY, start=number(), end=number(),
    ),
    "Span": record("A stretch of the response's text.", text=text(), **offsets(*PLACE)),
    "Response": record(
        "What the model sent back, read.",
        syntax={"enum": ["tagged", "json", "tools", "markers", "react", "text"]}, complete=FLAG, text=text(),
        tokens=number(), reasoning=many(ref("Span")), calls=many(ref("Call")), outputs=many(ref("Output")),
        references=many(ref("Reference")), stray=many(ref("Span")),
    ),
    "Finding": record(
        "Something a person should look at.",
        rule=text(), severity={"enum": ["error", "warning", "info"]}, message=text(), hint=maybe(text()),
        where=record(
            "Where it is. Lines and columns count from 1.",
            part={"enum": ["prompt", "response", "turn"]}, section=maybe(text()),
            **offsets("message", "start", "end", "line", "column"),
        ),
        data=OBJECT,
    ),
    "Prefix": record(
        "What two prompts share from the first token on.",
        shared_tokens=number(), shared_chars=number(), tokens=number(), ratio={"type": "number"},
        rebilled_tokens=number(), reported_cached_tokens=maybe(number()),
        **{"break": maybe(record("The first difference.", section=maybe(text()), message=maybe(number()), line=number(),
                                 column=number(), old=text(), new=text(), cause=text()))},
        if_moved=maybe(record("If one section stood last.", section=text(), shared_tokens=number())),
        if_all_moved=maybe(record("If all sections that change by themselves stood last.",
                                  sections=many(text()), shared_tokens=number())),
        breakpoints=many(record("A cache breakpoint of the newer prompt.", message=maybe(number()), line=maybe(number()),
                                tokens=number(), lifetime=text(), state={"enum": ["hit", "partly", "missed"]},
                                read_tokens=number())),
    ),
    "Turn": record(
        "A turn with its reading. While there is none, the reading's parts are null.",
        id=ID, session=text(), session_id=maybe(text()), seq=maybe(number()), agent=maybe(text()), parent=maybe(ID),
        model=maybe(text()), provider=maybe(text()), wire=maybe(text()),
        dialect=maybe(record("How the prompt is written.", name=text(), layout=maybe(text()))),
        state={"enum": ["pending", "read", "unreadable"]}, problem=maybe(text()), received_at=maybe(TIME),
        started_at=maybe(TIME), ended_at=maybe(TIME), latency_ms=maybe(number()), usage=maybe(OBJECT),
        finish_reason=maybe(text()), error=maybe(OBJECT), tags=TAGS, metadata=ANY, url=maybe(text()),
        prompt=maybe(record("Sizes.", chars=number(), bytes=number(), lines=number(), tokens=number(), messages=many(OBJECT))),
        sections=maybe(many(ref("Section"))),
        contract=maybe(record("What is offered.", actions=many(ref("Offer")), outputs=many(ref("Offer")))),
        response=maybe(ref("Response")), findings=maybe(many(ref("Finding"))),
        since_previous=maybe(
            record("What differs from the turn before.", turn=ID, tokens=number(), sections=OBJECT, prefix=ref("Prefix"))
        ),
    ),
    "TurnSummary": record(
        "A turn in a list.",
        id=ID, session=text(), session_id=text(), seq=number(), state=text(), agent=maybe(text()), model=maybe(text()),
        received_at=TIME, tokens=number(), response_tokens=number(), findings=COUNTS, calls=many(text()), url=text(),
    ),
    "Session": record(
        "A session in a list.",
        id=text(), key=text(), agent=maybe(text()), turns=number(), first_at=TIME, last_at=TIME, tokens=number(),
        findings=COUNTS, actions=many(text()), models=many(text()), url=text(),
    ),
    "Changes": record(
        "What differs between two prompts.",
        summary=OBJECT, prefix=ref("Prefix"), sections=many(OBJECT), contract=many(OBJECT), coarse=FLAG,
    ),
    "Version": record(
        "A distinct instructions, actions or format text.",
        kind=text(), digest=text(), agent=maybe(text()), path=text(), title=text(), chars=number(), tokens=number(),
        count=number(), first_turn=maybe(ID), last_turn=maybe(ID), first_at=TIME, last_at=TIME,
    ),
    "NewShare": record(
        "What a link is to show: a turn, a section of one, a comparison of two or a session up to now.",
        ("scope",),
        scope={"enum": ["turn", "section", "comparison", "session"]}, turn=ID, old_turn=ID, session_id=text(),
        section=text("Path of the section."), label=text(),
        mask=many({"enum": ["secrets", "emails"]}) | {"description": "What is covered; secrets if left out."},
        expires_at=TIME | {"description": "Seven days from now if left out."},
    ),
    "Share": record(
        "A link. Its address is only in the answer that made it.",
        id=number(), scope=text(), session_id=text(), turn=maybe(ID), old_turn=maybe(ID), prefix=text(), label=text(),
        mask=many(text()), created_at=TIME, expires_at=TIME, revoked_at=maybe(TIME), views=number(),
        last_viewed_at=maybe(TIME), url=text(),
    ),
}  # fmt: skip
