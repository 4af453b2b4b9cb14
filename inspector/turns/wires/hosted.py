"""Calls that the provider carries out itself while it answers: searches, code, its MCP servers.

What comes of them stands in the same response, beside or inside the call.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Any

from inspector.turns.turn import NativeCall, PostedResult
from inspector.turns.wires.blocks import dump
from inspector.turns.wires.fields import mapping, objects, text
from inspector.turns.wires.streams import events_in

RESULTS_MAX = 500
VALUE_MAX = 16_000
"""Longer results are kept up to here, as text: the record has all of them."""
_ASKED = ("action", "arguments", "code", "queries", "input", "query")
_CAME = ("outputs", "output", "results", "status")
"""What came of a call of OpenAI's own tools; where it keeps that to itself, that it was done."""


def built_in(item: Mapping[str, Any]) -> NativeCall | None:
    """A call of one of OpenAI's own tools (``web_search_call``), named by its type."""
    kind = text(item.get("type"))
    if not kind.endswith("_call") or item.get("call_id") or item.get("name") or not item.get("id"):
        return None
    asked: Any = next((item[name] for name in _ASKED if item.get(name)), {})
    if not isinstance(asked, Mapping):
        asked = {"queries" if isinstance(asked, list) else "code": asked}
    return NativeCall(str(item["id"]), kind.removesuffix("_call"), dump(asked), hosted=True)


def results_in(response: Any) -> tuple[PostedResult, ...]:
    """What came of such calls, by their ids, in a response of any provider's shape."""
    blocks = _blocks(events_in(response) or response)
    return tuple(islice((result for block in blocks if (result := _result(block))), RESULTS_MAX))


def _blocks(response: Any) -> Iterator[Mapping[str, Any]]:
    """The items and content blocks of a response, of its events or of its message."""
    if isinstance(response, Sequence):
        for item in objects(response):
            yield mapping(item.get("content_block")) or _done(item) or item
            yield from objects(item.get("content"))
        return
    body = mapping(response)
    for holder in (body, mapping(body.get("message")), mapping(mapping(body.get("output")).get("message"))):
        yield from objects(holder.get("content"))
    if isinstance(body.get("output"), list):
        yield from objects(body["output"])


def _done(event: Mapping[str, Any]) -> Mapping[str, Any]:
    """The item that an event of OpenAI's stream brings whole."""
    return mapping(event.get("item")) if event.get("type") == "response.output_item.done" else {}


def _result(block: Mapping[str, Any]) -> PostedResult | None:
    kind = text(block.get("type"))
    inner = mapping(block.get("toolResult")) or block
    call = inner.get("tool_use_id") or inner.get("toolUseId")
    if (kind.endswith("_tool_result") or "toolResult" in block) and isinstance(call, str):
        content = inner.get("content")
        failed = text(mapping(content).get("type")).endswith("_error") or inner.get("is_error") is True
        return PostedResult(call, None, *((None, _kept(content)) if failed else (_kept(content), None)))
    if isinstance(block.get("id"), str) and (kind == "mcp_call" or built_in(block)):
        value = next((block[name] for name in _CAME if block.get(name)), None)
        error = block.get("error")
        return PostedResult(block["id"], None, None if error else _kept(value), error or None)
    return None


def _kept(value: Any) -> Any:
    whole = dump(value)
    return value if len(whole) <= VALUE_MAX else whole[:VALUE_MAX]
