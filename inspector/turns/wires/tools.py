"""Tool declarations of any provider: name, description and the JSON Schema of the parameters."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from inspector.turns.turn import Breakpoint, Tool
from inspector.turns.wires.breakpoints import is_point, lifetime_of

GROUPS = ("functionDeclarations", "function_declarations", "tools")
"""Gemini and Bedrock Converse put several declarations into one object."""
INNER = ("function", "toolSpec", "custom", "json_schema")
SCHEMAS = ("parameters", "input_schema", "inputSchema", "parametersJsonSchema", "parameters_json_schema")


def tools_of(value: Any) -> tuple[tuple[Tool, ...], tuple[str, ...]]:
    """Tools from a list (or one object) of declarations, with notes on what could not be read."""
    tools: list[Tool] = []
    unread = 0
    for item in _flat(value):
        lifetime = lifetime_of(item) if isinstance(item, Mapping) else None
        if lifetime is not None and is_point(item):
            tools[-1:] = [replace(tool, breakpoint=Breakpoint(0, 1, lifetime)) for tool in tools[-1:]]
            continue
        tool = _tool(item) if isinstance(item, Mapping) else None
        if tool is not None and lifetime is not None:
            tool = replace(tool, breakpoint=Breakpoint(0, 1, lifetime))
        if tool is None:
            unread += 1
        else:
            tools.append(tool)
    return tuple(tools), (f"{unread} tool declarations have no name and are left out.",) if unread else ()


def _flat(value: Any) -> Iterable[Any]:
    for item in [value] if isinstance(value, Mapping) else value if isinstance(value, list) else ():
        group = (
            next((item[name] for name in GROUPS if isinstance(item.get(name), list)), None)
            if isinstance(item, Mapping)
            else None
        )
        if group is None:
            yield item
        else:
            yield from group


def _tool(item: Mapping[str, Any]) -> Tool | None:
    inner = next((item[name] for name in INNER if isinstance(item.get(name), Mapping)), item)
    name = inner.get("name") or item.get("name")
    if not isinstance(name, str) or not name:
        return _built_in(item)
    description = inner.get("description", item.get("description"))
    return Tool(name, description if isinstance(description, str) else None, _schema(inner))


def _built_in(item: Mapping[str, Any]) -> Tool | None:
    """A tool that the provider runs itself: known by its type (``web_search``) or key (``googleSearch``)."""
    kind = item.get("type")
    if isinstance(kind, str) and kind not in ("function", "custom"):
        return Tool(kind, None, None)
    if len(item) == 1 and isinstance(next(iter(item.values())), Mapping):
        return Tool(str(next(iter(item))), None, None)
    return None


def _schema(inner: Mapping[str, Any]) -> Any:
    for name in SCHEMAS:
        schema = inner.get(name)
        if isinstance(schema, Mapping):
            return schema["json"] if set(schema) == {"json"} else schema
    if isinstance(inner.get("parameter_definitions"), Mapping):
        return _from_definitions(inner["parameter_definitions"])
    return None


def _from_definitions(definitions: Mapping[str, Any]) -> dict[str, Any]:
    """Cohere's older form: ``{name: {description, type, required}}``."""
    known = {name: dict(facts) for name, facts in definitions.items() if isinstance(facts, Mapping)}
    required = [name for name, facts in known.items() if facts.pop("required", False) is True]
    types = {
        "str": "string",
        "int": "integer",
        "float": "number",
        "bool": "boolean",
        "list": "array",
        "dict": "object",
    }
    for facts in known.values():
        if isinstance(kind := facts.get("type"), str):
            facts["type"] = types.get(kind, kind)
    return {"type": "object", "properties": known, "required": required}
