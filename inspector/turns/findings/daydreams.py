"""Rules on what Daydreams itself makes of a response: where its engine hangs, refuses or resolves oddly.

From runs of the real engine, versions 0.3.8 to 0.3.22; layouts of other versions are left alone.
"""

import re
from collections.abc import Iterator, Set

from inspector.turns.contract import offers_named, resolved, wants_json
from inspector.turns.findings import lost
from inspector.turns.findings.rule import Context, Rule, shown
from inspector.turns.responses.heard import Judged
from inspector.turns.turn import Call, Finding, Output, Reference

_READABLE = re.compile(r'\bname="[^"]')


def _applies(context: Context) -> bool:
    """Whether this is a response to a Daydreams prompt of a version that was tried."""
    layout = context.dialect.layout or ""
    return context.dialect.name == "daydreams" and layout.startswith("0.3") and context.response is not None


def _hangs(context: Context) -> Iterator[Finding]:
    if not _applies(context) or context.response is None:
        return
    keys = {section.attributes.get("key") for section in context.sections if section.kind == "contexts"}
    for call in context.response.calls:
        why = _why_endless(context.response.text, call, keys - {None})
        if why:
            yield RUN_HANGS.finding(
                f"Daydreams waits forever here: {why}, and the call's result never comes.",
                context.in_response(call.start, call.end),
                "Give the run a time limit of its own, and end it when such a call comes.",
                {"call": call.index},
            )
    for reference in context.response.references:
        if reference.status == "self":
            yield RUN_HANGS.finding(
                "Daydreams waits forever here: the call needs its own result.",
                context.in_response(reference.start, reference.end),
                None,
                {"call": reference.index},
            )


def _why_endless(text: str, call: Call, keys: Set[str | None]) -> str | None:
    """Why the engine finds nothing to carry a call out with."""
    if call.status == "unknown":
        return f"no action is named {shown(call.name)}" if call.name else "the call has no name"
    if call.start is not None and call.raw_start is not None:
        tag = text[call.start : call.raw_start]
        if "=" in tag and _READABLE.search(tag) is None:
            return f"it can't read the name {shown(call.name)} as it is written"
    key = call.attributes.get("contextKey")
    if key and keys and key not in keys:
        return f"no context of this prompt has the key {shown(key)}"
    return None


def _refused(context: Context) -> Iterator[Finding]:
    if not _applies(context) or context.response is None:
        return
    judged = context.heard.judged if context.heard else ()
    faults = {item.index: item for item in judged if item.where == "call"}
    for call in context.response.calls:
        why = _why_refused(call, faults.get(call.index))
        if why:
            yield CALL_REFUSED.finding(
                f"Daydreams refuses the call of {shown(call.name)}: {why}. The refusal is an unhandled "
                "rejection, which ends a Node process by default.",
                context.in_response(call.start, call.end),
                "The model is not told: it sees the call as pending in every later prompt.",
                {"call": call.index},
            )
    for output in context.response.outputs:
        if _is_refused(context, output):
            yield CALL_REFUSED.finding(
                f"Daydreams refuses the output {shown(output.name)}: its content is not JSON that fits the "
                "schema.",
                context.in_response(output.start, output.end),
                "Nobody hears it, yet later prompts show it in the history as if it had been sent.",
                {"output": output.index},
            )


def _is_refused(context: Context, output: Output) -> bool:
    """Whether an output asks for JSON and holds something else, a fence included."""
    offers = offers_named(context.contract.outputs, output.name)
    if not any(wants_json(offer) for offer in offers) or output.raw[:1] in lost.LOST_AFTER:
        return False
    read = context.heard.extra.get("outputs", {}).get(output.index) if context.heard else None
    is_strict = read is not None and read.state == "strict" and output.raw.lstrip()[:1] in ("{", "[")
    return not is_strict or output.status not in ("ok", "unchecked")


def _why_refused(call: Call, judged: Judged | None) -> str | None:
    if call.status == "unknown":
        return None
    if call.json in ("invalid", "repaired", "truncated") or (call.json is None and not call.raw.strip()):
        return "its body is not JSON"
    if call.json is None and call.mended:
        return f"{call.mended[0]}, so that its text never arrives"
    if call.status != "invalid":
        return None
    numbers = judged is not None and all(
        fault.kind == "wrong-type" and "number" in fault.expected and fault.got.strip('"-').isdecimal()
        for fault in judged.faults
    )
    return "its arguments do not fit the schema" + (
        " (unless the action itself turns text into numbers)" if numbers else ""
    )


def _gives_list(context: Context) -> Iterator[Finding]:
    """References with a path come to a list of matches, which no argument but a list accepts."""
    if not _applies(context) or context.response is None:
        return
    for reference in context.response.references:
        if reference.where != "call" or reference.status not in ("resolved", "forward") or not reference.path:
            continue
        asked = _asked_type(context, reference)
        if asked is None or asked == "array":
            continue
        yield GIVES_LIST.finding(
            f"{{{{{reference.expression}}}}} comes to a list with one value in it, and the argument must "
            f"be of type {asked}.",
            context.in_response(reference.start, reference.end),
            "Daydreams answers a path with a list of matches. Refer to the whole result ({{calls[0]}}) or "
            "call in the next turn.",
            {"call": reference.index, "expression": reference.expression, "type": asked},
        )


def _asked_type(context: Context, reference: Reference) -> str | None:
    """The type of the top-level argument that a reference stands for."""
    if context.response is None or reference.index is None:
        return None
    call = context.response.calls[reference.index]
    text = context.response.text[reference.start : reference.end]
    offers = offers_named(context.contract.actions, call.name)
    schema = resolved(offers[0].schema) if offers else None
    properties = schema.get("properties") if isinstance(schema, dict) else None
    if not isinstance(call.arguments, dict) or not isinstance(properties, dict):
        return None
    for name, value in call.arguments.items():
        if value == text and isinstance(properties.get(name), dict):
            kind = properties[name].get("type")
            return kind if isinstance(kind, str) else None
    return None


RUN_HANGS = Rule(
    "run-hangs",
    "error",
    "Daydreams waits forever",
    "In Daydreams 0.3 a call of an unknown action, a call without a readable name and a reference of a "
    "call to itself leave a promise that never settles: "
    "the run neither ends nor fails.\n\nWhat to do: guard runs with a time limit; see the finding on the "
    "call for what the model probably meant.",
    _hangs,
)
CALL_REFUSED = Rule(
    "call-refused",
    "warning",
    "Daydreams refuses a call or an output",
    "Arguments that are not JSON or do not fit the schema make Daydreams 0.3 throw outside of anyone's "
    "reach: a Node process ends unless it handles unhandled rejections, "
    "and the model is never told, since error events are not shown in its prompts; the call stays among "
    "the pending operations.\n\n"
    "What to do: handle unhandledRejection, and look at the finding on the arguments.",
    _refused,
)
GIVES_LIST = Rule(
    "reference-gives-list",
    "error",
    "A reference that comes to a list where a single value is asked for",
    "In Daydreams 0.3.8 and later a reference with a path, such as {{calls[0].temperature}}, comes to a "
    "list of matches ([65]), so that arguments of type text or number are refused.\n\n"
    "What to do: refer to the whole result, let the action take any value, or use the result in the next "
    "turn.",
    _gives_list,
)

RULES = (RUN_HANGS, CALL_REFUSED, *lost.RULES, GIVES_LIST)
