"""The rule on text from outside that gives orders as the system would."""

from collections import defaultdict
from collections.abc import Iterator

from inspector.turns.findings.dialogue import RULERS, carries_results, is_fresh
from inspector.turns.findings.pieces import Found, found_in
from inspector.turns.findings.rule import Context, Rule, shown
from inspector.turns.turn import Finding

_OUTSIDE = ("contexts", "memory", "history", "updates", "documents", "other")
"""Kinds that hold what others wrote."""
_WHAT = {
    "order": "tells the model to leave its instructions",
    "template token": "holds a chat template's own mark for a system message",
    "hiding": "tells the model to keep something from the user",
}


def _injected(context: Context) -> Iterator[Finding]:
    groups: dict[tuple[str, str], list[Found]] = defaultdict(list)
    for found in found_in(context):
        if found.hit.sort == "order" and not found.hit.quoted and _is_from_outside(context, found):
            groups[found.section.path, found.hit.name].append(found)
    for (_, name), places in groups.items():
        first = places[0]
        message = context.turn.messages[first.section.message]
        brought = (
            "A result"
            if carries_results(message)
            else f"Text of kind {first.section.kind} from the {message.role}"
        )
        yield INJECTED_INSTRUCTIONS.finding(
            f"{brought} {_WHAT[name]}: {shown(message.text[first.start : first.end])}.",
            context.in_prompt(first.section.message, first.start, first.end),
            "Look where it came from and what the model did next; fence text from outside and say that it "
            "is data.",
            {"sort": name, "count": len(places), "role": message.role},
            None if carries_results(message) or message.role in RULERS else "info",
        )


def _is_from_outside(context: Context, found: Found) -> bool:
    """Whether others wrote it; a program's own text may well speak of such orders."""
    message = context.turn.messages[found.section.message]
    if (
        message.role == "assistant"
        or found.section.kind not in _OUTSIDE
        or not is_fresh(context, found.section)
    ):
        return False
    if found.hit.name == "template token" and _is_a_template(context, found):
        return False
    if carries_results(message):
        return True
    if found.hit.name == "hiding":
        return False
    return message.role not in RULERS or found.section.kind in ("memory", "history", "updates")


def _is_a_template(context: Context, found: Found) -> bool:
    """Whether the whole prompt is written in a chat template's own marks."""
    message = context.turn.messages[found.section.message]
    return len(context.turn.messages) == 1 and message.text.lstrip()[:3] in (
        "<s>",
        "[IN",
        "<|i",
        "<|s",
        "<<S",
        "<|b",
    )


INJECTED_INSTRUCTIONS = Rule(
    "injected-instructions",
    "warning",
    "Text from outside that gives orders",
    "A result, a document, a memory or a user's words hold what only the system should say: to ignore the "
    "instructions before, a chat template's mark for a system message, or, in a result, to keep something "
    "from the "
    "user. In a user's own words it is info. Only plain cases are told, quoted ones are left alone; "
    "silence is no "
    "proof of safety.\n\n"
    "What to do: fence text from outside, say that it is data, and look at what the model did with it.",
    _injected,
)

RULES = (INJECTED_INSTRUCTIONS,)
