"""What two prompts offer differently, and whether that breaks calls that were right."""

from typing import Any

import pytest

from inspector.turns.changes.contract import contract_changes
from inspector.turns.changes.schemas import PLACES, schema_differences
from inspector.turns.turn import Contract, Offer


def offer(name: str, schema: Any = None, description: str | None = None, **rest: Any) -> Offer:
    return Offer(name, description, schema, "tools", None, **rest)


def takes(required: list[str] | None = None, **properties: Any) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "required": required or []}


TEXT = {"type": "string"}
NUMBER = {"type": "number"}


def differences(old: Any, new: Any) -> list[tuple[str, str, bool]]:
    return [(each.path, each.change, each.breaking) for each in schema_differences(old, new)]


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        (takes(a=TEXT), takes(a=TEXT, b=TEXT), ("b", "argument-added", False)),
        (takes(a=TEXT), takes(["b"], a=TEXT, b=TEXT), ("b", "argument-added", True)),
        (takes(a=TEXT, b=TEXT), takes(a=TEXT), ("b", "argument-removed", True)),
        (takes(a=TEXT), takes(["a"], a=TEXT), ("a", "argument-required", True)),
        (takes(["a"], a=TEXT), takes(a=TEXT), ("a", "argument-optional", False)),
        (takes(a=TEXT), takes(a=NUMBER), ("a", "type-changed", True)),
        (takes(a={"type": "integer"}), takes(a=NUMBER), ("a", "type-changed", False)),
        (takes(a=TEXT), takes(a={"type": ["string", "null"]}), ("a", "type-changed", False)),
        (takes(a={"type": ["string", "null"]}), takes(a=TEXT), ("a", "type-changed", True)),
        (takes(a={"enum": [1, 2, 3]}), takes(a={"enum": [1, 3]}), ("a", "enum-narrowed", True)),
        (takes(a={"enum": [1, 3]}), takes(a={"enum": [1, 2, 3]}), ("a", "enum-widened", False)),
        (takes(a={"enum": [1, 2]}), takes(a={"enum": [1, 3]}), ("a", "enum-changed", True)),
        (takes(a={}), takes(a={"const": 1}), ("a", "enum-narrowed", True)),
        (takes(a={"maxLength": 9}), takes(a={"maxLength": 5}), ("a", "limit-tightened", True)),
        (takes(a={"minimum": 9}), takes(a={"minimum": 5}), ("a", "limit-loosened", False)),
        (takes(a={"pattern": "a"}), takes(a={"pattern": "b"}), ("a", "limit-changed", True)),
        (takes(a={"description": "x"}), takes(a={"description": "y"}), ("a", "description-changed", False)),
        ({"type": "object"}, {"type": "object", "additionalProperties": False}, ("", "closed", True)),
        (
            takes(a={"anyOf": [TEXT]}),
            takes(a={"anyOf": [TEXT, NUMBER]}),
            ("a", "alternatives-changed", False),
        ),
        (takes(a={"anyOf": [TEXT, NUMBER]}), takes(a={"anyOf": [TEXT]}), ("a", "alternatives-changed", True)),
        (takes(o=takes(a=TEXT)), takes(o=takes(a=NUMBER)), ("o.a", "type-changed", True)),
        (
            takes(o={"type": "array", "items": takes(a=TEXT)}),
            takes(o={"type": "array", "items": takes(["a"], a=TEXT)}),
            ("o[].a", "argument-required", True),
        ),
        (None, takes(a=TEXT), ("", "schema-added", False)),
        (takes(a={"x-unit": "m"}), takes(a={"x-unit": "km"}), ("a", "schema-changed", False)),
    ],
)
def test_one_difference(old: Any, new: Any, expected: tuple[str, str, bool]) -> None:
    assert differences(old, new) == [expected]


def test_an_argument_that_an_open_schema_still_takes_may_go() -> None:
    old, new = takes(a=TEXT, b=TEXT), takes(a=TEXT) | {"additionalProperties": True}
    assert ("b", "argument-removed", False) in differences(old, new)


def test_references_are_followed_inside_the_schema() -> None:
    old = {"$defs": {"city": takes(name=TEXT)}, **takes(city={"$ref": "#/$defs/city"})}
    new = {"$defs": {"city": takes(name=NUMBER)}, **takes(city={"$ref": "#/$defs/city"})}
    assert ("city.name", "type-changed", True) in differences(old, new | {"title": "x"})


@pytest.mark.parametrize(
    "schema", [True, False, 7, "x", [], {"$ref": "#"}, {"properties": 3, "required": "a"}]
)
def test_odd_schemas_are_compared_without_harm(schema: Any) -> None:
    assert isinstance(schema_differences(schema, takes(a=TEXT)), list)
    assert isinstance(schema_differences(takes(a=TEXT), schema), list)


def test_a_schema_that_holds_itself_ends() -> None:
    old = takes(a=TEXT, again={"$ref": "#"})
    new = takes(a=NUMBER, again={"$ref": "#"})
    found = differences(old, new)
    assert found[0] == ("a", "type-changed", True)
    assert len(found) < 20


def test_a_schema_with_very_many_places_says_so() -> None:
    many: dict[str, Any] = {f"a{number}": takes(x=TEXT) for number in range(PLACES + 5)}
    changed: dict[str, Any] = {name: takes(x=NUMBER) for name in many}
    assert differences(takes(None, **many), takes(None, **changed))[-1][1] == "not-compared"


def test_actions_that_came_and_went() -> None:
    old = Contract((offer("read", takes(path=TEXT)), offer("ls")))
    new = Contract((offer("read", takes(path=TEXT)), offer("write", takes(path=TEXT, text=TEXT))))
    found = [(each.where, each.change, each.breaking) for each in contract_changes(old, new)]
    assert found == [("write", "action-added", False), ("ls", "action-removed", True)]


def test_an_action_with_the_same_schema_and_words_was_renamed() -> None:
    old = Contract((offer("read", takes(path=TEXT), "Reads a file."),))
    new = Contract((offer("open", takes(path=TEXT), "Reads a file."),))
    assert [(each.where, each.change) for each in contract_changes(old, new)] == [("open", "action-renamed")]


def test_outputs_and_their_attributes_are_named_as_such() -> None:
    low = takes(priority={"enum": ["low", "normal", "high"]})
    high = takes(priority={"enum": ["low", "high"]})
    old = Contract((), (offer("email:draft", TEXT, attributes_schema=low),))
    new = Contract((), (offer("email:draft", TEXT, attributes_schema=high),))
    (change,) = contract_changes(old, new)
    assert (change.where, change.change) == ("output email:draft @priority", "enum-narrowed")
    assert (change.old, change.new, change.breaking) == (["low", "normal", "high"], ["low", "high"], True)


def test_a_change_to_an_action_that_two_contexts_offer_is_told_once() -> None:
    old = Contract((offer("attack", takes(a=TEXT)), offer("attack", takes(a=TEXT))))
    new = Contract((offer("attack", takes(a=NUMBER)), offer("attack", takes(a=NUMBER))))
    assert [each.where for each in contract_changes(old, new)] == ["attack.a"]


def test_an_action_offered_once_more_is_told() -> None:
    old, new = Contract((offer("attack"),)), Contract((offer("attack"), offer("attack")))
    (change,) = contract_changes(old, new)
    assert (change.change, change.old, change.new) == ("action-repeated", 1, 2)


def test_another_order_is_told_but_breaks_nothing() -> None:
    old, new = Contract((offer("a"), offer("b"))), Contract((offer("b"), offer("a")))
    (change,) = contract_changes(old, new)
    assert (change.change, change.old, change.new) == ("actions-reordered", ["a", "b"], ["b", "a"])
    assert not change.breaking


def test_the_place_of_an_offer_does_not_count() -> None:
    old = Contract((Offer("read", None, None, "tools", "a"),))
    assert contract_changes(old, Contract((Offer("read", None, None, "tools", "b"),))) == ()
