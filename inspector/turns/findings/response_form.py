"""Rules on the form of a response: is it there, whole, and in the structure that was asked for."""

import re
from collections.abc import Iterator
from difflib import get_close_matches

from inspector.turns.findings.rule import Context, Rule, shown
from inspector.turns.responses.heard import Quirk
from inspector.turns.responses.tagged import DEFAULT_TAGS
from inspector.turns.turn import Finding, Place, Response

_ELEMENT = re.compile(
    r"<([A-Za-z_][\w.:-]{0,63})(?:\s[^<>]{0,500})?>[^<]{0,4000}</\1>|</?[A-Za-z_][\w.:-]{0,63}(?:\s[^<>]{0,500})?/?>"
)
LENGTH_REASONS = ("length", "max_tokens", "MAX_TOKENS", "max_output_tokens", "model_length")
_TAG = re.compile(r"<([A-Za-z_][\w.:-]{0,63})(?=[\s/>])[^<>]{0,500}>")


def _quirks(context: Context, *names: str) -> list[Quirk]:
    return [quirk for quirk in context.heard.quirks if quirk.name in names] if context.heard else []


def _is_empty(response: Response) -> bool:
    return not (response.calls or response.outputs or response.text[response.prefill_chars :].strip())


def _provider_error(context: Context) -> Iterator[Finding]:
    error = context.turn.error
    if error is not None:
        kind = f" ({error.type})" if error.type else ""
        yield PROVIDER_ERROR.finding(
            f"The provider answered with an error{kind}: {shown(error.message, 200)}", Place("turn")
        )


def _empty_response(context: Context) -> Iterator[Finding]:
    response = context.response
    if response is None or context.turn.error is not None or not _is_empty(response):
        return
    after = " after its reasoning" if response.reasoning else ""
    reason = f" It stopped with “{context.turn.finish_reason}”." if context.turn.finish_reason else ""
    yield EMPTY_RESPONSE.finding(
        f"The model sent nothing{after}: no text and no calls.{reason}", Place("response")
    )


def _truncated(context: Context) -> Iterator[Finding]:
    response = context.response
    if response is None or response.complete:
        return
    cut = context.turn.finish_reason in LENGTH_REASONS
    end = len(response.text)
    why = (
        f"The model ran out of output tokens (finish reason “{context.turn.finish_reason}”)"
        if cut
        else "The response ends in the middle"
    )
    last = response.calls[-1] if response.calls else None
    data: dict[str, object] = {}
    if last is not None and last.json == "truncated":
        why += f", inside the arguments of {last.name}"
        data["call"] = last.index
    yield TRUNCATED.finding(
        f"{why}: what comes after {shown(response.text[-40:])} is missing.",
        context.in_response(max(0, end - 1), end),
        "Raise the limit on output tokens, or ask for less in one answer."
        if cut
        else "Look for a stop sequence that cuts too early or a stream that broke off.",
        data,
        "error" if data or (cut and response.syntax != "text") else None,
    )


def _prose(context: Context) -> Iterator[Finding]:
    response = context.response
    expected = context.dialect.grammar
    if response is None or expected in ("text", "tools") or _is_empty(response):
        return
    if response.calls or response.outputs or (response.reasoning and response.syntax == expected):
        return
    form = {"tagged": "tags", "json": "JSON", "react": "Thought / Action lines", "markers": "tool markers"}[
        expected
    ]
    start = response.prefill_chars
    yield PROSE.finding(
        f"The prompt asks for an answer in {form}, the model answered in plain prose: "
        f"{shown(response.text[start:])}",
        context.in_response(start, len(response.text)),
        "Nothing of this is carried out or shown. Show the expected form last in the prompt, or begin the "
        "answer for the model (prefill).",
    )


def _stray(context: Context) -> Iterator[Finding]:
    response = context.response
    if response is None or not (response.calls or response.outputs or response.reasoning):
        return
    if response.syntax not in ("tagged", context.dialect.grammar):
        return
    cut = [quirk.start for quirk in _quirks(context, "cut-tag", "orphan-close")]
    for span in response.stray[:20]:
        text = _ELEMENT.sub("", span.text).strip()
        if span.start in cut or len(text) < 2:
            continue
        yield STRAY.finding(
            f"Text stands outside of every tag: {shown(span.text)}",
            context.in_response(span.start, span.end),
            "Whatever reads this answer by its tags drops it. If it matters, it belongs in an output.",
            {"chars": len(span.text)},
            None if len(text) > 20 else "info",
        )


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
    for quirk in _quirks(context, "unclosed", "crossed", "orphan-close", "container-close-inside"):
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
    for quirk in _quirks(context, "response-again"):
        yield DUPLICATE_RESPONSE.finding(
            f"A second <{quirk.tag}> block begins after the first was closed.",
            context.in_response(quirk.start, quirk.end),
            "Both are carried out: check for calls and outputs that come twice.",
        )


def _in_reasoning(context: Context) -> Iterator[Finding]:
    for quirk in _quirks(context, "call-in-reasoning")[:20]:
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
    for quirk in _quirks(context, "commented")[:20]:
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
    "close-in-value": "holds its own closing tag inside a string",
    "space-around-equals": "has spaces around “=”",
    "line-break-in-tag": "has a line break before an attribute",
}


def _malformed(context: Context) -> Iterator[Finding]:
    for quirk in _quirks(context, *_FORMS)[:20]:
        yield MALFORMED_TAG.finding(
            f"<{quirk.tag}> {_FORMS[quirk.name]}.",
            context.in_response(quirk.start, quirk.end),
            "It is read here as it was probably meant; a strict reader may lose it.",
            {"tag": quirk.tag, "form": quirk.name},
            {"no-name": "error", "space-around-equals": "info", "line-break-in-tag": "info"}.get(quirk.name),  # type: ignore[arg-type]
        )


PROVIDER_ERROR = Rule(
    "provider-error",
    "error",
    "The provider answered with an error",
    "The request did not get an answer but an error: a limit, a refusal, a request that is too long, a "
    "server that failed.\n\n"
    "What to do: read the error's text; the prompt above is what was sent when it happened.",
    _provider_error,
)
EMPTY_RESPONSE = Rule(
    "empty-response",
    "error",
    "The model sent nothing",
    "There is a response, but it has neither text nor calls. Often a stop sequence matched at once, a "
    "content filter "
    "took the text away, or all output tokens went into hidden reasoning.\n\nWhat to do: look at the "
    "finish reason and at the end of the prompt.",
    _empty_response,
)
TRUNCATED = Rule(
    "truncated-response",
    "warning",
    "The response ends in the middle",
    "The text stops inside a tag, a JSON value or a call, or the provider says that the limit on output "
    "tokens was reached. "
    "It is an error when arguments are cut: a call read from half of its arguments must not be carried "
    "out.\n\n"
    "What to do: raise the limit, ask for less, or look for a stop sequence that cuts too early.",
    _truncated,
)
PROSE = Rule(
    "prose-instead-of-structure",
    "error",
    "Prose instead of the structure that was asked for",
    "The prompt asks for a structured answer and the model wrote plain sentences. Frameworks that read "
    "structure see nothing at all in it: "
    "no call, no output, often no error either.\n\nWhat to do: repeat the expected form at the end of the "
    "prompt, begin the answer for the model, or accept prose as an output.",
    _prose,
)
STRAY = Rule(
    "stray-text",
    "warning",
    "Text outside of the structure",
    "The answer is structured, but some of its text belongs to no part of the structure. Readers drop it "
    "silently. Short remnants are only information.\n\n"
    "What to do: if people were meant to read it, the model must put it into an output.",
    _stray,
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

RULES = (
    PROVIDER_ERROR, EMPTY_RESPONSE, TRUNCATED, PROSE, STRAY, UNKNOWN_TAG, UNCLOSED_TAG,
    DUPLICATE_RESPONSE, CALL_IN_REASONING, COMMENTED_CALL, MALFORMED_TAG,
)  # fmt: skip
