"""The rule on what Daydreams never gets to see of a response, or does not pass on.

From runs of the real engine, versions 0.2.17 to 0.3.22.
"""

import re
from collections.abc import Iterator

from inspector.turns.findings.rule import Context, Rule, shown
from inspector.turns.turn import Call, Finding, Output, Response

LOST_AFTER = ("'", "`", "(")
"""What makes the engine take the tag before it for a quotation."""
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
_BARE = re.compile(r"<(?![A-Za-z/])")
_TYPE = re.compile(r"\btype\s{0,4}=")
_NAME = re.compile(r"\bname\s{0,4}=")
_BY_NAME = ("0.3.16", "0.3.20")
"""Layouts whose engine finds an output by its name; before it was its type."""
_AFTER_TAG = "Its reader takes such a tag for a quotation. A line break after the tag helps."


def _lost(context: Context) -> Iterator[Finding]:
    layout = context.dialect.layout or ""
    response = context.response
    if context.dialect.name != "daydreams" or response is None or not layout.startswith("0."):
        return
    if layout.startswith("0.3"):
        yield from _next_to_quotes(context, response)
        yield from _tags(context, response)
        yield from _prefilled(context, response)


def _next_to_quotes(context: Context, response: Response) -> Iterator[Finding]:
    said: list[tuple[str, Call | Output]] = [("call of", call) for call in response.calls]
    said += [("output", output) for output in response.outputs]
    for word, item in said:
        if item.raw_start is not None and item.raw[:1] in LOST_AFTER and item.start is not None:
            yield LOST.finding(
                f"Daydreams loses the {word} {shown(item.name)}: its tag is directly followed by "
                f"{item.raw[0]}.",
                context.in_response(item.start, item.raw_start),
                _AFTER_TAG,
            )
        if item.start is not None and _HALF_TAG.search(item.raw[-202:]):
            yield _swallowed(context, item.end)
    for span in response.reasoning:
        if span.start is not None and _HALF_TAG.search(span.text[-202:]):
            yield _swallowed(context, span.end)
        if span.start is not None and span.text[:1] in LOST_AFTER:
            yield LOST.finding(
                "Daydreams loses this reasoning and may lose what follows: its tag is directly followed "
                f"by {span.text[0]}.",
                context.in_response(span.start - 1, span.start + 1),
                _AFTER_TAG,
            )


def _swallowed(context: Context, end: int | None) -> Finding:
    return LOST.finding(
        "Daydreams misses the closing tag here: an unclosed “<” with a letter right before it eats it, and "
        "what follows is lost.",
        context.in_response(max((end or 1) - 1, 0), end),
        "Ask for spaces around “<” in comparisons.",
    )


def _tags(context: Context, response: Response) -> Iterator[Finding]:
    for quirk in context.heard.quirks if context.heard else ():
        if quirk.name in _UNREADABLE and quirk.tag != context.dialect.tags.container:
            yield LOST.finding(
                f"Daydreams does not read <{quirk.tag}> as it is written here "
                f"({quirk.name.replace('-', ' ')}).",
                context.in_response(quirk.start, quirk.end),
                'It knows tags in small letters with attributes in the form name="value" only.',
            )
    said: list[Call | Output] = [*response.calls, *response.outputs]
    for item in said:
        if item.start is None or item.raw_start is None:
            continue
        tag = response.text[item.start : item.raw_start]
        place = context.in_response(item.start, item.raw_start)
        if ">" in tag[:-1]:
            yield LOST.finding(
                f"Daydreams ends the tag of {shown(item.name)} at the first “>”, inside its attribute: the "
                "rest of the tag becomes part of what it holds.",
                place,
                "Leave “>” out of attributes.",
            )
        is_typed = isinstance(item, Output) and _TYPE.search(tag) and not _NAME.search(tag)
        if is_typed and context.dialect.layout in _BY_NAME:
            yield LOST.finding(
                f"Daydreams does not find the output {shown(item.name)}: it looks for the attribute "
                "“name”, and “type” was written.",
                place,
                f'Expected <output name="{item.name[:60]}">.',
            )


def _depends(context: Context) -> Iterator[Finding]:
    """The first “<” without a letter behind it."""
    layout, response = context.dialect.layout or "", context.response
    if context.dialect.name != "daydreams" or response is None or not layout.startswith("0."):
        return
    bodies = [(span.start, span.text) for span in response.reasoning]
    bodies += [(call.raw_start, call.raw) for call in response.calls]
    bodies += [(output.raw_start, output.raw) for output in response.outputs]
    places = [
        start + found.start()
        for start, text in bodies
        if start is not None and (found := _BARE.search(text)) is not None
    ]
    for at in sorted(places)[:1]:
        yield DEPENDS_ON_CHUNKS.finding(
            f"What Daydreams makes of {shown(response.text[at : at + 8])} depends on how the stream is cut: "
            "up to the end of the chunk it takes all for text, closing tags included.",
            context.in_response(at, at + 1),
            "Ask for “less than” in words.",
        )


def _prefilled(context: Context, response: Response) -> Iterator[Finding]:
    """Versions 0.3.9 to 0.3.13 begin the reasoning for the model and then forget that they did."""
    prefill = response.text[: response.prefill_chars]
    first = response.reasoning[0] if response.reasoning else None
    if first is None or first.start is None or not prefill.rstrip().endswith("<reasoning>"):
        return
    if first.start <= response.prefill_chars and first.text.strip():
        yield LOST.finding(
            "Daydreams does not keep this reasoning: the answer goes on with the <reasoning> that the prompt "
            "begins, and the engine puts only <response> back in front of it.",
            context.in_response(first.start, first.end),
            "Calls and outputs are carried out. The model does not see these thoughts again.",
            None,
            "warning",
        )


LOST = Rule(
    "lost-by-framework",
    "error",
    "Daydreams loses what was said",
    "Daydreams reads tags by a strict pattern, takes a tag next to a quote, a backtick or a bracket for "
    "a quotation, and forgets or holds back parts of an answer in some versions. What this page reads here, "
    "the framework never saw or never passed on.\n\n"
    "What to do: ask for a line break after each opening tag; show one exact example.",
    _lost,
)
DEPENDS_ON_CHUNKS = Rule(
    "depends-on-chunks",
    "info",
    "What is read depends on how the stream is cut",
    "Where “<” is followed by anything but a letter (`<3`, `< 10`, `<!--`), the reader of Daydreams takes "
    "the rest of the chunk that it is looking at for text, even closing tags. With small chunks nothing is "
    "lost; with large ones a call or an output may be.\n\n"
    "What to do: nothing, if the result is there; else ask for comparisons in words.",
    _depends,
)
RULES = (LOST, DEPENDS_ON_CHUNKS)
