"""What a prompt offers: from tags, JSON lists and native tools, and what can't be read."""

import pytest

from inspector.turns.contract import broken_schemas, contract_of, resolved, wants_json
from inspector.turns.memo import RecentMemo
from inspector.turns.offers import printed_offers
from inspector.turns.sections import sections_of
from inspector.turns.turn import Message, Offer, Part, Source, Tool, Turn
from tests.turns.findings.looking import ACTIONS, daydreams
from tests.turns.responses.reading import dialect


def test_offers_of_a_daydreams_prompt() -> None:
    turn = Turn(messages=(Message("user", daydreams()),), tools=(Tool("look", "Looks", {"type": "object"}),))
    cut = sections_of(turn, dialect())
    contract = contract_of(turn, cut.sections, dialect(), RecentMemo())
    assert [offer.name for offer in contract.actions] == ["forecast", "note", "look"]
    forecast, _, look = contract.actions
    assert forecast.description == "Weather ahead"
    assert forecast.schema["required"] == ["city"]
    assert isinstance(forecast.source, Source)
    text = turn.messages[0].text[forecast.source.start : forecast.source.end]
    assert text.startswith('<action name="forecast">')
    assert text.endswith("</action>")
    assert forecast.section is not None
    assert forecast.section.startswith("available-actions/")
    assert (look.source, look.section) == ("tools", None)
    (output,) = contract.outputs
    assert (output.name, wants_json(output), output.attributes_schema) == ("text", True, {})


@pytest.mark.parametrize(
    ("text", "name", "schema", "call_format"),
    [
        ('<action name="a"><schema>{"type": "object"}</schema></action>', "a", {"type": "object"}, "json"),
        ('<action name="a">\n<format>XML</format>\n</action>', "a", None, "xml"),
        (
            '<tool name="a"><parameters>{"type": "object"}</parameters></tool>',
            "a",
            {"type": "object"},
            "json",
        ),
        ('<action name="a" description="Does a"/>', "a", None, "json"),
        (
            '[{"name": "a", "description": "d", "parameters": {"type": "object"}}]',
            "a",
            {"type": "object"},
            "json",
        ),
        (
            'Tools:\n{"type": "function", "function": {"name": "a", "parameters": {"properties": {}}}}\n',
            "a",
            {"properties": {}},
            "json",
        ),
    ],
)
def test_shapes_of_offers(text: str, name: str, schema: object, call_format: str) -> None:
    (offer,) = printed_offers(text, "action")
    assert (offer.name, offer.schema, offer.call_format) == (name, schema, call_format)


def test_examples_inside_an_offer_are_no_offers() -> None:
    text = (
        '<output type="chat">\n<description>d</description>\n<schema>{"type":"string"}</schema>\n<examples>\n'
        '<output type="chat">Hello</output>\n<output type="chat">Bye</output>\n</examples>\n</output>\n'
        '<output type="mail" required="true">\n</output>'
    )
    assert [(offer.name, offer.required) for offer in printed_offers(text, "output")] == [
        ("chat", None),
        ("mail", True),
    ]


def test_closing_tag_inside_a_printed_schema_does_not_end_it() -> None:
    text = '<action name="a"><schema>{"description": "ends with </schema>"}</schema></action>'
    (offer,) = printed_offers(text, "action")
    assert offer.schema == {"description": "ends with </schema>"}


def test_two_offers_of_one_name_stay_two() -> None:
    assert len(printed_offers(f"{ACTIONS}\n{ACTIONS}", "action")) == 4


@pytest.mark.parametrize("schema", ['{"type": "object"', "string", "[1]", '{"a":' * 200 + "1" + "}" * 200])
def test_broken_schema_is_an_offer_without_one(schema: str) -> None:
    text = daydreams(actions=f'<action name="a">\n<schema>{schema}</schema>\n</action>')
    turn = Turn(messages=(Message("user", text),))
    sections = sections_of(turn, dialect()).sections
    (offer,) = contract_of(turn, sections, dialect()).actions
    assert (offer.name, offer.schema) == ("a", None)
    (broken,) = broken_schemas(turn, sections)
    assert text[broken.start : broken.end] == schema


def test_text_output_does_not_want_json() -> None:
    def offer(schema: object) -> Offer:
        return Offer("a", None, schema, "tools", None)

    assert not wants_json(offer({"type": "string"}))
    assert not wants_json(offer(None))
    assert wants_json(offer({"type": "object"}))
    assert not wants_json(offer({"$ref": "#/definitions/T", "definitions": {"T": {"type": "string"}}}))


def test_reference_that_leads_nowhere_stays() -> None:
    assert resolved({"$ref": "#/definitions/T"}) == {"$ref": "#/definitions/T"}
    assert resolved({"$ref": "#"}) == {"$ref": "#"}


@pytest.mark.parametrize("kind", ["additional_tools", "tool_search_output"])
def test_tools_that_the_conversation_brings_in_are_offered_once(kind: str) -> None:
    found = {"tools": [{"type": "function", "name": "look"}, {"type": "function", "name": "dig"}]}
    part = Part(kind, 0, 0, found)
    turn = Turn(
        messages=(Message("user", "go"), Message("developer", "", parts=(part, part))),
        tools=(Tool("look", "Looks", {"type": "object"}),),
    )
    offers = contract_of(turn, (), dialect("generic", None)).actions
    assert [(offer.name, offer.description) for offer in offers] == [("look", "Looks"), ("dig", None)]
