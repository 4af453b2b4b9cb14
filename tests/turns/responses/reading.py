"""A prompt's offers and the reading of one response text, for tests of the grammars."""

from inspector.turns.dialects import named
from inspector.turns.dialects.card import Dialect
from inspector.turns.responses import Heard, hear
from inspector.turns.turn import Contract, Message, Offer, Response, ResponseBody, Source, Turn

OBJECT = {
    "type": "object",
    "properties": {"city": {"type": "string"}, "days": {"type": "integer"}, "unit": {"enum": ["C", "F"]}},
    "required": ["city"],
    "additionalProperties": False,
}
CONTENT = {"type": "object", "properties": {"content": {"type": "string"}}, "required": ["content"]}
HERE = Source(0, 0, 0)
CONTRACT = Contract(
    actions=(
        Offer("forecast", "Weather ahead", OBJECT, HERE, None),
        Offer("note", None, None, HERE, None),
        Offer("page", None, None, HERE, None, call_format="xml"),
    ),
    outputs=(
        Offer("text", None, CONTENT, HERE, None),
        Offer("plain", None, {"type": "string"}, HERE, None),
    ),
)


def dialect(name: str = "daydreams", layout: str | None = "0.3.20") -> Dialect:
    """A dialect at one of its layouts."""
    found = named(name)
    assert found is not None
    return found.at(layout)


def heard(text: str, prefill: str = "", name: str = "daydreams", contract: Contract = CONTRACT) -> Heard:
    """A response text as it is read."""
    turn = Turn(messages=(Message("user", "go"),), response=ResponseBody(text), prefill=prefill)
    found = hear(turn, contract, dialect(name))
    assert found is not None
    return found


def read(text: str, prefill: str = "", name: str = "daydreams", contract: Contract = CONTRACT) -> Response:
    """A response text as a response."""
    return heard(text, prefill, name, contract).response


def assert_nothing_lost(response: Response) -> None:
    """Every word of a structured response belongs to one of its parts, its tags, or is stray."""
    covered = [False] * len(response.text)
    spans = [(span.start, span.end) for span in (*response.reasoning, *response.stray)]
    spans += [(call.start, call.end) for call in response.calls]
    spans += [(output.start, output.end) for output in response.outputs]
    for start, end in spans:
        if start is not None and end is not None:
            covered[start:end] = [True] * (end - start)
    rest = "".join(" " if inside else letter for letter, inside in zip(response.text, covered, strict=True))
    rest = rest.lower()
    for tag in ("response", "reasoning", "think", "thinking"):
        for form in (f"<{tag}>", f"</{tag}>"):
            rest = rest.replace(form, "")
    rest = rest.replace("```xml", "").replace("```", "").strip()
    assert any(f"</{tag}>".startswith(rest) for tag in ("response", "reasoning", "think", "thinking"))
