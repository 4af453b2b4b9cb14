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


def test_answer_right_after_a_thought_is_the_answer() -> None:
    response, quirks = react("Thought: I can answer without a tool.\nAnswer: Oslo has 700,000 inhabitants.")
    assert [span.text for span in response.reasoning] == ["I can answer without a tool."]
    assert [(output.name, output.raw) for output in response.outputs] == [
        ("final_answer", "Oslo has 700,000 inhabitants.")
    ]
    assert quirks == []


def test_answer_elsewhere_is_a_line_of_text() -> None:
    response, _ = react("Thought: so.\nFinal Answer: Question: how many?\nAnswer: three")
    assert [output.raw for output in response.outputs] == ["Question: how many?\nAnswer: three"]
    plain = heard("Question: how many?\nAnswer: three", name="generic", contract=Contract()).response
    assert plain.syntax == "text"


def test_fence_around_a_step_is_no_part_of_its_input() -> None:
    response, quirks = react('```\nThought: look.\nAction: search\nAction Input: {"q": "rain"}\n```\n')
    assert [(call.raw, call.json) for call in response.calls] == [('{"q": "rain"}', "strict")]
    assert quirks == []
    response, _ = react("```\nThought: done.\nFinal Answer: use\n```\nls\n```\n```")
    assert [output.raw for output in response.outputs] == ["use\n```\nls\n```"]


def test_bare_observation_label_is_not_made_up() -> None:
    _, quirks = react("Thought: look.\nAction: search\nAction Input: rain\nObservation:")
    assert quirks == []


def test_json_where_steps_were_asked_for_is_read_as_json() -> None:
    found = heard('{\n "valid": true\n}', name="react", contract=Contract()).response
    assert (found.syntax, [output.data for output in found.outputs]) == ("json", [{"valid": True}])
