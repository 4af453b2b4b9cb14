"""What each call takes and answers, and the key it needs: the arguments of the routers' decorators."""

from http.client import responses
from typing import Any

from inspector.api.keys import PostKey, ReadKey
from inspector.api.shapes import SHAPES, Shape, many, maybe, number, record, ref, text
from inspector.store.kinds import KNOWN

POST, READ = PostKey(), ReadKey()
ERRORS = {
    400: "Bad input, or a key in the URL.",
    401: "No key, a wrong one or a revoked one.",
    403: "The key may post, not read.",
    404: "Nothing here, or not for this key.",
    409: "It is there already, and different.",
    413: "More bytes, decompressed, or more items than the limit.",
    415: "A Content-Encoding other than gzip or zstd.",
    503: "The database could not take it now; try again.",
}
POSTING = (400, 401, 413, 415, 503)
READING = (400, 401, 403, 404)


def operation(
    key: PostKey,
    answers: dict[int, Shape],
    errors: tuple[int, ...],
    *,
    body: Shape | None = None,
    media: str = "application/json",
    answer_media: str = "application/json",
) -> dict[str, Any]:
    """Arguments of a router's decorator. Bodies are read raw: the schema documents, and does not parse."""
    extra: dict[str, Any] = {"responses": _answers(answers, errors, answer_media)}
    if body is not None:
        extra["requestBody"] = {"required": True, "content": {media: {"schema": body}}}
    # Views answer with ready responses; this only tells which statuses there are.
    return {"auth": key, "openapi_extra": extra, "response": dict.fromkeys(answers)}


def _answers(answers: dict[int, Shape], errors: tuple[int, ...], media: str) -> dict[int, Any]:
    good = {
        status: {"description": responses[status], "content": {media: {"schema": shape}}}
        for status, shape in answers.items()
    }
    bad = {
        status: {
            "description": ERRORS[status],
            "content": {"application/json": {"schema": ref("Error")}},
        }
        for status in errors
    }
    return good | bad


def _list(name: str, shape: Shape) -> Shape:
    return record(
        "A page of the list.", **{name: many(shape), "next": maybe(text("cursor of the next page"))}
    )


PLACE = ref("Place")
PART = {"anyOf": [PLACE, ref("Waiting")]}
POST_TURN = operation(POST, {201: PLACE, 200: PLACE}, (*POSTING, 409), body=ref("PostedTurn"))
POST_BATCH = operation(
    POST,
    {
        200: record(
            "One answer a turn, in order.", results=many(record("201, 200, 400 or 409.", status=number()))
        )
    },
    POSTING,
    body=many(ref("PostedTurn")),
    media="application/x-ndjson",
)
POST_RESPONSE = operation(
    POST,
    {201: PART, 200: PART},
    (*POSTING, 409),
    body=record(
        "The response and what is known of it.",
        **{
            name: SHAPES["PostedTurn"]["properties"][name]
            for name in ("response", "usage", "finish_reason", "error", "ended_at")
        },
    ),
)
POST_RESULTS = operation(
    POST,
    {201: PART, 200: PART},
    POSTING,
    body=record("What came of the calls.", ("results",), results=many(ref("PostedResult"))),
)
POST_READ = operation(
    POST,
    {200: ref("Turn")},
    POSTING,
    body={"allOf": [ref("PostedTurn"), record("And the turn before.", previous=ref("PostedTurn"))]},
)

GET_TURN = operation(READ, {200: ref("Turn")}, READING)
GET_RECORD = operation(READ, {200: ref("PostedTurn")}, READING)
GET_TEXT = operation(READ, {200: text()}, (*READING, 409), answer_media="text/plain")
GET_CHANGES = operation(READ, {200: ref("Changes")}, (*READING, 409))
GET_BLAME = operation(
    READ,
    {
        200: many(
            record(
                "Lines that came in together.",
                message=number(),
                line=number(),
                end_line=number(),
                turn=text(),
                seq=number(),
                from_line=number(),
            )
        )
    },
    (*READING, 409),
)
GET_SESSIONS = operation(READ, {200: _list("sessions", ref("Session"))}, (400, 401, 403))
GET_SESSION = operation(READ, {200: ref("Session")}, READING)
GET_SESSION_TURNS = operation(READ, {200: _list("turns", ref("TurnSummary"))}, READING)
GET_HISTORY = operation(
    READ,
    {
        200: many(
            record(
                "A version of the section.",
                digest=text(),
                from_seq=number(),
                to_seq=number(),
                chars=number(),
                tokens=number(),
                turn=text(),
            )
        )
    },
    READING,
)
GET_PRESENCE = operation(
    READ, {200: record("Where a text was, turn by turn.", turns=many(record("A turn.")))}, READING
)
GET_SEARCH = operation(READ, {200: _list("hits", record("A hit."))}, (400, 401, 403))
GET_VERSIONS = operation(READ, {200: _list("versions", ref("Version"))}, (400, 401, 403))
POST_SHARE = operation(READ, {201: ref("Share")}, (*READING, 413, 415), body=ref("NewShare"))
GET_SHARES = operation(READ, {200: _list("shares", ref("Share"))}, (400, 401, 403))
KINDS = record(
    "The project's own section names.",
    kinds={"type": "object", "additionalProperties": {"enum": list(KNOWN)}},
)
GET_KINDS = operation(READ, {200: KINDS}, (400, 401, 403))
PUT_KINDS = operation(READ, {200: KINDS}, (400, 401, 403, 413, 415), body=KINDS)
LEFT = number("turns that still wait to be read again")
POST_REREAD = operation(
    READ,
    {200: record("How many turns were marked, and how many wait.", marked=number(), left=LEFT)},
    (*READING, 413, 415),
    body=record("What to read again.", session_id=text("the turns of this session; left out: all")),
)
GET_REREAD = operation(READ, {200: record("Progress.", left=LEFT)}, READING)
GONE = record(
    "What went.",
    turns=number(),
    bytes=number("of records, as posted"),
    findings=number(),
    links=number("that opened"),
)
DELETE_TURN = operation(READ, {200: GONE}, READING)
DELETE_SESSION = operation(READ, {200: GONE}, READING)
DELETE_SHARE = operation(READ, {200: ref("Share")}, READING)
