"""Answers in ReAct text: Thought, Action, Action Input, Observation, Final Answer."""

from inspector.turns.turn import Contract, Response
from tests.turns.responses.reading import heard


def react(text: str) -> tuple[Response, list[str]]:
    found = heard(text, name="generic", contract=Contract())
    assert found.response.syntax == "react"
    return found.response, [quirk.name for quirk in found.quirks]


def test_thought_action_and_input_are_read() -> None:
    response, quirks = react('Thought: look first.\nAction: search\nAction Input: {"q": "rain"}\n')
    assert [span.text for span in response.reasoning] == ["look first."]
    (call,) = response.calls
    assert (call.name, call.arguments, call.json) == ("search", {"q": "rain"}, "strict")
    assert response.text[call.raw_start :].startswith('{"q"')
    assert quirks == []


def test_input_may_be_plain_words() -> None:
    response, _ = react("Thought: so.\nAction: search\nAction Input: rain in Oslo")
    assert [call.arguments for call in response.calls] == ["rain in Oslo"]


def test_observation_that_the_model_made_up_is_told() -> None:
    response, quirks = react(
        "Thought: so.\nAction: search\nAction Input: rain\nObservation: It rains.\nThought: done\nFinal "
        "Answer: Rain."
    )
    assert quirks == ["made-up-observation"]
    assert [span.text.strip() for span in response.stray] == ["Observation: It rains."]
    assert [(output.name, output.raw) for output in response.outputs] == [("final_answer", "Rain.")]


def test_action_without_input_and_no_action_are_told() -> None:
    assert react("Thought: so.\nAction: search")[1] == ["action-without-input"]
    response, quirks = react("Thought: no tool fits.\nAction: None (answer directly)")
    assert (response.calls, quirks) == ((), ["no-action"])


def test_labels_in_prose_are_prose() -> None:
    found = heard("My Action: was to leave.\nNote: fine.", name="generic", contract=Contract())
    assert found.response.syntax == "text"
