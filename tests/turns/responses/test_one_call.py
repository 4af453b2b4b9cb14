"""Answers that end in one function call, in Python code, in a command, or that list their actions."""

from typing import Any

import pytest

from inspector.turns.responses import one_call
from inspector.turns.turn import Contract, Offer
from tests.turns.responses.reading import HERE, assert_nothing_lost, heard, read

NOTHING = Contract()


def calls(text: str, contract: Contract = NOTHING) -> list[tuple[str, Any]]:
    response = read(text, name="generic", contract=contract)
    for call in response.calls:
        assert response.text[call.raw_start or 0 :].startswith(call.raw)
    return [(call.name, call.arguments) for call in response.calls]


@pytest.mark.parametrize(
    "text",
    [
        'do(action="Tap", element=[120, 40])',
        '<think>Open it.</think>\n<answer>\ndo(action="Tap", element=[120, 40])\n</answer>\n',
        '<think>Open it.</think>do(action="Tap", element=[120, 40])',
        'I open it.\ndo(action="Tap", element=[120, 40])\n',
    ],
)
def test_a_function_call_at_the_end_is_a_call(text: str) -> None:
    assert calls(text) == [("do", {"action": "Tap", "element": [120, 40]})]
    response = read(text, name="generic", contract=NOTHING)
    assert [span.text.strip() for span in response.reasoning] in ([], ["Open it."], ["I open it."])
    assert response.stray == ()


@pytest.mark.parametrize(
    "text", ["I do(it).", "do(it)", "tap(x=1)", 'do(action="Tap") and then wait', "do(a=b.c())", "do(a=1"]
)
def test_other_words_are_no_call(text: str) -> None:
    assert calls(text) == []


def test_a_function_that_the_prompt_offers_is_one_too() -> None:
    contract = Contract(actions=(Offer("tap", None, None, HERE, None),))
    assert calls("tap(x=1)", contract) == [("tap", {"x": 1})]


@pytest.mark.parametrize("text", ['`draw(text="a cat", size=512)`', 'draw(text="a cat", size=512)\n'])
def test_a_function_whose_call_the_prompt_shows_is_one_too(text: str) -> None:
    draft = one_call.read(text, NOTHING, 'To draw a dog, return `draw(text="a dog", size=512)`.')
    assert draft is not None
    assert [(call.name, call.arguments) for call in draft.calls] == [("draw", {"text": "a cat", "size": 512})]
    assert one_call.read(text, NOTHING, "How do I call draw?") is None


def test_a_function_beside_words_is_none() -> None:
    assert one_call.read('Use:\ndraw(text="a")', NOTHING, 'Return `draw(text="b")`.') is None


def test_code_with_its_fences() -> None:
    text = "Thought: I need the sum.\nCode:\n```py\nfinal_answer(2 + 2)\n```<end_code>\n"
    assert calls(text) == [("python_interpreter", {"code": "final_answer(2 + 2)"})]
    response = read(text, name="generic", contract=NOTHING)
    assert [span.text for span in response.reasoning] == ["I need the sum."]
    assert response.stray == ()


def test_code_without_its_opening_fence() -> None:
    found = heard('final_answer("a.png")\n```<end_code>', name="generic", contract=NOTHING)
    assert [call.arguments for call in found.response.calls] == [{"code": 'final_answer("a.png")'}]
    assert [quirk.name for quirk in found.quirks] == ["no-opening-fence"]


def test_commands_in_tags_and_one_that_is_cut() -> None:
    text = "First\n<command>\nls\n</command>\nthen\n<command>\ncat notes.txt"
    assert calls(text) == [("bash", {"command": "ls"}), ("bash", {"command": "cat notes.txt"})]
    response = read(text, name="generic", contract=NOTHING)
    assert not response.complete
    assert_nothing_lost(response)


@pytest.mark.parametrize(
    ("actions", "names"),
    [
        ("<actions>REPLY, LOOK_UP</actions>", ["REPLY", "LOOK_UP"]),
        ("<actions><action><name>REPLY</name></action></actions>", ["REPLY"]),
        ("<actions><action><name>REPLY</name></actions>", ["REPLY"]),
    ],
)
def test_listed_actions(actions: str, names: list[str]) -> None:
    text = f"<response>\n<thought>A greeting.</thought>\n{actions}\n<text>Hello</text>\n</response>"
    assert calls(text) == [(name, {}) for name in names]
    response = read(text, name="generic", contract=NOTHING)
    assert [output.raw for output in response.outputs] == ["Hello"]
    assert [span.text for span in response.reasoning] == ["A greeting."]
