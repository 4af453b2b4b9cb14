"""The grammar of ReAct text: Thought, Action, Action Input, Observation and Final Answer at line starts.

LlamaIndex writes ``Answer`` where others write ``Final Answer``.
"""

import re
from collections.abc import Sequence
from itertools import islice

from inspector.turns.arguments import Budget, value_end
from inspector.turns.responses.draft import Draft
from inspector.turns.responses.heard import Quirk
from inspector.turns.turn import Contract, Span

LABELS_MAX = 2_000
_LABELS = ("Thought", "Action Input", "Action", "Observation", "Final Answer", "Answer")
_LABEL = re.compile(
    rf"^[ \t]{{0,40}}+\*{{0,2}}({'|'.join(_LABELS)})\*{{0,2}}"
    r"[ \t]*+(?:\d{1,3}[ \t]*+)?:\*{0,2}[ \t]*+",
    re.MULTILINE,
)
_ANSWERS = frozenset({"Final Answer", "Answer"})
_NONE = re.compile(r"(?:none|n/a|no action|null)\b", re.IGNORECASE)


def looks_like(text: str) -> bool:
    """Whether a text is in this form: an action with a thought or an input, or a thought with an answer."""
    if "ction" not in text and "Answer" not in text:
        return False
    labels = {match[1] for match in _labels(text)[:50]}
    return ("Action" in labels and len(labels) > 1) or (
        "Thought" in labels and not labels.isdisjoint(_ANSWERS)
    )


def _labels(text: str) -> list[re.Match[str]]:
    """The labels of a text. ``Answer`` is one right after a thought: elsewhere it is a line of some text."""
    found: list[re.Match[str]] = []
    for match in islice(_LABEL.finditer(text), LABELS_MAX):
        if match[1] != "Answer" or (found and found[-1][1] == "Thought"):
            found.append(match)
    return found


def read(text: str, contract: Contract, *, thinks: bool = False) -> Draft:
    """A text by its labels. What stands before the first label is stray, or goes on with a thought.

    ``thinks``: the prompt ends with ``Thought:``.
    """
    draft = Draft("react", text)
    budget = Budget()
    labels = _labels(text)
    first = labels[0].start() if labels else len(text)
    if text[:first].strip("` \r\n"):
        spoken = draft.reasoning if thinks and labels else draft.stray
        spoken.append(Span(text[:first], 0, first))
    for index in range(len(labels)):
        _part(draft, labels, index, contract, budget)
    return draft


def _part(
    draft: Draft, labels: Sequence[re.Match[str]], index: int, contract: Contract, budget: Budget
) -> None:
    match = labels[index]
    start, body, end = match.start(), match.end(), _start(draft, labels, index + 1)
    words = draft.text[body:end].rstrip()
    label = match[1]
    if label == "Thought":
        draft.reasoning.append(Span(words, body, body + len(words)))
    elif label == "Observation":
        draft.stray.append(Span(draft.text[start:end], start, end))
        if words.strip("` \r\n"):  # an empty one is where generation should have stopped
            draft.quirks.append(Quirk("made-up-observation", start, end))
    elif label in _ANSWERS:
        draft.output("final_answer", _without_fence(words), {}, (start, end, body), contract, budget)
    elif label == "Action":
        _action(draft, labels, index, contract, budget)
    elif index == 0 or labels[index - 1][1] != "Action":
        draft.stray.append(Span(draft.text[start:end], start, end))
        draft.quirks.append(Quirk("input-without-action", start, end))


def _action(
    draft: Draft, labels: Sequence[re.Match[str]], index: int, contract: Contract, budget: Budget
) -> None:
    match = labels[index]
    start, end = match.start(), _start(draft, labels, index + 1)
    name = draft.text[match.end() : end].strip().strip("`*[]").strip()
    if not name or _NONE.match(name):
        draft.stray.append(Span(draft.text[start:end], start, end))
        draft.quirks.append(Quirk("no-action", start, end))
        return
    following = labels[index + 1] if index + 1 < len(labels) else None
    name, *_ = name.splitlines()
    if following is None or following[1] != "Action Input":
        draft.quirks.append(Quirk("action-without-input", start, end, name[:100]))
        draft.call(name[:200], "", {}, (start, end, end), contract, budget)
        return
    stop = _start(draft, labels, index + 2)
    raw = _without_label(_without_fence(draft.text[following.end() : stop].rstrip()))
    values = None if raw.lstrip()[:1] in ("{", "[", '"', "`", "") else raw.strip()
    draft.call(name[:200], raw, {}, (start, stop, following.end()), contract, budget, values=values)


def _start(draft: Draft, labels: Sequence[re.Match[str]], index: int) -> int:
    """Where a label starts; behind the last one the end of the text."""
    return labels[index].start() if index < len(labels) else len(draft.text)


def _without_fence(words: str) -> str:
    """Words without the end of a fence that was opened before the step."""
    return words[:-3].rstrip() if words.endswith("```") and words.count("```") % 2 else words


def _without_label(raw: str) -> str:
    """JSON without the label behind it that the end of the text cut short: ``{} Obs``."""
    end = value_end(raw, 0) if raw[:1] in ("{", "[") else None
    rest = raw[end:].strip() if end is not None else ""
    return raw[:end] if rest and any(label.startswith(rest) for label in _LABELS) else raw
