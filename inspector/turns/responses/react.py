"""The grammar of ReAct text: Thought, Action, Action Input, Observation and Final Answer at line starts."""

import re

from inspector.turns.arguments import Budget
from inspector.turns.responses.draft import Draft
from inspector.turns.responses.heard import Quirk
from inspector.turns.turn import Contract, Span

LABELS_MAX = 2_000
_LABEL = re.compile(
    r"^[ \t]{0,40}+\*{0,2}(Thought|Action Input|Action|Observation|Final Answer)\*{0,2}"
    r"[ \t]*+(?:\d{1,3}[ \t]*+)?:\*{0,2}[ \t]*+",
    re.MULTILINE,
)
_NONE = re.compile(r"(?:none|n/a|no action|null)\b", re.IGNORECASE)


def looks_like(text: str) -> bool:
    """Whether a text is in this form: an action with a thought or an input, or a thought with an answer."""
    if "ction" not in text and "Final Answer" not in text:
        return False
    labels = {match[1] for match, _ in zip(_LABEL.finditer(text), range(50), strict=False)}
    return ("Action" in labels and len(labels) > 1) or {"Thought", "Final Answer"} <= labels


def read(text: str, contract: Contract, *, thinks: bool = False) -> Draft:
    """A text by its labels. What stands before the first label is stray, or goes on with a thought.

    ``thinks``: the prompt ends with ``Thought:``.
    """
    draft = Draft("react", text)
    budget = Budget()
    labels = [match for match, _ in zip(_LABEL.finditer(text), range(LABELS_MAX), strict=False)]
    first = labels[0].start() if labels else len(text)
    if text[:first].strip("` \r\n"):
        spoken = draft.reasoning if thinks and labels else draft.stray
        spoken.append(Span(text[:first], 0, first))
    for index, match in enumerate(labels):
        end = labels[index + 1].start() if index + 1 < len(labels) else len(text)
        following = labels[index + 1] if index + 1 < len(labels) else None
        _part(draft, match, end, following, (labels, index), contract, budget)
    return draft


def _part(
    draft: Draft,
    match: re.Match[str],
    end: int,
    following: re.Match[str] | None,
    at: tuple[list[re.Match[str]], int],
    contract: Contract,
    budget: Budget,
) -> None:
    labels, index = at
    body = draft.text[match.end() : end]
    label = match[1]
    if label == "Thought":
        draft.reasoning.append(Span(body.rstrip(), match.end(), match.end() + len(body.rstrip())))
    elif label == "Observation":
        draft.stray.append(Span(draft.text[match.start() : end], match.start(), end))
        draft.quirks.append(Quirk("made-up-observation", match.start(), end))
    elif label == "Final Answer":
        draft.output("final_answer", body.rstrip(), {}, (match.start(), end, match.end()), contract, budget)
    elif label == "Action":
        _action(draft, match, end, following, (labels, index), contract, budget)
    elif index == 0 or labels[index - 1][1] != "Action":
        draft.stray.append(Span(draft.text[match.start() : end], match.start(), end))
        draft.quirks.append(Quirk("input-without-action", match.start(), end))


def _action(
    draft: Draft,
    match: re.Match[str],
    end: int,
    following: re.Match[str] | None,
    at: tuple[list[re.Match[str]], int],
    contract: Contract,
    budget: Budget,
) -> None:
    labels, index = at
    name = draft.text[match.end() : end].strip().strip("`*[]").strip()
    if not name or _NONE.match(name):
        draft.stray.append(Span(draft.text[match.start() : end], match.start(), end))
        draft.quirks.append(Quirk("no-action", match.start(), end))
        return
    if following is None or following[1] != "Action Input":
        draft.quirks.append(Quirk("action-without-input", match.start(), end, name[:100]))
        draft.call(name.splitlines()[0][:200], "", {}, (match.start(), end, end), contract, budget)
        return
    stop = labels[index + 2].start() if index + 2 < len(labels) else len(draft.text)
    raw = draft.text[following.end() : stop].rstrip()
    values = None if raw.lstrip()[:1] in ("{", "[", '"', "`", "") else raw.strip()
    where = (match.start(), stop, following.end())
    draft.call(name.splitlines()[0][:200], raw, {}, where, contract, budget, values=values)
