"""Answers that are JSON: commands, lists of calls, thoughts, or simply data."""

from typing import Any

import pytest

from inspector.turns.turn import Contract, Offer
from tests.turns.responses.reading import HERE, read


def calls(text: str) -> list[tuple[str, Any]]:
    response = read(text, name="generic", contract=Contract())
    assert response.syntax == "json"
    return [(call.name, call.arguments) for call in response.calls]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            '{"thoughts": {"text": "t"}, "command": {"name": "go", "args": {"to": "x"}}}',
            [("go", {"to": "x"})],
        ),
        ('{"action": "go", "args": {"to": "x"}}', [("go", {"to": "x"})]),
        ('{"action": "go", "action_input": "north"}', [("go", "north")]),
        ('{"name": "go", "arguments": {"to": "x"}}', [("go", {"to": "x"})]),
        ('{"name": "go", "arguments": "{\\"to\\": \\"x\\"}"}', [("go", {"to": "x"})]),
        (
            '[{"name": "go", "parameters": {}}, {"name": "stop", "parameters": {}}]',
            [("go", {}), ("stop", {})],
        ),
        (
            '{"tool_calls": [{"id": "1", "function": {"name": "go", "arguments": {"to": 1}}}]}',
            [("go", {"to": 1})],
        ),
        ('{"name": "a", "parameters": {}}; {"name": "b", "parameters": {}}', [("a", {}), ("b", {})]),
        ('```json\n{"action": "go", "args": {}}\n```', [("go", {})]),
        ('{"name": "go", "arguments": {}}\n{"name": "stop"}', [("go", {}), ("stop", {})]),
    ],
)
def test_calls_are_found(text: str, expected: list[tuple[str, Any]]) -> None:
    assert calls(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        '{"name": "Anna", "age": 5}',
        '{"action": "click", "index": 4}',
        '{"input": "x", "name": "Anna"}',
        "[1, 2]",
    ],
)
def test_data_is_no_call(text: str) -> None:
    response = read(text, name="generic", contract=Contract())
    assert response.calls == ()
    (output,) = response.outputs
    assert (output.name, output.raw) == ("json", text)


def test_arguments_and_thoughts_have_their_places() -> None:
    text = '{"thought": "so it is", "action": "go", "args": {"to": 12345678901234567890}}'
    response = read(text, name="generic", contract=Contract())
    (call,) = response.calls
    assert call.arguments == {"to": 12345678901234567890}
    assert call.raw_start is not None
    assert text[call.raw_start :].startswith('{"to"')
    (thought,) = response.reasoning
    assert text[thought.start : thought.end] == "so it is"


def test_answer_key_is_an_output() -> None:
    response = read('{"answer": "Forty-two"}', name="generic", contract=Contract())
    assert [(output.name, output.raw) for output in response.outputs] == [("answer", "Forty-two")]


def test_text_behind_the_object_is_stray() -> None:
    response = read('{"a": 1}\n</done>', name="generic", contract=Contract())
    assert [span.text.strip() for span in response.stray] == ["</done>"]


@pytest.mark.parametrize("text", ["Use {braces} wisely", "{x", "[see above] it works", "[]x", ""])
def test_prose_with_brackets_is_prose(text: str) -> None:
    assert read(text, name="generic", contract=Contract()).syntax == "text"


def test_cut_object_is_not_complete() -> None:
    response = read('{"action": "go", "args": {"to": "no', name="generic", contract=Contract())
    assert not response.complete
    assert [(call.name, call.arguments) for call in response.calls] == [("go", {"to": "no"})]


def test_object_is_shown_whole_where_it_holds_more_than_an_answer() -> None:
    response = read('{"user": "a", "text": "Sure", "action": "NONE"}', name="generic", contract=Contract())
    assert [(output.name, output.data) for output in response.outputs] == [
        ("json", {"user": "a", "text": "Sure", "action": "NONE"})
    ]
    response = read('{"thought": "hm", "text": "Sure"}', name="generic", contract=Contract())
    assert [(output.name, output.raw) for output in response.outputs] == [("text", "Sure")]


def test_object_takes_the_name_of_the_only_output_on_offer() -> None:
    offered = Contract((), (Offer("content", None, {"type": "object"}, HERE, None),))
    response = read('{"a": 1, "b": 2}', name="generic", contract=offered)
    assert [(output.name, output.status) for output in response.outputs] == [("content", "ok")]


@pytest.mark.parametrize(
    ("text", "object_at", "stray"),
    [
        ('{"title": "pip", "parts": [1]}\n\nThis covers pip.', 0, "\n\nThis covers pip."),
        ('It comes to this:\n{"total": "4.00"}\n', 18, "It comes to this:\n"),
    ],
)
def test_object_before_or_behind_words_is_read(text: str, object_at: int, stray: str) -> None:
    response = read(text, name="generic", contract=Contract())
    assert [output.start for output in response.outputs] == [object_at]
    assert [span.text for span in response.stray] == [stray]


@pytest.mark.parametrize(
    "text", ["{name} is not set.", "[1] says so.", "Use it so:\n{\n  a: 1\n}\nand go.", 'Say {"a": 1} to it.']
)
def test_brackets_in_words_are_words(text: str) -> None:
    response = read(text, name="generic", contract=Contract())
    assert (response.syntax, response.outputs, response.stray) == ("text", (), ())


def test_each_fence_of_an_answer_in_words_is_read() -> None:
    text = 'Plan:\n```json\n[{"step": 1}]\n```\nFacts:\n```json\n{"a": 2}\n```\n'
    response = read(text, name="generic", contract=Contract())
    assert [output.data for output in response.outputs] == [[{"step": 1}], {"a": 2}]
    assert [span.text.strip("\n`") for span in response.stray] == ["Plan:\n```json", "Facts:\n```json"]


def test_fences_behind_a_call_are_examples() -> None:
    one = '```json\n{"action": "go", "args": {}}\n```'
    other = one.replace("go", "eat")
    text = f"I go.\n{one}\nLike:\n{other}"
    response = read(text, name="generic", contract=Contract())
    assert [call.name for call in response.calls] == ["go"]


def test_call_without_arguments_stands_where_its_object_does() -> None:
    (call,) = read('Now: {"name": "note", "x": 1}', name="autogpt").calls
    assert (call.name, call.start, call.end, call.raw_start) == ("note", 5, 29, None)
