"""Rules on calls and outputs against what the prompt offers."""

from collections.abc import Iterator, Sequence
from difflib import get_close_matches

from inspector.turns.findings.rule import Context, Rule, shown
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
        hint = f"Did it mean {shown(near)}?" if near else _offered(context.contract.actions)
        if as_output:
            hint = f"{shown(call.name)} is an output, not an action: it must be spoken through, not called."
        yield UNKNOWN_ACTION.finding(
            f"Action {shown(call.name)} is not offered by the prompt."
            if call.name
            else "An action is called without a name.",
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
        hint = f"Did it mean {shown(near)}?" if near else _offered(context.contract.outputs)
        if as_action:
            hint = f"{shown(output.name)} is an action, not an output: it must be called."
        yield UNKNOWN_OUTPUT.finding(
            f"Output {shown(output.name)} is not offered by the prompt."
            if output.name
            else "An output is given without a name.",
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
                f"Output {shown(offer.name)} is required by the prompt; it is not given.",
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
                    f"Action {shown(call.name)} has no arguments at all: an empty body is not JSON.",
                    context.in_response(call.start, call.end),
                    "For no arguments send {}.",
                    {"call": call.index},
                )
            continue
        yield INVALID_JSON.finding(
            f"Action {shown(call.name)}: the arguments are not valid JSON: {read.error}.",
            inside(context, call, read.error_at, 1),
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
        is_asked = output.name in offered or context.heard.response.syntax == "json"
        if read is None or read.state == "strict" or not is_asked:
            continue
        if read.state == "truncated" and not context.heard.response.complete:
            continue
        yield INVALID_JSON.finding(
            f"Output {shown(output.name)} must be JSON and is not: {read.error or 'it is empty'}.",
            inside(context, output, read.error_at, 1),
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
                f"Action {shown(call.name)}: {keys} is given more than once; only the last one counts.",
                context.in_response(call.start, call.end),
                None,
                {"call": call.index, "keys": list(read.repeated[:20])},
            )


def inside(context: Context, said: Call | Output, offset: int | None, length: int) -> Place:
    """A place inside the raw text of a call or output."""
    if said.raw_start is None or offset is None:
        return context.in_response(said.start, said.end)
    start = said.raw_start + min(offset, len(said.raw))
    return context.in_response(start, min(start + max(length, 0), said.raw_start + len(said.raw)))


UNKNOWN_ACTION = Rule(
    "unknown-action",
    "error",
    "A call of an action that is not offered",
    "The response calls an action by a name that the prompt does not list. Nothing can be carried out; "
    "some frameworks wait for it forever.\n\n"
    "What to do: see the nearest name in the hint; look whether an example, a memory or an older prompt "
    "taught the other one.",
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
    "The prompt marks an output as required and the finished answer, which calls nothing more, does not "
    "use it.\n\n"
    "What to do: nothing, if silence was right; else say in the prompt when it must be used.",
    _missing_output,
)
INVALID_JSON = Rule(
    "invalid-json",
    "error",
    "Content that must be JSON and is not",
    "Arguments or an output must be JSON and strict readers refuse what was sent. Where the meaning was "
    "plain it is shown mended, with what was mended.\n\n"
    "What to do: see the exact place; quotes and line breaks inside strings are the usual culprits: ask "
    "for escaped text or use an output of plain text.",
    _invalid_json,
)
REPEATED_KEY = Rule(
    "repeated-key",
    "warning",
    "The same key twice in one object",
    "JSON readers silently take the last one; the model may have meant the first.\n\nWhat to do: look at "
    "both values.",
    _repeated_key,
)
RULES = (UNKNOWN_ACTION, UNKNOWN_OUTPUT, MISSING_OUTPUT, INVALID_JSON, REPEATED_KEY)
