"""The reference page: made from the OpenAPI document, on the server, without scripts or foreign hosts."""

from functools import cache
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from inspector.api import door
from inspector.api.replies import json_bytes
from inspector.api.shapes import SHAPES

METHODS = ("get", "post", "delete")


@require_safe
def document(request: HttpRequest) -> HttpResponse:
    """The OpenAPI document."""
    return HttpResponse(json_bytes(door.description()), content_type="application/json")


@require_safe
def page(request: HttpRequest) -> HttpResponse:
    """The reference for people."""
    return render(request, "api/reference.html", contents())


@cache
def contents() -> dict[str, Any]:
    """What the page shows: groups of calls, and the shapes that travel."""
    described = door.description()
    groups: dict[str, list[dict[str, Any]]] = {}
    for path, operations in described["paths"].items():
        for method in METHODS:
            if method in operations:
                call = _call(path, method, operations[method])
                groups.setdefault(call["group"], []).append(call)
    shapes = [_shape(name, shape) for name, shape in SHAPES.items()]
    return {
        "about": prose(described["info"]["description"]),
        "version": described["info"]["version"],
        "groups": [{"name": name, "calls": calls} for name, calls in groups.items()],
        "shapes": [shape for shape in shapes if shape["fields"]],
    }


def _call(path: str, method: str, operation: dict[str, Any]) -> dict[str, Any]:
    body = operation.get("requestBody", {}).get("content", {})
    security = [name for entry in operation.get("security", ()) for name in entry]
    return {
        "anchor": operation["operationId"],
        "group": operation["tags"][0],
        "method": method.upper(),
        "path": path,
        "about": prose(operation.get("description", "")),
        "reads": "ReadKey" in security,
        "parameters": [_parameter(parameter) for parameter in operation.get("parameters", ())],
        "body": [{"media": media, "schema": told(content["schema"])} for media, content in body.items()],
        "answers": [_answer(status, answer) for status, answer in sorted(operation["responses"].items())],
    }


def _parameter(parameter: dict[str, Any]) -> dict[str, Any]:
    return {
        "name": parameter["name"],
        "place": parameter["in"],
        "required": parameter.get("required", False),
        "words": words(parameter["schema"]),
    }


def _answer(status: int, answer: dict[str, Any]) -> dict[str, Any]:
    schemas = [told(content["schema"]) for content in answer.get("content", {}).values()]
    return {"status": status, "about": answer["description"], "schema": schemas[0] if schemas else None}


def _shape(name: str, shape: dict[str, Any]) -> dict[str, Any]:
    required = shape.get("required", ())
    return {
        "name": name,
        "about": shape.get("description", ""),
        "fields": [
            {
                "name": field,
                "required": field in required,
                "schema": told(inner),
                "about": inner.get("description", ""),
            }
            for field, inner in shape.get("properties", {}).items()
        ],
    }


def told(schema: dict[str, Any]) -> dict[str, str]:
    """A schema in words, with the name of the shape to go to if it is one, or a list of one."""
    inner = schema.get("items", schema)
    return {"words": words(schema), "shape": words(inner) if "$ref" in inner else ""}


def prose(text: str) -> list[list[tuple[str, bool]]]:
    """Paragraphs of stretches, each with whether it stood between backticks."""
    paragraphs = (paragraph.replace("\n", " ").split("`") for paragraph in text.split("\n\n"))
    return [[(piece, index % 2 == 1) for index, piece in enumerate(pieces)] for pieces in paragraphs]


def words(schema: dict[str, Any]) -> str:
    """A schema in a few words: ``list of Turn``, ``string or null``, ``"read" or "pending"``."""
    if "$ref" in schema:
        return str(schema["$ref"]).rsplit("/", 1)[-1]
    if "enum" in schema:
        return " or ".join("null" if value is None else f'"{value}"' for value in schema["enum"])
    if "const" in schema:
        return f'"{schema["const"]}"'
    for joined, between in (("anyOf", " or "), ("allOf", " and ")):
        if joined in schema:
            return between.join(dict.fromkeys(words(inner) for inner in schema[joined]))
    if schema.get("type") == "array":
        return f"list of {words(schema['items'])}"
    if "properties" in schema and schema["type"] == "object":
        return f"object with {', '.join(schema['properties'])}"
    return str(schema.get("format") or schema.get("type") or "any JSON")
