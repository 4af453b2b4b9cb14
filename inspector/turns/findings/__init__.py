"""Findings: what a person should look at in a turn. One module a family of rules."""

from inspector.turns.findings import (
    altered,
    beside,
    cache,
    calls,
    came_back,
    daydreams,
    drift,
    escaped,
    faults,
    foreign,
    injected,
    key_order,
    order,
    over_time,
    past,
    prompt_structure,
    prompt_text,
    references,
    repeated,
    response_form,
    response_tags,
    size,
    stale,
    stopped,
    task,
    ungrounded,
)
from inspector.turns.findings.rule import Context, Rule
from inspector.turns.turn import SEVERITIES, Finding, Place

__all__ = ["ALONE", "RULES", "Context", "Rule", "findings_of", "rule_named"]

READING_FAILED = Rule(
    "reading-failed",
    "warning",
    "A part of the reading failed",
    "A stage of reading or a rule stumbled over this turn's content. The record is kept as it was posted "
    "and all that "
    "could be read is here; the finding names the stage that could not do its work.\n\n"
    "What to do: report it, it is a fault of ours. After an update, readings are made again.",
    lambda context: (),
)
"""Documented here, told by whoever runs a stage."""
RULES: tuple[Rule, ...] = (
    *response_form.RULES,
    *response_tags.RULES,
    *calls.RULES,
    *faults.RULES,
    *escaped.RULES,
    *references.RULES,
    *daydreams.RULES,
    *stopped.RULES,
    *ungrounded.RULES,
    *prompt_structure.RULES,
    *prompt_text.RULES,
    *repeated.RULES,
    *size.RULES,
    *stale.RULES,
    *injected.RULES,
    *drift.RULES,
    *order.RULES,
    *came_back.RULES,
    *over_time.RULES,
    *task.RULES,
    *past.RULES,
    *altered.RULES,
    *foreign.RULES,
    *cache.RULES,
    *key_order.RULES,
    *beside.RULES,
    READING_FAILED,
)
"""The catalogue of rules; findings of one severity come in this order."""

_ALONE = (
    response_form,
    response_tags,
    calls,
    faults,
    escaped,
    references,
    daydreams,
    prompt_structure,
    prompt_text,
)
ALONE: frozenset[str] = frozenset(rule.name for family in _ALONE for rule in family.RULES) | {
    READING_FAILED.name
}
"""Rules that look at nothing but the turn itself. The words of all others may quote turns before it."""

MAX_PER_RULE = 50
"""Findings of one rule on one turn that are kept; the last one says how many more there were."""


def findings_of(context: Context) -> tuple[Finding, ...]:
    """All findings of a turn, errors first. A rule that raises is left out and named."""
    found: list[Finding] = []
    for rule in RULES:
        try:
            found.extend(_bounded(list(rule.check(context))))
        except Exception as error:  # a rule that stumbles over some content must not cost the others
            found.append(_failed(rule, error))
    return tuple(sorted(found, key=lambda finding: SEVERITIES.index(finding.severity)))


def rule_named(name: str) -> Rule | None:
    """The rule of that name, or None."""
    return next((rule for rule in RULES if rule.name == name), None)


def _bounded(found: list[Finding]) -> list[Finding]:
    if len(found) <= MAX_PER_RULE:
        return found
    last = found[MAX_PER_RULE - 1]
    more = len(found) - MAX_PER_RULE
    message = f"{last.message} (and {more} more like this)"
    kept = Finding(last.rule, last.severity, message, last.where, last.hint, {**last.data, "more": more})
    return [*found[: MAX_PER_RULE - 1], kept]


def _failed(rule: Rule, error: Exception) -> Finding:
    message = f"The rule “{rule.name}” failed on this turn ({type(error).__name__})."
    hint = "The other rules are not affected. Please report it: this is our fault."
    return READING_FAILED.finding(message, Place("turn"), hint, {"stage": rule.name})
