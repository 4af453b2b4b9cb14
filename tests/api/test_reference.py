"""The reference: whole, resolvable, and the page shows all of it."""

import json
import re
from typing import Any

import pytest
from django.test import Client

from inspector.api import reference
from inspector.api.shapes import SHAPES
from tests.api.test_matrix import CALLS


@pytest.fixture
def document() -> dict[str, Any]:
    found: dict[str, Any] = json.loads(Client().get("/api/v1/openapi.json").content)
    return found


def operations(document: dict[str, Any]) -> list[tuple[str, str, dict[str, Any]]]:
    return [
        (method.upper(), path, operation)
        for path, methods in document["paths"].items()
        for method, operation in methods.items()
    ]


def test_every_call_is_described_once(document: dict[str, Any]) -> None:
    described = {(method, re.sub(r"{\w+}", "{}", path)) for method, path, _ in operations(document)}
    known = {
        (method, "/api/v1" + re.sub(r"{\w+}", "{}", path.split("?")[0]))
        for name, (method, path, _) in CALLS.items()
        if not name.endswith("turn_named_batch")
    }
    assert described == known
    names = [operation["operationId"] for _, _, operation in operations(document)]
    assert len(names) == len(set(names))


def test_every_shape_that_is_named_is_there(document: dict[str, Any]) -> None:
    named = set(re.findall(r"#/components/schemas/(\w+)", json.dumps(document)))
    assert named <= document["components"]["schemas"].keys()
    assert named >= SHAPES.keys()


def test_every_call_says_what_goes_wrong_and_needs_a_key(document: dict[str, Any]) -> None:
    for method, path, operation in operations(document):
        answers = operation["responses"]
        assert "401" in answers, (method, path)
        for status, answer in answers.items():
            schema = next(iter(answer["content"].values()))["schema"]
            assert (schema == {"$ref": "#/components/schemas/Error"}) is (status >= "400"), (
                method,
                path,
                status,
            )
        assert operation["security"]
        assert operation["description"]
        assert ("requestBody" in operation) is (method in ("POST", "PUT"))


def test_the_page_shows_every_call_and_shape_and_runs_nothing() -> None:
    page = Client().get("/api/v1/docs").content.decode()
    for call in (call for group in reference.contents()["groups"] for call in group["calls"]):
        assert f'id="{call["anchor"]}"' in page
        assert call["path"] in page
    for name in SHAPES:
        assert f'id="shape-{name}"' in page
    assert set(re.findall(r'href="#([^"]+)"', page)) <= set(re.findall(r'id="([^"]+)"', page))
    assert not re.search(r"<script|<style|style=|onclick|https?://(?!testserver)", page)


@pytest.mark.parametrize(
    ("schema", "said"),
    [
        ({"$ref": "#/components/schemas/Turn"}, "Turn"),
        ({"type": "array", "items": {"type": "string"}}, "list of string"),
        ({"anyOf": [{"type": "string"}, {"type": "null"}]}, "string or null"),
        ({"enum": ["a", None]}, '"a" or null'),
        ({"const": "tools"}, '"tools"'),
        ({"type": "string", "format": "date-time"}, "date-time"),
        ({"description": "x"}, "any JSON"),
    ],
)
def test_schemas_in_words(schema: dict[str, Any], said: str) -> None:
    assert reference.words(schema) == said
