"""Arguments of a call, or the data of an output, each with its verdict against the schema."""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from django.utils.safestring import SafeString

from inspector.turns.turn import Finding, Reference
from inspector.web.highlight import JSON, Span, highlighted
from inspector.web.markup import inline
from inspector.web.verdicts import CSS, worst_first

_BREAK = re.compile(r"(?<!\\)(?:\\\\)*\\n(?![\"\]])")
MOST = 30
LONGEST = 1_500
NO_LINES: Mapping[str, tuple[int, str]] = MappingProxyType({})
SHORT = {
    "unexpected-argument": "no such argument",
    "ungrounded-value": "nowhere in the prompt",
    "escaped-value": "written with entities",
}
"""What a finding comes to beside the argument that it is about."""
REFERENCE_WORDS = {
    "resolved": ("ok", ""),
    "dangling": ("err", "no value"),
    "forward": ("err", "not yet known"),
    "self": ("err", "refers to itself"),
    "not-resolved-here": ("warn", "not resolved here"),
}


@dataclass(frozen=True, slots=True)
class ReferenceChip:
    """A reference in a value, and what it stands for."""

    expression: str
    css: str
    value: str


@dataclass(frozen=True, slots=True)
class Argument:
    """One row."""

    code: SafeString
    css: str
    """``ok``, ``err``, ``warn`` or ``wait``."""
    note: str
    missing: bool = False
    chips: tuple[ReferenceChip, ...] = ()
    line: int | None = None
    """Line of the prompt that shows the value."""
    href: str = ""


def as_text(value: Any) -> str:
    """A value as JSON; what JSON can't hold as Python shows it."""
    try:
        return json.dumps(value, ensure_ascii=False)
    except (TypeError, ValueError, RecursionError):
        return repr(value)[:LONGEST]


def shortened(text: str) -> str:
    """Not longer than a card may be; what is left out is counted."""
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}… {len(text) - LONGEST:,} more characters"


def pair(key: str, text: str) -> SafeString:
    """``"key": value`` with colours; a line break inside a text breaks the line behind its ``\\n``."""
    line = [
        Span(span.css, _BREAK.sub("\\g<0>\n", span.text))
        for span in highlighted(text.replace("\n", "\\n"), JSON)[0]
    ]
    return inline([Span("t-key", json.dumps(key, ensure_ascii=False)), Span("", ": "), *line])


def properties(schema: Any) -> Mapping[str, Any]:
    """The named parts of an object schema; nothing for any other."""
    found = schema.get("properties") if isinstance(schema, dict) else None
    return found if isinstance(found, dict) else {}


def required(schema: Any) -> list[str]:
    """Names that must be sent."""
    found = schema.get("required") if isinstance(schema, dict) else None
    return [name for name in found if isinstance(name, str)] if isinstance(found, list) else []


def type_words(schema: Any) -> str:
    """``string``, ``one of low, high`` or ``any``."""
    if not isinstance(schema, dict):
        return "any"
    if isinstance(options := schema.get("enum"), list):
        return "one of " + ", ".join(str(option)[:40] for option in options[:6])
    kind = schema.get("type")
    if isinstance(kind, list):
        return " or ".join(str(each) for each in kind[:4])
    return kind if isinstance(kind, str) else "any"


def speaks_of(finding: Finding, key: str) -> bool:
    """The finding is about this argument: by the JSON path in its data."""
    path = finding.data.get("path")
    if isinstance(path, (list, tuple)):
        return bool(path) and path[0] == key
    return isinstance(path, str) and path.lstrip("$./").split("/")[0].split(".")[0].split("[")[0] == key


def chips(text: str, references: Sequence[Reference]) -> tuple[ReferenceChip, ...]:
    """The references that this value holds."""
    found = []
    for reference in references[:50]:
        if reference.expression and reference.expression in text:
            css, words = REFERENCE_WORDS.get(reference.status, ("info", reference.status))
            value = as_text(reference.value)[:80] if reference.status == "resolved" else words
            found.append(ReferenceChip(reference.expression, css, value))
    return tuple(found[:5])


def note_of(finding: Finding) -> str:
    """A finding about one argument, short: the card already says which one."""
    expected, got = finding.data.get("expected"), finding.data.get("got")
    if finding.rule in ("wrong-type", "not-allowed-value") and expected:
        return f"{expected} expected, got {got}"[:300]
    if finding.rule in SHORT:
        return SHORT[finding.rule]
    return finding.message


def verdict(key: str, schema: Any, findings: Sequence[Finding]) -> tuple[str, str]:
    """Class and words for one argument that was sent."""
    own = worst_first([finding for finding in findings if speaks_of(finding, key)])
    if own:
        return CSS.get(own[0].severity, "info"), note_of(own[0])
    if schema is None:
        return "wait", "not checked, no schema"
    known = properties(schema)
    if key in known:
        return "ok", type_words(known[key])
    return ("ok", "any") if not known else ("warn", "not in the schema")


def arguments(
    value: Any,
    schema: Any,
    findings: Sequence[Finding],
    references: Sequence[Reference] = (),
    lines: Mapping[str, tuple[int, str]] = NO_LINES,
) -> list[Argument]:
    """The rows of one card: what was sent in its order, then what is missing.

    ``lines``: by name of the argument, the line that shows its value, and that line's address.
    """
    if not isinstance(value, dict):
        return []
    rows = []
    for key, each in list(value.items())[:MOST]:
        text = shortened(as_text(each))
        css, note = verdict(key, schema, findings)
        line, href = lines.get(key, (None, ""))
        rows.append(Argument(pair(key, text), css, note, chips=chips(text, references), line=line, href=href))
    if len(value) > MOST:
        rows.append(
            Argument(inline([Span("", f"… {len(value) - MOST} more")]), "wait", "see the raw response")
        )
    for key in required(schema)[:MOST]:
        if key not in value:
            words = type_words(properties(schema).get(key))
            rows.append(Argument(pair(key, "not sent"), "err", f"missing, required {words}", missing=True))
    return rows
