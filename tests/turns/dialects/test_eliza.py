"""What an elizaOS answer asks for and says."""

from inspector.turns.dialects.eliza import ELIZA
from inspector.turns.responses import read_response
from inspector.turns.turn import Contract, ResponseBody, Turn


def test_listed_actions_are_calls_where_they_stand() -> None:
    text = "<response><thought>Hm.</thought><actions>REPLY, WATER</actions><text>Yes.</text></response>"
    response = read_response(Turn(response=ResponseBody(text)), Contract(), ELIZA.at("xml"))
    assert response is not None
    assert [call.name for call in response.calls] == ["REPLY", "WATER"]
    assert [text[call.start : call.end] for call in response.calls] == ["REPLY", "WATER"]
    assert [(output.name, output.raw) for output in response.outputs] == [("text", "Yes.")]
    assert [span.text for span in response.reasoning] == ["Hm."]


def test_actions_in_elements_of_their_own_are_calls_by_their_names() -> None:
    text = "<response><actions><action><name>REPLY</name></action></actions></response>"
    response = read_response(Turn(response=ResponseBody(text)), Contract(), ELIZA.at("xml"))
    assert response is not None
    assert [call.name for call in response.calls] == ["REPLY"]
