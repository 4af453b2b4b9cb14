"""Reading what the model sent back: which grammar it is in, what it asks for and says, and whether that fits.

``read_response`` is the public face; ``hear`` also tells what was odd on the way, for the findings.
"""

import re

from inspector.turns import tokens
from inspector.turns.dialects.card import Dialect, Fences, Tags
from inspector.turns.memo import Memo
from inspector.turns.responses import (
    code,
    content,
    fenced,
    json_object,
    markers,
    one_call,
    react,
    tagged,
    text,
    tool_lines,
    tools,
)
from inspector.turns.responses.draft import Draft
from inspector.turns.responses.heard import CUT_REASONS, Heard, Judged, Quirk
from inspector.turns.responses.judgement import judged_calls, judged_outputs
from inspector.turns.turn import Contract, Response, Span, Turn

__all__ = ["Heard", "Judged", "Quirk", "hear", "read_response"]

_COMMAND = re.compile(r"^<command>[ \t]{0,8}$", re.MULTILINE)
_TAGGED = re.compile(
    r"^[ \t]{0,40}+</?(?:response|reasoning|think|thinking|action_call)\b|<action_call\b|</think>",
    re.I | re.M,
)


def read_response(
    turn: Turn, contract: Contract, dialect: Dialect, memo: Memo | None = None
) -> Response | None:
    """A turn's response, read; None where there is none."""
    heard = hear(turn, contract, dialect, memo)
    return heard.response if heard else None


def hear(turn: Turn, contract: Contract, dialect: Dialect, memo: Memo | None = None) -> Heard | None:
    """A turn's response with all that was odd about it; None where there is none. Never raises on content."""
    body = turn.response
    if body is None:
        return None
    prefill = "" if dialect.grammar == "react" and "\nObservation:" in turn.prefill else turn.prefill
    full = prefill + body.text
    draft = _draft(full, turn, contract, dialect)
    tools.add_native(draft, body.calls, contract)
    tools.add_reasoning(draft, body.reasoning)
    if body.calls and draft.syntax == "text":
        draft.syntax = "tools"
        draft.stray = []
    return _heard(draft, turn, contract, dialect, len(prefill))


def _heard(draft: Draft, turn: Turn, contract: Contract, dialect: Dialect, prefill: int) -> Heard:
    is_full = dialect.grammar == "tagged" and bool(contract.actions or contract.outputs)
    calls, of_calls = judged_calls(draft, contract, is_full=is_full)
    outputs, of_outputs = judged_outputs(draft, contract, is_full=is_full)
    response = Response(
        syntax=draft.syntax,
        complete=draft.complete and turn.finish_reason not in CUT_REASONS,
        text=draft.text,
        tokens=tokens.count(draft.text),
        prefill_chars=prefill,
        reasoning=tuple(draft.reasoning),
        calls=calls,
        outputs=outputs,
        stray=tuple(draft.stray),
    )
    return Heard(
        response,
        tuple(draft.quirks),
        of_calls + of_outputs,
        {"parsed": draft.parsed, "outputs": draft.output_parsed},
    )


def _draft(full: str, turn: Turn, contract: Contract, dialect: Dialect) -> Draft:
    """The text by the grammar that is expected, or by the one it looks like where none is."""
    grammar = dialect.grammar
    if grammar == "tagged":
        return tagged.read(full, contract, _tags(dialect))
    if fences := dialect.fact("fences", dialect.fences):
        draft = fenced.read(full, contract, fences)
        if draft.calls:
            return draft
    if code.looks_like(full):
        return code.read(full, contract)
    last = turn.messages[-1].text if turn.messages else ""
    if one := one_call.read(full, contract, last):
        return one
    if "<response>" in full[:200] and "<actions>" in full:
        return tagged.read(full, contract, tagged.LISTING_TAGS)
    if content.looks_like(full):
        return content.read(full, contract)
    if tool_lines.looks_like(full):
        return tool_lines.read(full, contract)
    if _TAGGED.search(full):
        draft = tagged.read(full, contract, _tags(dialect))
        if draft.calls or draft.outputs:
            return draft
        if not markers.looks_like(full, contract) and not react.looks_like(full):
            return _beside_reasoning(draft, contract, expected=grammar == "json")
    if markers.looks_like(full, contract):
        draft = markers.read(full, contract)
        if draft.calls:
            return draft
    elif _COMMAND.search(full):
        return fenced.read(full, contract, Fences(element="command"))
    if react.looks_like(full) or (grammar == "react" and not json_object.is_one(full)):
        return react.read(full, contract, thinks=last[-200:].rstrip().endswith("Thought:"))
    if draft_of_json := json_object.read(full, contract, expected=grammar == "json"):
        return draft_of_json
    return text.read(full, expected=grammar not in ("text", "tools"))


def _beside_reasoning(draft: Draft, contract: Contract, *, expected: bool) -> Draft:
    """A text that thinks aloud in tags and then answers in words or in JSON."""
    end = max((span.end or 0 for span in draft.reasoning), default=0)
    begin = draft.text.find(">", end) + 1 if end and draft.text.startswith("</", end) else end
    answer = json_object.read(" " * begin + draft.text[begin:], contract, expected=expected)
    if answer is None:
        return _spoken(draft)
    answer.text = draft.text
    answer.reasoning[:0] = draft.reasoning
    answer.stray = [span for span in draft.stray if (span.end or 0) <= begin] + [
        Span(draft.text[max(span.start or 0, begin) : span.end], max(span.start or 0, begin), span.end)
        for span in answer.stray
    ]
    return answer


def _spoken(draft: Draft) -> Draft:
    """A text in which only reasoning is marked: the rest is what the model says, not stray."""
    draft.syntax = "text"
    draft.stray = []
    draft.quirks = [quirk for quirk in draft.quirks if quirk.name == "unclosed"]
    return draft


def _tags(dialect: Dialect) -> Tags:
    return dialect.tags if dialect.tags.calls or dialect.tags.container else tagged.DEFAULT_TAGS
