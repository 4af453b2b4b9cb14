"""Rules on the tags and steps of a response: unknown, unclosed, twice, misplaced or oddly written ones."""

import re
from collections.abc import Iterator
from difflib import get_close_matches

from inspector.turns.findings.response_form import quirks_of
from inspector.turns.findings.rule import Context, Rule
from inspector.turns.responses.tagged import DEFAULT_TAGS
from inspector.turns.turn import Finding, Severity

_TAG = re.compile(r"<([A-Za-z_][\w.:-]{0,63})(?=[\s/>])[^<>]{0,500}>")


def _unknown_tag(context: Context) -> Iterator[Finding]:
    response = context.response
    if response is None or response.syntax != "tagged":
        return
    tags = context.dialect.tags if context.dialect.tags.calls else DEFAULT_TAGS
    known = [*filter(None, [tags.container]), *tags.reasoning, *tags.calls, *tags.outputs]
    seen: set[str] = set()
    for span in response.stray[:50]:
        for match in _TAG.finditer(span.text):
            name = match[1]
            if name.lower() in known or name in seen or span.start is None or len(seen) >= 50:
                continue
            seen.add(name)
            if f"</{name}" not in span.text:
                continue
            near = get_close_matches(name.lower(), known, 1, 0.6)
            meant = f" Did it mean <{near[0]}>?" if near else ""
            yield UNKNOWN_TAG.finding(
                f"The tag <{name}> is not one of this format's ({', '.join(known)}).{meant}",
                context.in_response(span.start + match.start(), span.start + match.end()),
                "It is ignored together with what it holds, or shown as text.",
                {"tag": name, "nearest": near[0] if near else None},
            )


def _unclosed(context: Context) -> Iterator[Finding]:
    for quirk in quirks_of(context, "unclosed", "crossed", "orphan-close", "container-close-inside"):
        place = context.in_response(quirk.start, quirk.end)
        if quirk.name == "unclosed" and quirk.text == "cut":
            continue
        if quirk.name == "unclosed":
            yield UNCLOSED_TAG.finding(
                f"<{quirk.tag}> is never closed: everything up to the end of the answer counts as its text.",
                place,
                f"Expected </{quirk.tag}>.",
                {"tag": quirk.tag},
            )
        elif quirk.name == "crossed":
            yield UNCLOSED_TAG.finding(
                f"<{quirk.tag}> is closed by </{quirk.text}>.",
                place,
                f"Expected </{quirk.tag}>.",
                {"tag": quirk.tag},
            )
        elif quirk.name == "orphan-close":
            yield UNCLOSED_TAG.finding(
                f"</{quirk.tag}> closes nothing: no <{quirk.tag}> is open here.",
                place,
                None,
                {"tag": quirk.tag},
                "info",
            )
        else:
            yield UNCLOSED_TAG.finding(
                f"</{quirk.tag}> stands inside another tag's text; a strict reader ends the whole answer "
                "here.",
                place,
                None,
                {"tag": quirk.tag},
            )


def _again(context: Context) -> Iterator[Finding]:
    for quirk in quirks_of(context, "response-again"):
        yield DUPLICATE_RESPONSE.finding(
            f"A second <{quirk.tag}> block begins after the first was closed.",
            context.in_response(quirk.start, quirk.end),
            "Both are carried out: check for calls and outputs that come twice.",
        )
    expected: Severity | None = None if context.dialect.grammar == "json" else "info"
    for quirk in quirks_of(context, "json-again"):
        yield DUPLICATE_RESPONSE.finding(
            "A second JSON object follows the first.",
            context.in_response(quirk.start, quirk.end),
            "Readers that expect one refuse both, or drop what follows the first.",
            severity=expected,
        )


def _in_reasoning(context: Context) -> Iterator[Finding]:
    for quirk in quirks_of(context, "call-in-reasoning")[:20]:
        unclosed = quirk.text == "unclosed"
        why = (
            "because the reasoning before it is never closed"
            if unclosed
            else "so it is a thought, not a deed"
        )
        yield CALL_IN_REASONING.finding(
            f"<{quirk.tag}> stands inside reasoning, {why}: nothing is carried out.",
            context.in_response(quirk.start, quirk.end),
            "Close the reasoning before the first call."
            if unclosed
            else "If it was meant, it must come after the reasoning.",
            {"tag": quirk.tag},
            "error" if unclosed else None,
        )


def _commented(context: Context) -> Iterator[Finding]:
    for quirk in quirks_of(context, "commented")[:20]:
        yield COMMENTED_CALL.finding(
            f"<{quirk.tag}> is commented out (<!-- … -->).",
            context.in_response(quirk.start, quirk.end),
            "It is not taken for a call here. Some readers carry it out all the same when the stream is "
            "cut in small pieces.",
            {"tag": quirk.tag},
        )


_FORMS = {
    "single-quotes": "has an attribute in single quotes",
    "no-quotes": "has an attribute without quotes",
    "upper-case": "is written with capital letters",
    "slash-for-bracket": "begins with “/” instead of “<”",
    "half-open": "has no closing “>”",
    "bad-attributes": "has broken attributes",
    "attribute-again": "has the same attribute twice",
    "no-name": "has no name",
    "escaped": "is written with &lt; and &gt; instead of brackets",
    "close-in-value": "holds its own closing tag inside a string",
    "space-around-equals": "has spaces around “=”",
    "line-break-in-tag": "has a line break before an attribute",
}
_FORM_SEVERITIES: dict[str, Severity] = {
    "no-name": "error",
    "escaped": "error",
    "space-around-equals": "info",
    "line-break-in-tag": "info",
}


def _malformed(context: Context) -> Iterator[Finding]:
    for quirk in quirks_of(context, *_FORMS)[:20]:
        yield MALFORMED_TAG.finding(
            f"<{quirk.tag}> {_FORMS[quirk.name]}.",
            context.in_response(quirk.start, quirk.end),
            "It is read here as it was probably meant; a strict reader may lose it.",
            {"tag": quirk.tag, "form": quirk.name},
            {
                "no-name": "error",
                "escaped": "error",
                "space-around-equals": "info",
                "line-break-in-tag": "info",
            }.get(quirk.name),  # type: ignore[arg-type]
        )


_STEPS = {
    "made-up-observation": (
        "The model wrote the observation itself instead of waiting for the tool.",
        "Stop generation at “Observation:”.",
    ),
    "action-without-input": ("An action is named and no input follows.", "Expected a line “Action Input:”."),
    "input-without-action": (
        "An input is given and no action before it.",
        "Expected a line “Action:” before it.",
    ),
    "no-opening-fence": (
        "The code has no opening fence; only the end of a block is there.",
        "Expected a line “```py” before the code.",
    ),
    "no-action": (
        "The action line names no action.",
        "To answer without a tool the model must write “Final Answer:”.",
    ),
}


def _steps(context: Context) -> Iterator[Finding]:
    for quirk in quirks_of(context, *_STEPS)[:20]:
        message, hint = _STEPS[quirk.name]
        yield BROKEN_STEP.finding(
            message, context.in_response(quirk.start, quirk.end), hint, {"form": quirk.name}
        )


UNKNOWN_TAG = Rule(
    "unknown-tag",
    "warning",
    "A tag that the format does not know",
    "The model made up a tag, or took one from another format. What it holds is ignored.\n\n"
    "What to do: name the allowed tags in the prompt; look whether an example in the prompt taught it.",
    _unknown_tag,
)
UNCLOSED_TAG = Rule(
    "unclosed-tag",
    "warning",
    "A tag that is not closed as it should be",
    "A tag is opened and never closed, closed by another's name, or closed without being open. Unclosed "
    "reasoning swallows the calls after it: they are not carried out.\n\n"
    "What to do: see where the text of the tag really ends; a stop sequence equal to the closing tag also "
    "looks like this.",
    _unclosed,
)
DUPLICATE_RESPONSE = Rule(
    "duplicate-response",
    "warning",
    "The answer comes twice",
    "After its answer was complete the model began a second one. Readers that work on a stream carry out "
    "both.\n\n"
    "What to do: stop generation at the closing tag.",
    _again,
)
CALL_IN_REASONING = Rule(
    "call-in-reasoning",
    "warning",
    "A call inside reasoning",
    "A call or output is written inside the model's reasoning, where it is text and nothing comes of it. "
    "Mentioning a tag by name is fine and not reported.\n\n"
    "What to do: if the model believes that it has acted, ask it to close its reasoning before acting.",
    _in_reasoning,
)
COMMENTED_CALL = Rule(
    "commented-call",
    "info",
    "A call that is commented out",
    "A call or output stands inside <!-- and -->. It is not read as a call.\n\nWhat to do: make sure that "
    "nothing in the prompt invites comments in answers.",
    _commented,
)
MALFORMED_TAG = Rule(
    "malformed-tag",
    "warning",
    "A tag in a form that strict readers miss",
    "Single quotes, missing quotes, capital letters, a missing bracket, a name left out: this page reads "
    "what was meant, the framework may not.\n\n"
    "What to do: compare with what the framework did; show one exact example in the prompt.",
    _malformed,
)
BROKEN_STEP = Rule(
    "broken-step",
    "warning",
    "A Thought / Action step that is not whole",
    "In a ReAct answer the model wrote its own observation, or an action without input, or an input "
    "without action. "
    "What follows a made-up observation rests on nothing.\n\n"
    "What to do: stop generation at “Observation:”; show one whole step in the prompt.",
    _steps,
)

RULES = (
    UNKNOWN_TAG,
    UNCLOSED_TAG,
    DUPLICATE_RESPONSE,
    CALL_IN_REASONING,
    COMMENTED_CALL,
    MALFORMED_TAG,
    BROKEN_STEP,
)
