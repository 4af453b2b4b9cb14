"""Answers in words around a fenced command."""

import pytest

from inspector.turns.dialects.card import Fences
from inspector.turns.responses.fenced import command, read
from inspector.turns.turn import Contract, Offer

EDIT = Offer(
    "edit",
    None,
    {
        "type": "object",
        "properties": {"start": {"type": "integer"}, "end": {"type": "integer"}, "text": {"type": "string"}},
    },
    "tools",
    None,
)
OPEN = Offer(
    "open", None, {"type": "object", "properties": {"path": {}, "line": {"type": "integer"}}}, "tools", None
)
CONTRACT = Contract((EDIT, OPEN))
BASH = Fences(names=("bash",))


def test_words_around_a_fence_are_reasoning() -> None:
    text = "I look.\n```bash\nls -la\n```\nThen more.\n```python\nx\n```"
    draft = read(text, Contract(), BASH)
    assert [(call.name, call.arguments) for call in draft.calls] == [("bash", {"command": "ls -la"})]
    assert [span.text for span in draft.reasoning] == ["I look.", "Then more.\n```python\nx\n```"]
    for span in draft.reasoning:
        assert text[span.start : span.end] == span.text
    assert text[draft.calls[0].start : draft.calls[0].end] == "```bash\nls -la\n```"


def test_only_the_last_fence_is_run_where_a_framework_does_so() -> None:
    draft = read("```\none\n```\n```\ntwo\n```", Contract(), Fences(last=True))
    assert [call.arguments for call in draft.calls] == [{"command": "two"}]


def test_element_may_stand_for_the_fence() -> None:
    draft = read("I look.\n<command>\nls\n</command>", Contract(), Fences(element="command"))
    assert [call.arguments for call in draft.calls] == [{"command": "ls"}]


def test_fence_that_never_closes_is_incomplete() -> None:
    draft = read("```bash\nls", Contract(), BASH)
    assert not draft.complete
    assert draft.calls[0].arguments == {"command": "ls"}


@pytest.mark.parametrize(
    ("line", "arguments"),
    [
        ("open a.py 3", {"path": "a.py", "line": 3}),
        ("open 'a b.py'", {"path": "a b.py"}),
        ("open it's", {"path": "it's"}),
        ("open", {}),
        ("edit 2:4\nx = 1\ny", {"start": 2, "end": 4, "text": "x = 1\ny"}),
        ("edit 2:4 x y", {"start": 2, "end": 4, "text": "x y"}),
    ],
)
def test_words_of_a_command_are_its_parameters_in_order(line: str, arguments: dict[str, object]) -> None:
    assert command(line, CONTRACT) == (line.split()[0], arguments)


def test_other_commands_are_the_shells() -> None:
    assert command("grep -r open", CONTRACT) == ("bash", {"command": "grep -r open"})


@pytest.mark.parametrize("unit", ["```\n", "```bash\n", "<command>", "\n````\n```\n"])
def test_cost_is_bounded(unit: str) -> None:
    draft = read(unit * 20_000, Contract(), Fences(element="command"))
    assert len(draft.calls) <= 100


def test_fenced_code_is_run_as_it_is() -> None:
    text = "First the data.\n```python\nopen(1)\n```\n"
    draft = read(text, CONTRACT, Fences(names=("python",), code="python_interpreter"))
    assert [(call.name, call.arguments) for call in draft.calls] == [
        ("python_interpreter", {"code": "open(1)"})
    ]
