"""Text in, text out: older completion bodies of OpenAI, Anthropic and of models behind Bedrock's invoke."""

from collections.abc import Mapping
from typing import Any

from inspector.turns.turn import Message, ResponseBody, Turn, Usage
from inspector.turns.wires.envelope import turn_from
from inspector.turns.wires.fields import mapping, objects, text
from inspector.turns.wires.fit import fit, never
from inspector.turns.wires.native import answered_in, asked_in
from inspector.turns.wires.sides import Answered, Asked
from inspector.turns.wires.usage import usage_of

NAME = "completions"
PROMPTS = ("prompt", "inputText", "input_text", "inputs")
LISTS = ("choices", "generations", "completions", "results", "outputs")
TEXTS = ("text", "outputText", "generated_text", "output")
FINISHES = ("finish_reason", "finishReason", "completionReason", "stop_reason")


def likelihood(payload: Mapping[str, Any]) -> float:
    """By a prompt that is one string, and a response that is one too, in a list or not."""
    return fit(payload, _fits_request, _fits_response, never)


def read(payload: Mapping[str, Any]) -> Turn:
    """A turn whose request, response or both are completion bodies."""
    request = mapping(payload.get("request"))
    asked = _asked(request) if _fits_request(request) else asked_in(payload)
    return turn_from(payload, NAME, asked, _answered(payload.get("response")))


def _fits_request(request: Mapping[str, Any]) -> float:
    return 0.5 if "messages" not in request and _prompt(request) is not None else 0.0


def _prompt(request: Mapping[str, Any]) -> str | None:
    for name in PROMPTS:
        value = request.get(name)
        if isinstance(value, str):
            return value
        if isinstance(value, list) and value and isinstance(value[0], str):
            return value[0]
    return None


def _fits_response(response: Mapping[str, Any]) -> float:
    if response.get("object") == "text_completion":
        return 1.0
    return 0.8 if "role" not in response and _found(response) is not None else 0.0


def _found(response: Mapping[str, Any]) -> tuple[str, Mapping[str, Any]] | None:
    """The text, and the object that also says how it ended."""
    for name in ("completion", "generation"):
        if isinstance(response.get(name), str):
            return response[name], response
    for name in LISTS:
        for item in objects(response.get(name))[:1]:
            inner = {**mapping(item.get("data")), **item}
            found = next((inner[key] for key in TEXTS if isinstance(inner.get(key), str)), None)
            if found is not None:
                return found, inner
    return None


def _asked(request: Mapping[str, Any]) -> Asked:
    return Asked((Message("user", _prompt(request) or ""),), model=text(request.get("model")) or None)


def _answered(response: Any) -> Answered:
    found = _found(response) if isinstance(response, Mapping) else None
    if found is None:
        return answered_in(response)
    answer, facts = found
    finish = next((facts[name] for name in FINISHES if facts.get(name)), None)
    finish = mapping(finish).get("reason", finish)
    return Answered(
        body=ResponseBody(answer),
        usage=usage_of(response.get("usage")) or usage_of(response) or _titan(response),
        finish_reason=text(finish) or None,
        model=text(response.get("model")) or None,
    )


def _titan(response: Mapping[str, Any]) -> Usage | None:
    first = next(iter(objects(response.get("results"))), {})
    return usage_of(
        {"input_tokens": response.get("inputTextTokenCount"), "output_tokens": first.get("tokenCount")}
    )
