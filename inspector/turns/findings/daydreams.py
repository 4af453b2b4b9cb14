"""Rules on what Daydreams itself makes of a response: where its engine hangs, refuses or loses what was said.

From runs of the real engine, versions 0.3.8 to 0.3.22; layouts of other versions are left alone.
"""

import re
from collections.abc import Iterator

from inspector.turns.contract import offers_named, resolved, wants_json
from inspector.turns.findings.rule import Context, Rule, shown
from inspector.turns.turn import Call, Finding, Output, Reference

_LOST_AFTER = ("'", "`", "(")
_UNREADABLE = (
    "single-quotes",
    "no-quotes",
    "upper-case",
    "slash-for-bracket",
    "half-open",
    "escaped",
    "space-around-equals",
    "line-break-in-tag",
)
_HALF_TAG = re.compile(r"<[A-Za-z][^<>]{0,200}\Z")


def _applies(context: Context) -> bool:
    """Whether this is a response to a Daydreams prompt of a version that was tried."""
    layout = context.dialect.layout or ""
    return context.dialect.name == "daydreams" and layout.startswith("0.3") and context.response is not None


def _hangs(context: Context) -> Iterator[Finding]:
    if not _applies(context) or context.response is None:
        return
    for call in context.response.calls:
        if call.status == "unknown":
            what = f"no action is named {shown(call.name)}" if call.name else "the call has no name"
            yield RUN_HANGS.finding(
                f"Daydreams waits forever here: {what}, and the call's result never comes.",
                context.in_response(call.start, call.end),
                "Give the run a time limit of its own, and end it when an unknown action is called.",
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


def _refused(context: Context) -> Iterator[Finding]:
    if not _applies(context) or context.response is None:
        return
    for call in context.response.calls:
        why = _why_refused(call)
        if why:
            yield CALL_REFUSED.finding(
                f"Daydreams refuses the call of {shown(call.name)}: {why}. The refusal is an unhandled "
                "rejection, which ends a Node process by default.",
                context.in_response(call.start, call.end),
                "The model is not told: it sees the call as pending in every later prompt.",
                {"call": call.index},
            )
    for output in context.response.outputs:
        asks = any(wants_json(offer) for offer in offers_named(context.contract.outputs, output.name))
        is_json = output.raw.strip()[:1] in ("{", "[") and output.status in ("ok", "unchecked")
        if asks and not is_json and output.raw[:1] not in _LOST_AFTER:
            yield CALL_REFUSED.finding(
                f"Daydreams refuses the output {shown(output.name)}: its content is not JSON that fits the "
                "schema.",
                context.in_response(output.start, output.end),
                "Nobody hears it, yet later prompts show it in the history as if it had been sent.",
                {"output": output.index},
            )


def _why_refused(call: Call) -> str | None:
    if call.status == "unknown":
        return None
    if call.json in ("invalid", "repaired", "truncated") or (call.json is None and not call.raw.strip()):
        return "its body is not JSON"
    return "its arguments do not fit the schema" if call.status == "invalid" else None


def _lost(context: Context) -> Iterator[Finding]:
    if not _applies(context) or context.response is None:
        return
    response = context.response
    said: list[tuple[str, Call | Output]] = [("call of", call) for call in response.calls]
    said += [("output", output) for output in response.outputs]
    for word, item in said:
        if item.raw_start is not None and item.raw[:1] in _LOST_AFTER and item.start is not None:
            yield LOST.finding(
                f"Daydreams loses the {word} {shown(item.name)}: its tag is directly followed by "
                f"{item.raw[0]}.",
                context.in_response(item.start, item.raw_start),
                "Its reader takes such a tag for a quotation. A line break after the tag helps.",
            )
        if item.start is not None and _HALF_TAG.search(item.raw[-202:]):
            yield _swallowed(context, item.end)
    for span in response.reasoning:
        if span.start is not None and _HALF_TAG.search(span.text[-202:]):
            yield _swallowed(context, span.end)
        if span.start is not None and span.text[:1] in _LOST_AFTER:
            yield LOST.finding(
                "Daydreams loses this reasoning and may lose what follows: its tag is directly followed "
                f"by {span.text[0]}.",
                context.in_response(span.start - 1, span.start + 1),
                "Its reader takes such a tag for a quotation. A line break after the tag helps.",
            )
    for quirk in context.heard.quirks if context.heard else ():
        if quirk.name in _UNREADABLE and quirk.tag != context.dialect.tags.container:
            yield LOST.finding(
                f"Daydreams does not read <{quirk.tag}> as it is written here "
                f"({quirk.name.replace('-', ' ')}).",
                context.in_response(quirk.start, quirk.end),
                'It knows tags in small letters with attributes in the form name="value" only.',
            )


def _swallowed(context: Context, end: int | None) -> Finding:
    return LOST.finding(
        "Daydreams misses the closing tag here: an unclosed “<” with a letter right before it eats it, and "
        "what follows is lost.",
        context.in_response(max((end or 1) - 1, 0), end),
        "Ask for spaces around “<” in comparisons.",
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
LOST = Rule(
    "lost-by-framework",
    "error",
    "Daydreams loses what was said",
    "Daydreams reads tags by a strict pattern and takes a tag next to a quote, a backtick or a bracket for "
    "a quotation. What this page reads here, the framework never saw.\n\n"
    "What to do: ask for a line break after each opening tag; show one exact example.",
    _lost,
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

RULES = (RUN_HANGS, CALL_REFUSED, LOST, GIVES_LIST)
