"""Rules on sections over a session: gone, left behind by what they describe, or growing without end."""

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise

from inspector.turns.findings.dialogue import RULERS, course
from inspector.turns.findings.rule import Context, Rule, shown
from inspector.turns.turn import KINDS, Finding, Place, ReadTurn, Section

_LASTING = ("instructions", "documents", "format", "actions", "outputs")
"""Kinds of sections that a prompt does not lose by itself."""
_GROWING = tuple(kind for kind in KINDS if kind not in ("history", "updates"))
"""Kinds that should not grow with each turn; conversations do."""
LEAST_CHARS = 12
TOLD_MAX = 10
GROWN_OVER = 8
"""Turns in a row that a section must have grown in."""
GROWN_TO = 1_500
"""Tokens from which a growing section is told."""


def _missing(context: Context) -> Iterator[Finding]:
    previous = context.previous
    olds = [one for one in previous.reading.sections if _is_lasting(one, previous)] if previous else []
    digests = {section.digest for section in context.sections}
    if previous is None or not olds or not _is_comparable(context, previous, olds, digests):
        return
    paths = {section.path for section in context.sections}
    if not any(one.digest in digests for one in olds) and not _shares_lines(context, previous, olds):
        if previous.turn.messages[olds[0].message].role in RULERS:
            yield from _replaced(context, previous, olds)
        return
    gone = [one for one in _outermost(olds, paths) if one.digest not in digests]
    for section in gone[:TOLD_MAX]:
        if not _is_elsewhere(context, previous, section):
            yield _told_missing(context, previous, section)


def _shares_lines(context: Context, previous: ReadTurn, olds: Sequence[Section]) -> bool:
    """Whether any line of the lasting sections is still somewhere in the prompt."""
    lines = {line.strip() for message in context.turn.messages for line in message.text.split("\n")}
    return any(
        len(line.strip()) >= LEAST_CHARS and line.strip() in lines
        for one in olds
        for line in previous.turn.messages[one.message].text[one.start : one.end].split("\n")
    )


def _is_comparable(context: Context, previous: ReadTurn, olds: Sequence[Section], digests: set[str]) -> bool:
    """Whether both turns are of one conversation, or of one program that renders the most of it anew."""
    going = course(context)
    if going is None or previous.reading.dialect != context.dialect.name:
        return False
    if going.goes_on:
        return True
    if context.dialect.name == "generic" or previous.reading.layout != context.dialect.layout:
        return False
    return 2 * sum(one.digest in digests for one in olds) >= len(olds)


def _is_lasting(section: Section, previous: ReadTurn) -> bool:
    if section.kind not in _LASTING or section.chars < LEAST_CHARS:
        return False
    if section.depth and section.kind in ("actions", "outputs"):
        return False  # single tools come and go: told as a change of the tools
    messages = previous.turn.messages
    if not messages:
        return False
    return messages[section.message].role in RULERS or all(one.role not in RULERS for one in messages[:1])


def _outermost(sections: Sequence[Section], paths: set[str]) -> Iterator[Section]:
    last: Section | None = None
    for section in sections:
        inside = last is not None and last.message == section.message and section.end <= last.end
        if section.path not in paths and not inside:
            last = section
            yield section


def _is_elsewhere(context: Context, previous: ReadTurn, section: Section) -> bool:
    """The section's own words are still there, cut or placed otherwise."""
    text = previous.turn.messages[section.message].text
    body = text[section.body_start : section.body_end].strip() or text[section.start : section.end].strip()
    probe = body[:400]
    return any(probe in message.text for message in context.turn.messages)


def _told_missing(context: Context, previous: ReadTurn, section: Section) -> Finding:
    return MISSING_SECTION.finding(
        f"{shown(section.title)} stood in the prompt of turn {previous.seq} ({section.tokens} tokens) and "
        "is gone.",
        _beside(context, previous, section),
        "Nothing in this prompt holds its text. Look whether a cut, a resumed session or a failed look-up "
        "lost it.",
        {"section": section.path, "turn": previous.id, "tokens": section.tokens, "kind": section.kind},
    )


def _beside(context: Context, previous: ReadTurn, section: Section) -> Place:
    """The end of the section that stood before it, or the beginning of what is there instead."""
    before = [
        one.path
        for one in previous.reading.sections
        if one.message == section.message and one.end <= section.start
    ]
    known = {one.path: one for one in context.sections}
    for path in reversed(before):
        if path in known:
            one = known[path]
            return context.in_prompt(one.message, max(one.end - 1, one.start), one.end)
    return Place("prompt")


def _replaced(context: Context, previous: ReadTurn, olds: Sequence[Section]) -> Iterator[Finding]:
    ruled = next(
        (index for index, message in enumerate(context.turn.messages) if message.role in RULERS), None
    )
    tokens = sum(section.tokens for section in olds if section.depth == 0)
    first = previous.turn.messages[olds[0].message].text
    what = "was replaced as a whole" if ruled is not None else "is gone"
    place = (
        Place("prompt")
        if ruled is None
        else context.in_prompt(ruled, 0, len(context.turn.messages[ruled].text))
    )
    handed = _is_handed_over(context, previous)
    yield MISSING_SECTION.finding(
        f"The system's text of turn {previous.seq} {what}: nothing of its {tokens} tokens is left. It "
        f"began with {shown(first)}.",
        place,
        "The tools changed with it: another agent may have taken over. Post each agent under its own name."
        if handed
        else "Look whether a resumed or switched session fell back to another prompt.",
        {"turn": previous.id, "common": 0, "tokens": tokens},
        "info" if handed else None,
    )


def _is_handed_over(context: Context, previous: ReadTurn) -> bool:
    """Whether other tools came with another text of the system, so that another agent may speak."""
    before = {tool.name for tool in previous.turn.tools}
    after = {tool.name for tool in context.turn.tools}
    return before != after and 2 * len(before & after) < max(len(before), len(after))


# ---------------------------------------------------------------- fossils


def _fossil(context: Context) -> Iterator[Finding]:
    """A section that still speaks of a tool that was taken away, and has not changed itself."""
    previous = context.previous
    if previous is None or not previous.turn.tools or not context.turn.tools:
        return
    offered = {tool.name for tool in context.turn.tools}
    removed = [tool.name for tool in previous.turn.tools if tool.name not in offered and len(tool.name) > 3]
    if not removed:
        return
    names = re.compile("|".join(rf"(?<![\w-]){re.escape(name)}(?![\w-])" for name in removed[:50]))
    digests = {section.digest for section in previous.reading.sections}
    for section in context.sections:
        if (
            section.depth
            or section.digest not in digests
            or context.turn.messages[section.message].role not in RULERS
        ):
            continue
        found = names.search(context.turn.messages[section.message].text, section.start, section.end)
        if found is not None:
            yield FOSSIL_SECTION.finding(
                f"{shown(section.title)} still speaks of {shown(found[0])}, which is not offered any more "
                "since this "
                "turn; the section has not changed.",
                context.in_prompt(section.message, found.start(), found.end()),
                "Render the section anew when the tools change.",
                {"name": found[0], "section": section.path},
            )


# ---------------------------------------------------------------- growth


def _growth(context: Context) -> Iterator[Finding]:
    if len(context.earlier) < GROWN_OVER:
        return
    window = context.earlier[-GROWN_OVER:]
    before = _sizes(window[-1])
    candidates = [
        section
        for section in context.sections
        if section.tokens >= GROWN_TO
        and section.kind in _GROWING
        and section.tokens > before.get(section.path, section.tokens)
    ]
    candidates = [
        one
        for one in candidates
        if context.turn.messages[one.message].role in RULERS or len(context.turn.messages) == 1
    ]
    if not candidates:
        return
    sizes = [_sizes(read) for read in window]
    told: list[Section] = []
    for section in reversed(candidates):  # the innermost that grows is where to look
        series = [each.get(section.path, 0) for each in sizes] + [section.tokens]
        steady = all(later > earlier > 0 for earlier, later in pairwise(series))
        if not steady or section.tokens < 1.5 * series[0] or any(_holds(section, one) for one in told):
            continue
        told.append(section)
        yield GROWTH.finding(
            f"{shown(section.title)} grew in each of the last {GROWN_OVER} turns, from {series[0]} to "
            f"{section.tokens} tokens.",
            context.in_prompt(section.message, section.start, section.end),
            "Expected a limit: keep the newest, or what is looked for, and drop or sum up the rest.",
            {"section": section.path, "tokens": series},
        )


def _holds(outer: Section, inner: Section) -> bool:
    return outer.message == inner.message and outer.start <= inner.start and inner.end <= outer.end


def _sizes(read: ReadTurn) -> Mapping[str, int]:
    return {section.path: section.tokens for section in read.reading.sections}


MISSING_SECTION = Rule(
    "missing-section",
    "warning",
    "A section that was there before and is gone",
    "Instructions, documents, the answer's format or the list of actions stood in the prompt of the turn "
    "before; "
    "nothing of them is in this one. Sections that come and go by themselves (memories, contexts, inputs) "
    "are "
    "left alone, and so are turns that begin another conversation.\n\n"
    "What to do: look at what happened between the two turns: a summary, a resumed session, a file that "
    "could "
    "not be read.",
    _missing,
)
FOSSIL_SECTION = Rule(
    "fossil-section",
    "warning",
    "A section left behind by what it describes",
    "The tools changed, and a section that speaks of one that was taken away is letter for letter what it "
    "was. "
    "The model may call what is not there.\n\n"
    "What to do: render such sections at each turn, from the same list that is sent.",
    _fossil,
)
GROWTH = Rule(
    "growth-without-bound",
    "warning",
    "A section that grows at every turn",
    f"A part of the prompt that is not the conversation grew in {GROWN_OVER} turns in a row by at least "
    "half and "
    f"is now above {GROWN_TO} tokens. It goes on until something is cut that should not be.\n\n"
    "What to do: give it a limit, look for what is added twice.",
    _growth,
)

RULES = (MISSING_SECTION, FOSSIL_SECTION, GROWTH)
