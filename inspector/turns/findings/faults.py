"""Rules on the values that calls and outputs carry, against the schemas shown in the same prompt."""

from collections.abc import Iterator
from difflib import get_close_matches

from inspector.turns.checking import Fault, FaultKind
from inspector.turns.contract import offers_named, properties_of
from inspector.turns.findings.calls import inside
from inspector.turns.findings.rule import Context, Rule, shown
from inspector.turns.responses.heard import Judged
from inspector.turns.turn import Call, Finding, Output


def _faults(context: Context, *kinds: FaultKind) -> Iterator[tuple[Judged, Fault, Call | Output]]:
    if context.heard is None or context.response is None:
        return
    for judged in context.heard.judged:
        said: Call | Output = (
            context.response.calls if judged.where == "call" else context.response.outputs
        )[judged.index]
        for fault in judged.faults:
            if fault.kind in kinds and not _is_reference(said, fault):
                yield judged, fault, said


def _is_reference(said: Call | Output, fault: Fault) -> bool:
    """Whether a value is a template reference, which stands for a value of another type."""
    return (
        isinstance(said, Call)
        and fault.kind != "missing-argument"
        and fault.got.startswith('"{{')
        and fault.got.endswith('}}"')
    )


def _said(judged: Judged, said: Call | Output) -> str:
    return f"{'Action' if judged.where == 'call' else 'Output'} {shown(said.name)}"


def _data(judged: Judged, fault: Fault) -> dict[str, object]:
    return {
        "call" if judged.where == "call" else "output": judged.index,
        "path": fault.path,
        "expected": fault.expected,
        "got": fault.got,
    }


def _missing_argument(context: Context) -> Iterator[Finding]:
    for judged, fault, said in _faults(context, "missing-argument"):
        word = "the attribute " if judged.where == "attributes" else ""
        yield MISSING_ARGUMENT.finding(
            f"{_said(judged, said)} needs {word}{shown(fault.path or fault.name)} ({fault.expected}); "
            "it is not given.",
            inside(context, said, fault.offset, fault.length),
            _misplaced(said, fault) or _flattened(context, said, fault) or _example(judged, fault),
            _data(judged, fault),
        )


_EXAMPLES = {"text": '"…"', "a number": "1", "a whole number": "1", "true or false": "true"}


def _example(judged: Judged, fault: Fault) -> str | None:
    """How the missing argument is written, where its type is plain."""
    value = '"…"' if judged.where == "attributes" else _EXAMPLES.get(fault.expected)
    if value is None or not fault.name:
        return None
    name = fault.name[:60]
    return f"Add {name}={value} to the tag." if judged.where == "attributes" else f'Add "{name}": {value}.'


def _misplaced(said: Call | Output, fault: Fault) -> str | None:
    """Whether the missing argument was sent, but at the wrong level."""
    value = said.arguments if isinstance(said, Call) else said.data
    if not isinstance(value, dict):
        return None
    if not value:
        return "Nothing was sent: the arguments are empty."
    for key, inner in value.items():
        if isinstance(inner, dict) and fault.name in inner:
            return f"{shown(fault.name)} was sent inside {shown(key)}; it belongs one level up."
    near = get_close_matches(fault.name, [key for key in value if isinstance(key, str)][:100], 1, 0.75)
    return f"{shown(near[0])} was sent; the name is {shown(fault.name)}." if near else None


def _flattened(context: Context, said: Call | Output, fault: Fault) -> str | None:
    """Whether what was sent belongs inside the missing argument."""
    offered = context.contract.actions if isinstance(said, Call) else context.contract.outputs
    value = said.arguments if isinstance(said, Call) else said.data
    offers = offers_named(offered, said.name)
    if not offers or not isinstance(value, dict) or fault.path != fault.name:
        return None
    properties = properties_of(offers[0].schema)
    inner = properties_of(properties.get(fault.name))
    flat = [key for key in list(value)[:100] if key in inner and key not in properties]
    if not flat:
        return None
    names = ", ".join(shown(key) for key in flat[:5])
    return f"{names} was sent at the top; it belongs inside {shown(fault.name)}."


def _unexpected_argument(context: Context) -> Iterator[Finding]:
    for judged, fault, said in _faults(context, "unexpected-argument"):
        yield UNEXPECTED_ARGUMENT.finding(
            f"{_said(judged, said)} has no {shown(fault.path)}; {fault.got} was sent for it.",
            inside(context, said, fault.offset, fault.length),
            None,
            _data(judged, fault),
        )


def _wrong_type(context: Context) -> Iterator[Finding]:
    for judged, fault, said in _faults(context, "wrong-type"):
        what = shown(fault.path) if fault.path else "the whole value"
        yield WRONG_TYPE.finding(
            f"{_said(judged, said)}: {what} must be {fault.expected}, got {fault.got}.",
            inside(context, said, fault.offset, fault.length),
            _quoted(fault),
            _data(judged, fault),
        )


def _quoted(fault: Fault) -> str | None:
    if (
        fault.got.startswith('"')
        and "number" in fault.expected
        and fault.got.strip('"').replace(".", "", 1).lstrip("-").isdigit()
    ):
        return f"Send {fault.got.strip(chr(34))} without quotes."
    if fault.got.startswith(('"[', '"{')) and fault.expected in ("an object", "a list"):
        return "It was sent as text that holds JSON: send the JSON itself, without quotes around it."
    return None


def _not_allowed(context: Context) -> Iterator[Finding]:
    for judged, fault, said in _faults(context, "not-allowed-value", "does-not-fit"):
        what = shown(fault.path) if fault.path else "the value"
        yield NOT_ALLOWED_VALUE.finding(
            f"{_said(judged, said)}: {what} must be {fault.expected}, got {fault.got}.",
            inside(context, said, fault.offset, fault.length),
            None,
            _data(judged, fault),
        )


def _schema_echoed(context: Context) -> Iterator[Finding]:
    for call in context.response.calls if context.response else ():
        if call.status == "invalid" and _is_schema(call.arguments):
            yield SCHEMA_ECHOED.finding(
                f"Action {shown(call.name)}: the arguments repeat its schema instead of giving values.",
                context.in_response(call.start, call.end),
                "Small models do this when the schema is the only example they see: show a filled-in call "
                "in the prompt.",
                {"call": call.index},
            )


def _is_schema(value: object) -> bool:
    if not isinstance(value, dict) or not value:
        return False
    if "properties" in value and value.get("type") == "object":
        return True
    inner = list(value.values())[:50]
    return all(isinstance(item, dict) and "type" in item and item.keys() <= _SCHEMA_KEYS for item in inner)


_SCHEMA_KEYS = {
    "type",
    "description",
    "title",
    "default",
    "enum",
    "items",
    "format",
    "properties",
    "required",
    "examples",
}


MISSING_ARGUMENT = Rule(
    "missing-argument",
    "error",
    "An argument that must be there is not",
    "The schema shown in this very prompt requires an argument that the call does not give.\n\n"
    "What to do: see whether it was sent under another name or at another level (the hint says so); if it "
    "can be left out, the schema should say so.",
    _missing_argument,
)


UNEXPECTED_ARGUMENT = Rule(
    "unexpected-argument",
    "warning",
    "An argument that the schema does not have",
    "The schema allows no further arguments and the call gives one. Some validators refuse the call, "
    "others drop the argument silently.\n\n"
    "What to do: see whether it is a misspelt name of a real one.",
    _unexpected_argument,
)


WRONG_TYPE = Rule(
    "wrong-type",
    "error",
    "An argument of the wrong type",
    "A value is of another type than the schema in this prompt asks for. Template references are left out: "
    "they stand for another value.\n\n"
    "What to do: the message says what was expected and what was sent.",
    _wrong_type,
)


NOT_ALLOWED_VALUE = Rule(
    "not-allowed-value",
    "error",
    "A value outside of what is allowed",
    "A value has the right type but is not among the allowed ones, or out of range, too long, or of the "
    "wrong shape.\n\n"
    "What to do: the message lists what is allowed.",
    _not_allowed,
)


SCHEMA_ECHOED = Rule(
    "schema-echoed",
    "error",
    "The schema came back as arguments",
    "Instead of values the model sent the schema's own description of the arguments.\n\n"
    "What to do: put a filled-in example beside the schema.",
    _schema_echoed,
)


RULES = (SCHEMA_ECHOED, MISSING_ARGUMENT, UNEXPECTED_ARGUMENT, WRONG_TYPE, NOT_ALLOWED_VALUE)
