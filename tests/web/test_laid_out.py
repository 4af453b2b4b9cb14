"""JSON over lines: a view that changes nothing but white space."""

import json
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspector.web.laid_out import laid_out

SCHEMA = (
    '{"type":"object","properties":{"harbour":{"type":"string"},"days":{"type":"number"}},'
    '"required":["harbour"]}'
)


def test_long_objects_are_laid_out_and_short_ones_stay_together() -> None:
    assert laid_out(f"<schema>{SCHEMA}</schema>") == (
        '<schema>{\n  "type": "object",\n  "properties": {\n    "harbour": {"type":"string"},\n'
        '    "days": {"type":"number"}\n  },\n  "required": ["harbour"]\n}</schema>'
    )


def test_several_in_one_text_are_laid_out_each() -> None:
    assert laid_out(f"a {SCHEMA} b {SCHEMA} c").count("\n  },\n") == 2


def test_words_stay_as_they_were_written() -> None:
    text = '{"n": 1e400, "n": 12345678901234567890, "s": "a: {b}, \\"c\\"", "u": "\\u00e9", "deep": [[1, 2]]}'
    shown = laid_out(text)
    assert shown != text
    assert "".join(shown.split()) == "".join(text.split())


@pytest.mark.parametrize(
    "text",
    [
        "{{calls[0].port}} and {{shortTermMemory.user.name}} and {{calls[1].harbour}} and so on and so on",
        "[see the list of harbours below, and the tide tables of each of them, before you answer]",
        '{"harbour": "never closed, although it goes on and on and on and on and on and on and on',
        '{"harbour": ["Brest", "Bergen", "Bergen", "Bergen", "Bergen", "Bergen", "Bergen"}]',
        "plain text",
        "",
    ],
)
def test_what_is_no_json_stays(text: str) -> None:
    assert laid_out(text) == text


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(),
        lambda x: st.lists(x) | st.dictionaries(st.text(), x),
    )
)
def test_laid_out_json_means_the_same(value: object) -> None:
    assert json.loads(laid_out(json.dumps(value))) == value


@given(st.text(alphabet='{}[]",:\\ \n1a'))
def test_any_text_keeps_all_but_white_space(text: str) -> None:
    assert "".join(laid_out(text).split()) == "".join(text.split())


@pytest.mark.parametrize("piece", ['{"', '[{"a":', '{"a":"\\"', "[[", '["a",', '{"a":1}', '"\\"', "{}["])
def test_hostile_text_takes_linear_time(piece: str) -> None:
    def seconds(size: int) -> float:
        text = (piece * size)[:size]
        begun = time.process_time()
        laid_out(text)
        return time.process_time() - begun

    seconds(10_000)
    assert seconds(400_000) < 12 * max(seconds(100_000), 0.01)
