"""Rules on how much a prompt carries: sections too large, payloads in text, text that was cut."""

from collections import defaultdict
from collections.abc import Iterator

from inspector.turns.arguments import value_end
from inspector.turns.findings.dialogue import RULERS, is_fresh
from inspector.turns.findings.pieces import Found, found_in
from inspector.turns.findings.rule import Context, Rule, shown
from inspector.turns.turn import Finding, Section

LARGE = 10_000
"""Tokens from which one section is large."""
LARGE_SHARE = 0.5
"""Share of the prompt from which a large section is told."""
HUGE = 40_000
"""Tokens from which a section is told whatever its share is."""
BLOB, BLOB_SMALL, BLOB_SHARE = 1_000, 100, 15
"""A payload is a warning from so many tokens on, or from so few where it is so many % of the prompt."""
_DESCRIBING = ("instructions", "format", "actions", "outputs")
"""Kinds that speak about cut text, and don't hold any."""
_CAPS = frozenset({500, 1_500, 2_500, *range(1_000, 2_000_000, 1_000), *range(1_024, 2_097_152, 1_024)})
"""Lengths at which programs cut."""
JSON_MAX = 200_000


def _oversized(context: Context) -> Iterator[Finding]:
    total = sum(section.tokens for section in context.sections if section.depth == 0)
    if total < LARGE:
        return
    following = [*context.sections[1:], None]
    for section, after in zip(context.sections, following, strict=True):
        is_leaf = after is None or after.message != section.message or after.depth <= section.depth
        if (
            not is_leaf
            or section.tokens < LARGE
            or not (section.tokens >= HUGE or section.tokens >= LARGE_SHARE * total)
        ):
            continue
        share = round(100 * section.tokens / total)
        yield OVERSIZED_SECTION.finding(
            f"{shown(section.title)} alone is {section.tokens} tokens, {share} % of the prompt.",
            context.in_prompt(section.message, section.start, section.end),
            "Look whether the model needs all of it; what is looked for is found less often in so much text.",
            {"tokens": section.tokens, "share": share},
        )


def _blobs(context: Context) -> Iterator[Finding]:
    groups: dict[tuple[str, str], list[Found]] = defaultdict(list)
    for found in found_in(context):
        if found.hit.sort == "blob":
            groups[found.section.path, found.hit.name].append(found)
    total = sum(len(message.text) for message in context.turn.messages)
    for (_, name), places in groups.items():
        chars = sum(found.end - found.start for found in places)
        section = places[0].section
        tokens = round(section.tokens * chars / max(section.chars, 1))
        share = round(100 * chars / max(total, 1))
        role = context.turn.messages[section.message].role
        yield EMBEDDED_BLOB.finding(
            f"{_a(name)} of {chars} characters stands in the text of a message of the {role}: {share} % "
            "of the prompt, "
            f"about {tokens} tokens.",
            context.in_prompt(section.message, places[0].start, places[0].end),
            "A model reads it as letters and it is sent again each turn. Attach it as a file or image, or "
            "leave it "
            "out and say what it was.",
            {"sort": name, "chars": chars, "share": share, "tokens": tokens, "count": len(places)},
            None if tokens >= BLOB or (tokens >= BLOB_SMALL and share >= BLOB_SHARE) else "info",
        )


def _a(name: str) -> str:
    return f"A{name[1:]}" if name.startswith("a ") else f"A run of {name}"


def _truncated(context: Context) -> Iterator[Finding]:
    groups: dict[str, list[Found]] = defaultdict(list)
    for found in found_in(context):
        if found.hit.sort == "cut" and not found.hit.quoted and _is_cut(context, found):
            groups[found.section.path].append(found)
    for places in groups.values():
        yield _told_cut(context, places)
    yield from _silently_cut(context, {found.section.path for places in groups.values() for found in places})


def _is_cut(context: Context, found: Found) -> bool:
    """Whether it marks a cut here, and does not speak about cuts."""
    message = context.turn.messages[found.section.message]
    if (
        found.section.kind in _DESCRIBING
        or message.role == "assistant"
        or not is_fresh(context, found.section)
    ):
        return False
    return message.text[max(found.start - 1, 0) : found.start] not in ("`", '"', "'")


def _told_cut(context: Context, places: list[Found]) -> Finding:
    first = places[0]
    section, text = first.section, context.turn.messages[first.section.message].text
    inside = _is_inside_json(text, section, first.start)
    times = f" ({len(places)} times)" if len(places) > 1 else ""
    where = ", in the middle of a JSON value" if inside else ""
    return TRUNCATED_SECTION.finding(
        f"The text was cut here{where}: {shown(first.hit.name)}{times}.",
        context.in_prompt(section.message, first.start, first.end),
        "What the model counts, adds up or concludes from it holds for the part that is shown alone.",
        {"mark": first.hit.name[:200], "count": len(places), "in_json": inside, "shown": section.chars},
        "warning" if inside else None,
    )


def _is_inside_json(text: str, section: Section, at: int) -> bool:
    start = section.body_start if section.body_start <= at else section.start
    while start < at and text[start].isspace():
        start += 1
    if text[start : start + 1] not in ("{", "[") or at - start > JSON_MAX or at <= start:
        return False
    return value_end(text[start:at], 0) is None


def _silently_cut(context: Context, told: set[str]) -> Iterator[Finding]:
    """A message or section that ends within a word at a length that programs cut at."""
    for index, message in enumerate(context.turn.messages):
        text = message.text
        if (
            len(text) in _CAPS
            and message.role not in ("assistant", *RULERS)
            and _ends_inside(text, len(text))
        ):
            place = context.in_prompt(index, max(len(text) - 40, 0), len(text))
            section = context.section_at(index, 0)
            if place.section not in told and (section is None or is_fresh(context, section)):
                yield TRUNCATED_SECTION.finding(
                    f"This message is exactly {len(text):,} characters long and ends within a word: "
                    f"{shown(text[-30:])}.",
                    place,
                    "It looks cut without a word about it. Say what was left out where it is cut.",
                    {"chars": len(text)},
                    "warning",
                )


def _ends_inside(text: str, end: int) -> bool:
    return text[end - 3 : end].isalnum() and end > 3


OVERSIZED_SECTION = Rule(
    "oversized-section",
    "info",
    "A section that is most of the prompt",
    f"One section without parts of its own is {LARGE} tokens or more and at least half of the prompt, or "
    "more than "
    f"{HUGE} tokens.\n\n"
    "What to do: cut it where it enters, or let the model ask for parts of it.",
    _oversized,
)
EMBEDDED_BLOB = Rule(
    "embedded-blob",
    "warning",
    "A file's bytes in the text",
    "Base64, a long run of hexadecimal digits or a data: URL stands in the text of a message. Images and "
    "files that "
    "travel as parts of their own are fine and not told. A small one in a long prompt is told as info.\n\n"
    "What to do: send it as a part of its own, keep a reference in the text.",
    _blobs,
)
TRUNCATED_SECTION = Rule(
    "truncated-section",
    "info",
    "Text that was cut",
    "The text says that it was cut (“[truncated 500 chars]”, “... 40 more lines”, “output 90 KB, showing "
    "2 KB”), or "
    "ends within a word at a length that programs cut at. A cut inside a JSON value or without a word is a "
    "warning. Instructions that speak about cuts are left alone.\n\n"
    "What to do: cut at a boundary, and say how much is missing and how to get it.",
    _truncated,
)

RULES = (OVERSIZED_SECTION, EMBEDDED_BLOB, TRUNCATED_SECTION)
