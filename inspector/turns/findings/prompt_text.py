"""Rules on the words of a prompt: what a program left in it that no person would write."""

import re
from collections import defaultdict
from collections.abc import Iterator

from inspector.turns.findings.pieces import Found, found_in
from inspector.turns.findings.rule import Context, Rule, shown
from inspector.turns.redaction import secrets_in
from inspector.turns.turn import Finding, Severity

_TALK = (
    "template",
    "placeholder",
    "syntax",
    "variable",
    "interpolat",
    "mustache",
    "jinja",
    "handlebars",
    "e.g.",
    "for example",
)
_OWN_WORDS = ("instructions", "environment", "format", "actions", "outputs")
"""Kinds that the program words itself."""
_MIXED = ("contexts", "memory", "other", "updates")
"""Kinds in which the program's labels stand before words of others."""
_LABEL = re.compile(r"[ \t]*+[-*#>]*+[ \t]*+\*{0,2}+[A-Za-z][\w '()/-]{0,40}+\*{0,2}+:\*{0,2}+[ \t]*+\Z")
_END = re.compile(r"[ \t]*+(?:</[\w.:-]{1,60}>[ \t]*+)?+\r?\Z")
_CODE = ("//", "#!", "$ ", "import ", "const ", "let ", "var ", "return ", "print(", 'f"', "echo ")
_SEVERITIES: dict[str, Severity] = {
    "tag characters": "warning",
    "direction controls": "warning",
    "variation selectors": "warning",
    "control characters": "info",
    "terminal codes": "info",
    "zero-width characters": "info",
    "byte order mark": "info",
}


def _placeholders(context: Context) -> Iterator[Finding]:
    groups: dict[str, list[Found]] = defaultdict(list)
    for found in found_in(context):
        if found.hit.sort == "placeholder" and _is_left_over(context, found):
            groups[_text(context, found)].append(found)
    for text, places in groups.items():
        first = places[0]
        times = f" ({len(places)} times)" if len(places) > 1 else ""
        yield PLACEHOLDER.finding(
            f"{shown(text)} was never filled in{times}: the model sees the braces.",
            context.in_prompt(first.section.message, first.start, first.end),
            f"The program that renders this prompt has no value for {shown(first.hit.name)}, or a misspelt "
            "name.",
            {"name": first.hit.name, "count": len(places)},
        )


def _is_left_over(context: Context, found: Found) -> bool:
    """Whether a placeholder was meant to be filled in: not code, not spoken about."""
    hit = found.hit
    message = context.turn.messages[found.section.message]
    if hit.fenced or hit.quoted or message.role in ("assistant", "tool", "function"):
        return False
    if context.dialect.references and hit.name.startswith(("calls", "shortTermMemory")):
        return False
    before, after = _line_around(message.text, found)
    kind = found.section.kind
    if kind not in _OWN_WORDS and not (
        _is_rendered(context, found) and _LABEL.match(before) and _END.match(after)
    ):
        return False
    lowered = (before + after).lower()
    return not any(word in lowered for word in _TALK) and not lowered.lstrip().startswith(_CODE)


def _is_rendered(context: Context, found: Found) -> bool:
    """Whether a program renders this part, with words of others in it."""
    role = context.turn.messages[found.section.message].role
    return found.section.kind in _MIXED and (
        context.dialect.grammar != "text" or role in ("system", "developer")
    )


def _line_around(message: str, found: Found) -> tuple[str, str]:
    """What stands before and after on the same line, cut where the line is long."""
    start = message.rfind("\n", max(0, found.start - 300), found.start) + 1
    end = message.find("\n", found.end, found.end + 300)
    before = message[start if start else max(0, found.start - 300) : found.start]
    return before, message[found.end : end if end >= 0 else found.end + 300]


def _junk(context: Context) -> Iterator[Finding]:
    groups: dict[tuple[str, str], list[Found]] = defaultdict(list)
    for found in found_in(context):
        hit = found.hit
        if hit.sort != "junk" or hit.fenced or (hit.quoted and hit.name.startswith("<")):
            continue
        if (
            found.section.kind in ("documents",)
            or context.turn.messages[found.section.message].role == "assistant"
        ):
            continue
        groups[
            hit.name if hit.name.startswith("[") else hit.name.split(" at 0x")[0], found.section.path
        ].append(found)
    for (name, _), places in groups.items():
        first = places[0]
        times = f" ({len(places)} times here)" if len(places) > 1 else ""
        yield JUNK.finding(
            f"{shown(name)} stands where a value should be{times}.",
            context.in_prompt(first.section.message, first.start, first.end),
            "A value was turned into text by accident: an object without a text form, or one that is not "
            "there.",
            {"text": name, "count": len(places)},
        )


def _invisible(context: Context) -> Iterator[Finding]:
    groups: dict[tuple[str, str], list[Found]] = defaultdict(list)
    for found in found_in(context):
        if found.hit.sort == "invisible":
            groups[found.hit.name, found.section.path].append(found)
    for (name, _), places in groups.items():
        first = places[0]
        count = sum(found.end - found.start for found in places)
        codes = sorted(
            {f"U+{ord(character):04X}" for found in places[:50] for character in _text(context, found)[:50]}
        )
        yield INVISIBLE.finding(
            f"{count} {name if count > 1 else name.removesuffix('s')} in this section "
            f"({', '.join(codes[:6])}).",
            context.in_prompt(first.section.message, first.start, first.end),
            _WHY.get(name),
            {"sort": name, "count": count, "codes": codes[:20]},
            _SEVERITIES.get(name),
        )


def _secrets(context: Context) -> Iterator[Finding]:
    groups: dict[tuple[str, str], list[Found]] = defaultdict(list)
    for found in found_in(context):
        if found.hit.sort == "secret":
            groups[found.hit.name, found.section.path].append(found)
    for (name, _), places in groups.items():
        first = places[0]
        times = f", {len(places)} times in this section" if len(places) > 1 else ""
        yield SECRET.finding(
            f"This looks like a secret ({name}){times}.",
            context.in_prompt(first.section.message, first.start, first.end),
            _MASK_IT,
            {"kind": name, "count": len(places)},
        )
    response = context.response.text if context.response else ""
    for start, end, name in secrets_in(response)[:20]:
        where = context.in_response(start, end)
        yield SECRET.finding(
            f"The model's answer holds what looks like a secret ({name}).",
            where,
            _MASK_IT,
            {"kind": name},
        )


_MASK_IT = (
    "It went to the provider as it stands here. Mask it when you share this turn, and consider changing it."
)
_WHY = {
    "tag characters": "They spell text that models read and people don't see: smuggled instructions.",
    "direction controls": "They make text appear in another order than it is read in.",
    "variation selectors": "Long runs of them can hide text that models read and people don't see.",
    "zero-width characters": "They take no room but split words for the model and break searches.",
    "terminal codes": "Colours and cursor movements of a terminal: noise to a model. Strip them.",
}


def _text(context: Context, found: Found) -> str:
    return context.turn.messages[found.section.message].text[found.start : found.end]


PLACEHOLDER = Rule(
    "unresolved-placeholder",
    "warning",
    "A placeholder that was never filled in",
    "The prompt holds a template variable such as {{user_name}}, ${date} or %(name)s in its own words. "
    "Code, fenced examples, quoted mentions, lines "
    "that speak about templates, what users and tools wrote, and the references of the framework's own "
    "template engine are left alone.\n\n"
    "What to do: look at the program that renders this section: the variable is misspelt, not passed, or "
    "the text is not rendered at all.",
    _placeholders,
)
JUNK = Rule(
    "stringified-junk",
    "warning",
    "A value that became “[object Object]”, “undefined” or the like",
    "A program put a value into the text that has no useful text form, or none at all. The model takes it "
    "at its word.\n\n"
    "What to do: give the value a text form, or leave the line out when there is none.",
    _junk,
)
INVISIBLE = Rule(
    "invisible-characters",
    "info",
    "Characters that nobody can see",
    "The text holds characters without a shape: zero-width spaces, direction controls, tag characters, "
    "control codes. The model reads them all the same. "
    "Joiners inside emoji and in scripts that need them are left alone. Tag characters, direction controls "
    "and long runs of selectors are warnings, since they can hide instructions.\n\n"
    "What to do: strip them where text from outside enters the prompt.",
    _invisible,
)

SECRET = Rule(
    "secret",
    "warning",
    "A secret in the prompt or the answer",
    "Something has the shape of a key, token or password. The finding names its kind and never repeats "
    "it.\n\n"
    "What to do: keep secrets out of prompts; whatever reads logs of prompts reads them too. Mask it when "
    "sharing, and change it.",
    _secrets,
)

RULES = (PLACEHOLDER, JUNK, INVISIBLE, SECRET)
