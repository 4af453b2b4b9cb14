"""Tool calls written into the text with the markers of many model families."""

from typing import Any

import pytest

from inspector.turns.turn import Contract, Offer
from tests.turns.responses.reading import HERE, heard, read

SUNNY = {"city": "Oslo"}
CASES: list[tuple[str, list[tuple[str, Any]]]] = [
    ('<tool_call>\n{"name": "look", "arguments": {"city": "Oslo"}}\n</tool_call>', [("look", SUNNY)]),
    (
        '<tool_call>{"name": "look", "arguments": {"city": "a </tool_call> b"}}</tool_call>',
        [("look", {"city": "a </tool_call> b"})],
    ),
    (
        '<tool_call>{"name": "a", "arguments": {}}</tool_call>\n<tool_call>{"name": "b", "arguments": '
        "{}}</tool_call>",
        [("a", {}), ("b", {})],
    ),
    ('<function=look>{"city": "Oslo"}</function>', [("look", SUNNY)]),
    (
        "<tool_call>\n<function=look>\n<parameter=city>\nOslo\n</parameter>\n</function>\n</tool_call>",
        [("look", SUNNY)],
    ),
    ('<|python_tag|>{"name": "look", "parameters": {"city": "Oslo"}}<|eom_id|>', [("look", SUNNY)]),
    ('<|python_start|>{"name": "look", "parameters": {"city": "Oslo"}}<|python_end|>', [("look", SUNNY)]),
    ('[TOOL_CALLS][{"name": "look", "arguments": {"city": "Oslo"}}]', [("look", SUNNY)]),
    ('[TOOL_CALLS]look{"city": "Oslo"}', [("look", SUNNY)]),
    ('[TOOL_CALLS]look[ARGS]{"city": "Oslo"}', [("look", SUNNY)]),
    (
        "<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>look\n"
        '```json\n{"city": "Oslo"}\n```'
        "<｜tool▁call▁end｜><｜tool▁calls▁end｜>",
        [("look", SUNNY)],
    ),
    (
        '<|tool_calls_section_begin|><|tool_call_begin|>functions.look:0<|tool_call_argument_begin|>{"city": '
        '"Oslo"}'
        "<|tool_call_end|><|tool_calls_section_end|>",
        [("look", SUNNY)],
    ),
    ('<|tool_call>call:look{city:<|"|>Oslo<|"|>}<tool_call|>', [("look", SUNNY)]),
    ('<invoke name="look">\n<parameter name="city">Oslo</parameter>\n</invoke>', [("look", SUNNY)]),
    (
        '<invoke name="look"><parameter name="city">say </parameter> twice</parameter></invoke>',
        [("look", {"city": "say </parameter> twice"})],
    ),
    (
        "<tool_call>look\n<arg_key>city</arg_key>\n<arg_value>Oslo</arg_value>\n</tool_call>",
        [("look", SUNNY)],
    ),
    ("<read_file>\n<path>a.txt</path>\n</read_file>", [("read_file", {"path": "a.txt"})]),
    ("<execute_bash>\nls -l\n", [("execute_bash", "ls -l")]),
    ('declaration:default_api:look{city:"Oslo"}', [("look", SUNNY)]),
    ('call:default_api:look{city:"Oslo",tags:[{a:1}]}', [("look", {"city": "Oslo", "tags": [{"a": 1}]})]),
    ('<invoke name="look">]<]minimax[>[<city>Oslo</city></invoke>', [("look", SUNNY)]),
    ("<tool_calls><ask><what>why <3?</what></ask></tool_calls>", [("ask", {"what": "why <3?"})]),
    (
        "<execute_command>\n<command>npm test\n<requires_approval>false</requires_approval>\n"
        "</execute_command>",
        [("execute_command", {"command": "npm test", "requires_approval": "false"})],
    ),
    ('[look(city="Oslo"), stop()]', [("look", SUNNY), ("stop", {})]),
    ('[look(city=["a", {"b": None}], n=-1.5)', [("look", {"city": ["a", {"b": None}], "n": -1.5})]),
]


@pytest.mark.parametrize(("text", "calls"), CASES)
def test_call_is_read(text: str, calls: list[tuple[str, Any]]) -> None:
    response = read(text, name="generic", contract=Contract())
    assert response.syntax == "markers"
    assert [(call.name, call.arguments) for call in response.calls] == calls
    assert response.stray == ()
    for call in response.calls:
        if call.raw_start is not None and "<|" not in text:
            assert text[call.raw_start :].startswith(call.raw)


@pytest.mark.parametrize(("text", "calls"), CASES)
def test_cut_anywhere_it_is_read_without_a_loss(text: str, calls: list[tuple[str, Any]]) -> None:
    for cut in range(len(text)):
        response = read(text[:cut], name="generic", contract=Contract())
        assert response.text == text[:cut]
        assert len(response.calls) <= len(calls)


def test_words_and_thoughts_around_calls_are_kept() -> None:
    text = '<think>hm</think>I look.\n<tool_call>{"name": "look", "arguments": {}}</tool_call>'
    response = read(text, name="generic", contract=Contract())
    assert [span.text for span in response.reasoning] == ["hm"]
    assert [span.text.strip() for span in response.stray] == ["I look."]


def test_texts_of_child_tags_become_the_values_that_the_schema_asks_for() -> None:
    schema = {"type": "object", "properties": {"n": {"type": "integer"}, "s": {"type": "string"}}}
    contract = Contract((Offer("set", None, schema, "tools", None),))
    text = "<function=set><parameter=n>7</parameter><parameter=s>7</parameter></function>"
    (call,) = read(text, name="generic", contract=contract).calls
    assert call.arguments == {"n": 7, "s": "7"}
    assert call.status == "ok"


def test_broken_call_is_a_call_that_could_not_be_read() -> None:
    (call,) = read("<tool_call>{nonsense</tool_call>", name="generic", contract=Contract()).calls
    assert call.status == "unparsed"
    assert call.name == ""


@pytest.mark.parametrize(
    "text", ["[see(here)] for more", "[f(x)]", "[a(b=c)]", "[link](http://x)", "[f(" * 3_000]
)
def test_brackets_that_are_no_calls(text: str) -> None:
    assert read(text, name="generic", contract=Contract()).calls == ()


def test_markers_in_running_prose_are_prose() -> None:
    response = read("Use the `<read_file>` tag to read.", name="generic", contract=Contract())
    assert response.syntax == "text"
    assert response.calls == ()


def test_child_tag_that_is_never_closed_is_told() -> None:
    text = "<execute_command>\n<command>npm test\n<approval>false</approval>\n</execute_command>"
    found = heard(text, name="generic", contract=Contract())
    assert [(quirk.name, quirk.tag) for quirk in found.quirks] == [("unclosed", "command")]


@pytest.mark.parametrize("before", ["Let me look: ", "First ", "Text.\nMore text, then "])
def test_well_known_tool_counts_in_the_middle_of_a_line(before: str) -> None:
    response = read(before + "<read_file><path>a.txt</path></read_file>", name="generic", contract=Contract())
    assert [(call.name, call.arguments) for call in response.calls] == [("read_file", {"path": "a.txt"})]
    assert [span.text for span in response.stray] == [before]


@pytest.mark.parametrize(
    "text",
    [
        "Call `<read_file><path>a</path></read_file>` for that.",
        "echo '<read_file><path>a</path></read_file>'",
        "The tool <read_file> reads, <not_a_tool><path>a</path></not_a_tool> does not.",
    ],
)
def test_mentioned_tool_is_no_call(text: str) -> None:
    assert read(text, name="generic", contract=Contract()).calls == ()


def test_whole_number_is_read_from_a_broken_one_and_labelled() -> None:
    asks = {"type": "object", "properties": {"value": {"type": "integer"}}}
    offered = Contract((Offer("heat", None, asks, HERE, None),))
    text = "<tool_call>\n<function=heat>\n<parameter=value>\n72.000\n</parameter>\n</function>\n</tool_call>"
    (call,) = read(text, name="generic", contract=offered).calls
    assert (call.arguments, call.status) == ({"value": 72}, "ok")
    assert isinstance(call.arguments["value"], int)
    assert call.mended == ("value is written 72.000 where a whole number is asked for",)
