"""Rules on the form of a response: is it there, whole, and in the structure that was asked for."""

import re
from collections.abc import Iterator

from inspector.turns.findings.rule import Context, Rule, shown
from inspector.turns.responses.heard import CUT_REASONS, Quirk
from inspector.turns.turn import Finding, Place, Response

_ELEMENT = re.compile(
    r"<([A-Za-z_][\w.:-]{0,63})(?:\s[^<>]{0,500})?>[^<]{0,4000}</\1>|</?[A-Za-z_][\w.:-]{0,63}(?:\s[^<>]{0,500})?/?>"
)


_REMAINS = re.compile(r"\A[\s`]*+(?:Observation:)?[\s`]*+|\s++\Z")
"""What is left of fences and of a stop sequence that came too late."""
_PARTS = {"react": "every step", "json": "the JSON", "markers": "every call", "tools": "every call"}
STEPS = ("made-up-observation", "no-action", "input-without-action")
"""Oddities of steps whose text is stray, and told of by a rule of their own."""


def quirks_of(context: Context, *names: str) -> list[Quirk]:
    """The oddities of the response that go by these names."""
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
    if response is None or response.complete or _is_empty(response):
        return
    cut = context.turn.finish_reason in CUT_REASONS
    end = len(response.text)
    why = (
        f"The model ran out of output tokens (finish reason “{context.turn.finish_reason}”)"
        if cut
        else "The response ends in the middle"
    )
    last = response.calls[-1] if response.calls else None
    data: dict[str, object] = {}
    if last is not None and last.json == "truncated":
        why += f", inside the arguments of action {shown(last.name)}"
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
    told = [quirk.start for quirk in quirks_of(context, "cut-tag", "orphan-close", *STEPS)]
    parts = _PARTS.get(response.syntax, "every tag")
    for span in response.stray[:20]:
        text = _REMAINS.sub("", _ELEMENT.sub("", span.text))
        if span.start in told or len(text) < 2:
            continue
        yield STRAY.finding(
            f"Text stands outside of {parts}: {shown(span.text)}",
            context.in_response(span.start, span.end),
            "Whatever reads this answer by its structure drops it. If it matters, it belongs in an output.",
            {"chars": len(span.text)},
            None if len(text) > 20 else "info",
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

RULES = (PROVIDER_ERROR, EMPTY_RESPONSE, TRUNCATED, PROSE, STRAY)
