"""The rule on text that belongs to another session, user or file."""

import re
from collections.abc import Iterator

from inspector.turns.findings.dialogue import RULERS, course, dialogue
from inspector.turns.findings.pieces import found_in, hits_of
from inspector.turns.findings.rule import Context, Rule, shown
from inspector.turns.turn import Finding

_HEADING = re.compile(
    r"\s{0,20}(?:#{1,3} |Contents of |File: |==> )`?([\w./-]{1,120}\.[A-Za-z]{1,6})`?"
    r"(?: <==)?:?[ \t]{0,8}(?:\n|\Z)"
)
_FILE = re.compile(r"[\w.-]{1,100}\.[A-Za-z]{1,6}(?![\w.])")
_TEXTS = frozenset({"md", "mdx", "txt", "rst", "mdc", "markdown"})


def _foreign(context: Context) -> Iterator[Finding]:
    yield from _other_file(context)
    yield from _other_identity(context)


def _other_file(context: Context) -> Iterator[Finding]:
    """The result of a call that names one file begins with the name of another one."""
    calls = {asked.call.id: asked.call for asked in dialogue(context).calls if asked.call.id}
    fresh = _fresh(context)
    for answer in dialogue(context).answers:
        call = calls.get(answer.id) if answer.id else None
        if call is None or answer.message not in fresh:
            continue
        text = context.turn.messages[answer.message].text[answer.start : min(answer.end, answer.start + 400)]
        heading = _HEADING.match(text)
        asked = {name.rpartition("/")[2].lower() for name in _FILE.findall(call.arguments[:4_000])}
        if heading is None or len(asked) != 1:
            continue
        found, wanted = heading[1].rpartition("/")[2].lower(), next(iter(asked))
        if found == wanted or (text.lstrip().startswith("#") and wanted.rpartition(".")[2] in _TEXTS):
            continue
        start = answer.start + heading.start(1)
        yield FOREIGN_TEXT.finding(
            f"{shown(call.name)} was asked for {shown(wanted)} and the result begins with "
            f"{shown(heading[1])}.",
            context.in_prompt(answer.message, start, start + len(heading[1])),
            "The text may be of another file, project or session.",
            {"call": answer.id, "asked": wanted, "found": heading[1]},
        )


def _fresh(context: Context) -> set[int]:
    """Messages that the turn before did not have: what is old was told there."""
    going = course(context)
    return set(going.fresh) if going is not None else set(range(len(context.turn.messages)))


def _other_identity(context: Context) -> Iterator[Finding]:
    """An id that the program's text names is another one than in the turn before."""
    going = course(context)
    if going is None or context.since is None or not (going.goes_on or _is_one_text(context)):
        return
    changed = set(context.since.changed_paths)
    old = {section.path: section for section in going.old.reading.sections}
    for found in found_in(context):
        before = old.get(found.section.path)
        message = context.turn.messages[found.section.message]
        if found.hit.sort != "identity" or found.section.path not in changed or before is None:
            continue
        if message.role not in RULERS and found.section.kind != "environment":
            continue
        value = message.text[found.start : found.end]
        text = going.old.turn.messages[before.message].text[before.start : before.end]
        values = {
            text[hit.start : hit.end]
            for hit in hits_of(context, text)
            if hit.sort == "identity" and hit.name == found.hit.name
        }
        if (
            len(values) == 1
            and value not in values
            and value not in going.old.turn.messages[before.message].text
        ):
            yield FOREIGN_TEXT.finding(
                f"The {found.hit.name} id is {shown(value)} here and was {shown(next(iter(values)))} in turn "
                f"{going.old.seq} of the same session.",
                context.in_prompt(found.section.message, found.start, found.end),
                "Text of another session or user may have come in with it.",
                {"name": found.hit.name, "before": next(iter(values)), "now": value},
            )
            return


def _is_one_text(context: Context) -> bool:
    """Whether a program renders the whole prompt as one message."""
    return context.dialect.name != "generic" and context.turn.messages[0].role not in RULERS


FOREIGN_TEXT = Rule(
    "foreign-text",
    "warning",
    "Text that seems to be of another session, user or file",
    "The result of a call for one file begins with the name of another, or the prompt's own text names "
    "another "
    "user, session or account than in the turn before, in the same conversation.\n\n"
    "What to do: look at what the program keeps between sessions, and who may have seen what.",
    _foreign,
)

RULES = (FOREIGN_TEXT,)
