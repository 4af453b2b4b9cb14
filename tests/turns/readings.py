"""Strategies that make any reading: for what must hold whatever was read."""

from typing import Any

from hypothesis import strategies as st

from inspector.turns.turn import (
    KINDS,
    SEVERITIES,
    Break,
    CacheMark,
    Call,
    Contract,
    Finding,
    IfAllMoved,
    IfMoved,
    MessageFacts,
    Offer,
    Output,
    Place,
    Prefix,
    Reading,
    Reference,
    Response,
    Result,
    Section,
    SectionCounts,
    SincePrevious,
    Source,
    Span,
)

ANY = st.characters()
"""Lone surrogates included."""
TEXT = st.text(st.one_of(st.sampled_from('ab/=[]{}"\\1 \n'), ANY), max_size=12)
MAYBE_TEXT = st.none() | TEXT
NUMBER = st.integers(0, 500)
MAYBE = st.none() | NUMBER
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | TEXT,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3),
    max_leaves=6,
)
STRINGS = st.dictionaries(TEXT, TEXT, max_size=2)
KIND = st.sampled_from(KINDS)
STATUS = st.sampled_from(["ok", "unknown", "invalid", "unparsed", "unchecked"])


def tuples(items: st.SearchStrategy[Any], size: int = 3) -> st.SearchStrategy[tuple[Any, ...]]:
    return st.lists(items, max_size=size).map(tuple)


SECTION = st.builds(
    Section,
    path=st.lists(st.sampled_from(["a", "b", "", "c[x]"]), min_size=1, max_size=3).map("/".join),
    kind=KIND,
    title=TEXT | st.sampled_from(["a", "b"]),
    syntax=st.sampled_from(["tag", "heading", "label", "role", "json", "text"]),
    depth=st.integers(0, 3),
    message=st.integers(0, 2),
    start=NUMBER,
    end=NUMBER,
    body_start=NUMBER,
    body_end=NUMBER,
    line=NUMBER,
    end_line=NUMBER,
    tokens=NUMBER,
    digest=TEXT,
    attributes=STRINGS,
)
OFFER = st.builds(
    Offer,
    name=TEXT,
    description=MAYBE_TEXT,
    schema=JSON,
    source=st.just("tools") | st.builds(Source, st.integers(0, 2), NUMBER, NUMBER),
    section=st.none() | st.sampled_from(["a", "b", "a/b"]),
    required=st.none() | st.booleans(),
    attributes_schema=JSON,
    rebuilt=st.booleans(),
    call_format=TEXT,
)
RESULT = st.builds(Result, turn=MAYBE_TEXT, seq=MAYBE, section=MAYBE_TEXT, line=MAYBE, value=JSON, error=JSON)
SPAN = st.builds(Span, text=TEXT, start=MAYBE, end=MAYBE)
CALL = st.builds(
    Call,
    index=NUMBER,
    id=MAYBE_TEXT,
    name=TEXT,
    attributes=STRINGS,
    arguments=JSON,
    raw=TEXT | st.sampled_from(["1", "1.0", "{}", "[1]", "NaN"]),
    json=st.sampled_from([None, "strict", "truncated", "repaired", "invalid"]),
    status=STATUS,
    start=MAYBE,
    end=MAYBE,
    raw_start=MAYBE,
    result=st.none() | RESULT,
    mended=tuples(TEXT),
)
OUTPUT = st.builds(
    Output,
    index=NUMBER,
    name=TEXT,
    attributes=STRINGS,
    data=JSON,
    raw=TEXT,
    status=STATUS,
    start=MAYBE,
    end=MAYBE,
    raw_start=MAYBE,
)
REFERENCE = st.builds(
    Reference,
    expression=TEXT,
    where=st.sampled_from(["call", "output", "text"]),
    index=MAYBE,
    call=MAYBE,
    path=MAYBE_TEXT,
    status=st.sampled_from(["resolved", "dangling", "forward", "self", "not-resolved-here"]),
    value=JSON,
    start=NUMBER,
    end=NUMBER,
)
RESPONSE = st.builds(
    Response,
    syntax=st.sampled_from(["tagged", "json", "tools", "markers", "react", "text"]),
    complete=st.booleans(),
    text=TEXT,
    tokens=NUMBER,
    prefill_chars=NUMBER,
    reasoning=tuples(SPAN),
    calls=tuples(CALL),
    outputs=tuples(OUTPUT),
    references=tuples(REFERENCE),
    stray=tuples(SPAN),
)
PLACE = st.builds(
    Place,
    part=st.sampled_from(["prompt", "response", "turn"]),
    message=st.none() | st.integers(0, 2),
    section=st.none() | st.sampled_from(["a", "b", "a/b"]),
    start=MAYBE,
    end=MAYBE,
    line=MAYBE,
    column=MAYBE,
)
FINDING = st.builds(
    Finding,
    rule=TEXT,
    severity=st.sampled_from(SEVERITIES),
    message=TEXT,
    where=PLACE,
    hint=MAYBE_TEXT,
    data=st.dictionaries(TEXT, JSON, max_size=2),
)
PREFIX = st.builds(
    Prefix,
    shared_tokens=NUMBER,
    shared_chars=NUMBER,
    tokens=NUMBER,
    ratio=st.floats(0, 1),
    broken_at=st.none() | st.builds(Break, MAYBE_TEXT, MAYBE, NUMBER, NUMBER, TEXT, TEXT, TEXT),
    rebilled_tokens=NUMBER,
    reported_cached_tokens=MAYBE,
    if_moved=st.none() | st.builds(IfMoved, TEXT, NUMBER),
    if_all_moved=st.none() | st.builds(IfAllMoved, st.lists(TEXT, max_size=3).map(tuple), NUMBER),
    breakpoints=st.lists(
        st.builds(
            CacheMark, MAYBE, MAYBE, NUMBER, TEXT, st.sampled_from(("hit", "partly", "missed")), NUMBER
        ),
        max_size=2,
    ).map(tuple),
)
SINCE = st.builds(
    SincePrevious,
    turn=TEXT,
    tokens=st.integers(-500, 500),
    sections=st.builds(SectionCounts, NUMBER, NUMBER, NUMBER, NUMBER, NUMBER),
    prefix=PREFIX,
    changed_paths=tuples(TEXT),
    changed_kinds=tuples(KIND),
)
READING = st.builds(
    Reading,
    dialect=TEXT,
    layout=MAYBE_TEXT,
    chars=NUMBER,
    bytes=NUMBER,
    lines=NUMBER,
    tokens=NUMBER,
    messages=tuples(st.builds(MessageFacts, TEXT, MAYBE_TEXT, NUMBER, NUMBER, NUMBER)),
    sections=tuples(SECTION, 6),
    contract=st.builds(Contract, tuples(OFFER), tuples(OFFER)),
    response=st.none() | RESPONSE,
    findings=tuples(FINDING),
    since_previous=st.none() | SINCE,
    read_with=NUMBER,
)
