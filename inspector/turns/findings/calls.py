"""Rules on calls and outputs against what the prompt offers."""

from collections.abc import Iterator, Sequence
from difflib import get_close_matches

from inspector.turns.checking import Fault, FaultKind
from inspector.turns.findings.rule import Context, Rule, shown
from inspector.turns.responses.heard import Judged
from inspector.turns.turn import Call, Finding, Offer, Output, Place


def _nearest(name: str, offers: Sequence[Offer]) -> str | None:
    names = list(dict.fromkeys(offer.name for offer in offers))[:500]
    if not name:
        return None
    folded = {"".join(filter(str.isalnum, known)).lower(): known for known in names}
    plain = "".join(filter(str.isalnum, name)).lower()
    if plain in folded:
        return folded[plain]
    near = get_close_matches(name[:100], names, 1, 0.6)
    return near[0] if near else None


def _offered(offers: Sequence[Offer]) -> str:
    names = list(dict.fromkeys(offer.name for offer in offers))
    if not names:
        return "The prompt offers none."
    listed = ", ".join(names[:8])
    return f"The prompt offers {listed}{f' and {len(names) - 8} more' if len(names) > 8 else ''}."


def _unknown_action(context: Context) -> Iterator[Finding]:
    for call in context.response.calls if context.response else ():
        if call.status != "unknown":
            continue
        near = _nearest(call.name, context.contract.actions)
        as_output = any(offer.name == call.name for offer in context.contract.outputs)
        hint = f"Did it mean {near}?" if near else _offered(context.contract.actions)
        if as_output:
            hint = f"{call.name} is an output, not an action: it must be spoken through, not called."
        what = shown(call.name) if call.name else "an action without a name"
        yield UNKNOWN_ACTION.finding(
            f"The response calls {what}, which the prompt does not offer.",
            context.in_response(call.start, call.end),
            hint,
            {"call": call.index, "name": call.name, "nearest": near},
        )


def _unknown_output(context: Context) -> Iterator[Finding]:
    for output in context.response.outputs if context.response else ():
        if output.status != "unknown":
            continue
        near = _nearest(output.name, context.contract.outputs)
        as_action = any(offer.name == output.name for offer in context.contract.actions)
        hint = f"Did it mean {near}?" if near else _offered(context.contract.outputs)
        if as_action:
            hint = f"{output.name} is an action, not an output: it must be called."
        yield UNKNOWN_OUTPUT.finding(
            f"The response speaks through {shown(output.name)}, which the prompt does not offer.",
            context.in_response(output.start, output.end),
            hint,
            {"output": output.index, "name": output.name, "nearest": near},
        )


def _missing_output(context: Context) -> Iterator[Finding]:
    response = context.response
    if (
        response is None
        or response.calls
        or not (response.outputs or response.reasoning)
        or not response.complete
    ):
        return
    given = {output.name for output in response.outputs}
    for offer in context.contract.outputs:
        if offer.required and offer.name not in given:
            yield MISSING_OUTPUT.finding(
                f"The prompt marks the output {shown(offer.name)} as required; the response does not give it.",
                Place("response"),
                None,
                {"name": offer.name},
            )


def _invalid_json(context: Context) -> Iterator[Finding]:
    if context.heard is None or context.response is None:
        return
    parsed = context.heard.extra.get("parsed", {})
    for call in context.response.calls:
        read = parsed.get(call.index)
        if (
            read is None
            or call.json == "strict"
            or (call.json == "truncated" and not context.response.complete)
        ):
            continue
        if call.json is None:
            if not call.raw.strip():
                yield INVALID_JSON.finding(
                    f"{call.name or 'The call'} has no arguments at all: an empty body is not JSON.",
                    context.in_response(call.start, call.end),
                    "For no arguments send {}.",
                    {"call": call.index},
                )
            continue
        yield INVALID_JSON.finding(
            f"The arguments of {call.name} are not valid JSON: {read.error}.",
            _inside(context, call, read.error_at, 1),
            "It is read here as it was probably meant; most frameworks refuse it."
            if call.json != "invalid"
            else None,
            {"call": call.index, "json": call.json},
        )
    yield from _invalid_outputs(context)


def _invalid_outputs(context: Context) -> Iterator[Finding]:
    assert context.heard is not None
    parsed = context.heard.extra.get("outputs", {})
    offered = {offer.name for offer in context.contract.outputs}
    for output in context.heard.response.outputs:
        read = parsed.get(output.index)
        if read is None or read.state == "strict" or output.name not in offered:
            continue
        if read.state == "truncated" and not context.heard.response.complete:
            continue
        yield INVALID_JSON.finding(
            f"The output {output.name} must be JSON and is not: {read.error or 'it is empty'}.",
            _inside(context, output, read.error_at, 1),
            None
            if read.state == "invalid" or read.state is None
            else "It is read here as it was probably meant; most frameworks refuse it.",
            {"output": output.index, "json": read.state},
        )


def _repeated_key(context: Context) -> Iterator[Finding]:
    if context.heard is None or context.response is None:
        return
    for call in context.response.calls:
        read = context.heard.extra.get("parsed", {}).get(call.index)
        if read is not None and read.repeated:
            keys = ", ".join(shown(key) for key in read.repeated[:5])
            yield REPEATED_KEY.finding(
                f"The arguments of {call.name} give {keys} more than once; only the last one counts.",
                context.in_response(call.start, call.end),
                None,
                {"call": call.index, "keys": list(read.repeated[:20])},
            )


def _inside(context: Context, said: Call | Output, offset: int | None, length: int) -> Place:
    """A place inside the raw text of a call or output."""
    if said.raw_start is None or offset is None:
        return context.in_response(said.start, said.end)
    start = said.raw_start + min(offset, len(said.raw))
    return context.in_response(start, min(start + max(length, 0), said.raw_start + len(said.raw)))


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
    if judged.where == "attributes":
        return f"the attributes of the output {said.name}"
    return said.name if judged.where == "call" else f"the output {said.name}"


def _data(judged: Judged, fault: Fault) -> dict[str, object]:
    return {
        "call" if judged.where == "call" else "output": judged.index,
        "path": fault.path,
        "expected": fault.expected,
        "got": fault.got,
    }


def _missing_argument(context: Context) -> Iterator[Finding]:
    for judged, fault, said in _faults(context, "missing-argument"):
        word = "attribute" if judged.where == "attributes" else "argument"
        yield MISSING_ARGUMENT.finding(
            f"{_said(judged, said)} needs the {word} {shown(fault.path or fault.name)} ({fault.expected}); it is not given.",
            _inside(context, said, fault.offset, fault.length),
            _misplaced(said, fault),
            _data(judged, fault),
        )


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


def _unexpected_argument(context: Context) -> Iterator[Finding]:
    for judged, fault, said in _faults(context, "unexpected-argument"):
        yield UNEXPECTED_ARGUMENT.finding(
            f"{_said(judged, said)} has no argument {shown(fault.path)}; {fault.got} was sent for it.",
            _inside(context, said, fault.offset, fault.length),
            None,
            _data(judged, fault),
        )


def _wrong_type(context: Context) -> Iterator[Finding]:
    for judged, fault, said in _faults(context, "wrong-type"):
        what = shown(fault.path) if fault.path else "the whole value"
        yield WRONG_TYPE.finding(
            f"{_said(judged, said)}: {what} must be {fault.expected}, got {fault.got}.",
            _inside(context, said, fault.offset, fault.length),
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
            _inside(context, said, fault.offset, fault.length),
            None,
            _data(judged, fault),
        )


def _schema_echoed(context: Context) -> Iterator[Finding]:
    for call in context.response.calls if context.response else ():
        if call.status == "invalid" and _is_schema(call.arguments):
            yield SCHEMA_ECHOED.finding(
                f"The arguments of {call.name} repeat its schema instead of giving values.",
                context.in_response(call.start, call.end),
                "Small models do this when the schema is the only example they see: show a filled-in call in the prompt.",
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

UNKNOWN_ACTION = Rule(
    "unknown-action",
    "error",
    "A call of an action that is not offered",
    "The response calls an action by a name that the prompt does not list. Nothing can be carried out; some frameworks wait for it forever.\n\n"
    "What to do: see the nearest name in the hint; look whether an example, a memory or an older prompt taught the other one.",
    _unknown_action,
)
UNKNOWN_OUTPUT = Rule(
    "unknown-output",
    "error",
    "An output that is not offered",
    "The response speaks through an output that the prompt does not list: nobody hears it.\n\n"
    "What to do: see the nearest name in the hint; check that the channel's output was offered in this turn.",
    _unknown_output,
)
MISSING_OUTPUT = Rule(
    "missing-output",
    "info",
    "A required output that is not given",
    "The prompt marks an output as required and the finished answer, which calls nothing more, does not use it.\n\n"
    "What to do: nothing, if silence was right; else say in the prompt when it must be used.",
    _missing_output,
)
INVALID_JSON = Rule(
    "invalid-json",
    "error",
    "Content that must be JSON and is not",
    "Arguments or an output must be JSON and strict readers refuse what was sent. Where the meaning was plain it is shown mended, with what was mended.\n\n"
    "What to do: see the exact place; quotes and line breaks inside strings are the usual culprits: ask for escaped text or use an output of plain text.",
    _invalid_json,
)
REPEATED_KEY = Rule(
    "repeated-key",
    "warning",
    "The same key twice in one object",
    "JSON readers silently take the last one; the model may have meant the first.\n\nWhat to do: look at both values.",
    _repeated_key,
)
MISSING_ARGUMENT = Rule(
    "missing-argument",
    "error",
    "An argument that must be there is not",
    "The schema shown in this very prompt requires an argument that the call does not give.\n\n"
    "What to do: see whether it was sent under another name or at another level (the hint says so); if it can be left out, the schema should say so.",
    _missing_argument,
)
UNEXPECTED_ARGUMENT = Rule(
    "unexpected-argument",
    "warning",
    "An argument that the schema does not have",
    "The schema allows no further arguments and the call gives one. Some validators refuse the call, others drop the argument silently.\n\n"
    "What to do: see whether it is a misspelt name of a real one.",
    _unexpected_argument,
)
WRONG_TYPE = Rule(
    "wrong-type",
    "error",
    "An argument of the wrong type",
    "A value is of another type than the schema in this prompt asks for. Template references are left out: they stand for another value.\n\n"
    "What to do: the message says what was expected and what was sent.",
    _wrong_type,
)
NOT_ALLOWED_VALUE = Rule(
    "not-allowed-value",
    "error",
    "A value outside of what is allowed",
    "A value has the right type but is not among the allowed ones, or out of range, too long, or of the wrong shape.\n\n"
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

RULES = (
    UNKNOWN_ACTION, UNKNOWN_OUTPUT, MISSING_OUTPUT, INVALID_JSON, REPEATED_KEY, SCHEMA_ECHOED, MISSING_ARGUMENT,
    UNEXPECTED_ARGUMENT, WRONG_TYPE, NOT_ALLOWED_VALUE,
)  # fmt: skip
