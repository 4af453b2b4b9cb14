"""Colours never change the text, and cost what the text costs."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pygments.token import Text

from inspector.web import highlight
from inspector.web.highlight import JSON, LARGEST, PROMPT, Span, highlighted

HOSTILE = [
    "<",
    '"',
    '{"',
    "<a ",
    '<a x="',
    "{{",
    "${",
    "# ",
    "\n# ",
    "[[",
    "<!--",
    "---",
    "\n---",
    '{"\\',
    "<a b=",
    " ",
    "1",
    "{1",
    '{"a":-',
    "</",
    "\n",
    "<a/",
    "=",
    "''",
    "<a '",
]


def text_of(lines: list[list[Span]]) -> str:
    return "\n".join("".join(span.text for span in line) for line in lines)


@given(st.text(alphabet=st.sampled_from(list("<>/=\"'{}[]$#-!\\ \n\tab1:.,é\u202e")), max_size=300))
def test_coloured_lines_add_up_to_the_text(text: str) -> None:
    assert text_of(highlighted(text)) == text
    assert text_of(highlighted(text, JSON)) == text


@pytest.mark.parametrize("piece", HOSTILE)
def test_hostile_text_of_the_largest_size_is_shown_in_time_and_whole(piece: str) -> None:
    text = (piece * LARGEST)[:LARGEST]
    began = time.perf_counter()
    assert text_of(highlighted(text)) == text
    assert time.perf_counter() - began < 3


def test_tags_attributes_strings_placeholders_and_headings_have_colours() -> None:
    lines = highlighted('## Rules\n<call name="x">{"key": "value", "n": 1, "ok": true} {{ref}}</call>')
    found = {span.css: span.text for line in lines for span in line if span.css}
    assert found["t-head"] == "## Rules"
    assert found["t-tag"] == "</call>"
    assert found["t-attr"] == "name"
    assert found["t-key"] == '"n"' or '"' in found["t-key"]
    assert found["t-ph"] == "{{ref}}"
    assert {"t-str", "t-num"} <= found.keys()


def test_prose_with_a_less_than_sign_has_no_colours() -> None:
    assert highlighted("if a < b and c > d") == [[Span("", "if a < b and c > d")]]


def test_text_over_the_limit_is_plain() -> None:
    text = "<a>" * LARGEST
    assert {span.css for line in highlighted(text) for span in line} == {""}


def test_a_slow_lexer_gives_plain_text(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(highlight, "PATIENCE", -1.0)
    assert highlighted("<a>") == [[Span("", "<a>")]]


def test_a_failing_lexer_gives_plain_text(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise RuntimeError

    monkeypatch.setattr(PROMPT, "get_tokens_unprocessed", fail)
    assert highlighted("<a>\n<b>") == [[Span("", "<a>")], [Span("", "<b>")]]


def test_a_lexer_that_loses_text_gives_plain_text(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(PROMPT, "get_tokens_unprocessed", lambda text: [(0, Text, text[:-1])])
    assert highlighted("<a>") == [[Span("", "<a>")]]
