"""Readings as documents: back and forth without loss, and the same where the prompt is the same."""

import json
from dataclasses import replace
from typing import Any

from hypothesis import given, settings

from inspector.turns.document import from_document, to_document
from inspector.turns.turn import Call, Contract, MessageFacts, Reading, Response, Section
from tests.turns.readings import READING


@given(READING)
@settings(max_examples=300, deadline=None)
def test_a_reading_comes_back_equal_through_json_bytes(reading: Any) -> None:
    stored = json.dumps(to_document(reading), separators=(",", ":"), allow_nan=False).encode("ascii")
    assert from_document(json.loads(stored)) == reading


def section(
    path: str, start: int, end: int, line: int, height: int, depth: int = 0, digest: str = "d"
) -> Section:
    return Section(
        path=path,
        kind="other",
        title=path,
        syntax="tag",
        depth=depth,
        message=0,
        start=start,
        end=end,
        body_start=start + 3,
        body_end=end - 4,
        line=line,
        end_line=line + height,
        tokens=1,
        digest=digest,
    )


def reading_of(sections: tuple[Section, ...], response: Response | None = None) -> Reading:
    facts = MessageFacts("user", None, sections[-1].end, 10, 1)
    return Reading(
        "generic", None, facts.chars, facts.chars, 9, 10, (facts,), sections, Contract(), response, ()
    )


def test_a_section_that_only_moved_down_is_written_the_same() -> None:
    before = reading_of(
        (section("a", 0, 20, 1, 2), section("b", 20, 50, 3, 4), section("b/c", 23, 46, 4, 1, 1))
    )
    after = reading_of(
        (section("a", 0, 90, 1, 9), section("b", 90, 120, 10, 4), section("b/c", 93, 116, 11, 1, 1))
    )
    old, new = to_document(before)["s"], to_document(after)["s"]
    assert old[0] != new[0]
    assert old[1:] == new[1:]


def call(raw: str, arguments: object, start: int | None) -> Call:
    return Call(0, None, "go", {}, arguments, raw, "strict", "ok", 0, 9, start)


def test_response_text_and_arguments_that_its_text_spells_are_written_once() -> None:
    text = '<action_call name="go">{"to":"the library in the old town"}</action_call>'
    raw = '{"to":"the library in the old town"}'
    response = Response(
        "tagged", True, text, 9, calls=(call(raw, {"to": "the library in the old town"}, 23),)
    )
    written = json.dumps(to_document(reading_of((section("a", 0, 9, 1, 1),), response)))
    assert written.count("the library in the old town") == 1


def test_arguments_that_differ_from_their_text_in_type_alone_are_kept() -> None:
    response = Response("tagged", True, "1", 1, calls=(call("1", 1.0, 0),))
    reading = reading_of((section("a", 0, 9, 1, 1),), response)
    back = from_document(to_document(reading)).response
    assert back is not None
    assert isinstance(back.calls[0].arguments, float)


def test_the_version_of_the_reading_code_is_kept() -> None:
    reading = replace(reading_of((section("a", 0, 9, 1, 1),)), read_with=7)
    assert from_document(to_document(reading)).read_with == 7
