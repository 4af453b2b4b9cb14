"""Calls written as lines."""

import pytest

from inspector.turns.responses.tool_lines import looks_like, read
from inspector.turns.turn import Contract

TEXT = 'I look.\n🛠️ read_file (call_1) {\n  "path": "a"\n}\n🛠 list (c-2) {}\nThen this.'


def test_lines_are_calls_with_their_ids() -> None:
    draft = read(TEXT, Contract())
    assert [(call.name, call.id, call.arguments) for call in draft.calls] == [
        ("read_file", "call_1", {"path": "a"}),
        ("list", "c-2", {}),
    ]
    assert [span.text.strip() for span in draft.stray] == ["I look.", "Then this."]
    for call in draft.calls:
        assert call.raw_start is not None
        assert TEXT[call.raw_start :].startswith(call.raw)
        assert TEXT[call.start : call.end].startswith("🛠")


def test_call_that_is_cut_is_read_as_far_as_it_goes() -> None:
    draft = read('🛠️ read_file (c) {"path": "a', Contract())
    assert not draft.complete
    assert draft.calls[0].arguments == {"path": "a"}


def test_line_breaks_in_strings_are_the_logs() -> None:
    draft = read('🛠️ edit (c) {"code": "a\nb"}\n🛠️ edit (d) {"code": "a\nb" c}', Contract())
    assert [call.arguments for call in draft.calls] == [{"code": "a\nb"}, {"code": "a\nb"}]
    assert [bool(call.mended) for call in draft.calls] == [False, True]


@pytest.mark.parametrize("text", ["a tool: 🛠️ read_file (c) {}", "🛠️ read_file", "🛠️", "read_file (c) {}"])
def test_other_text_is_none(text: str) -> None:
    assert not looks_like(text)


def test_cost_is_bounded() -> None:
    assert len(read('🛠️ a (b) {"c": [' * 5_000, Contract()).calls) <= 500
