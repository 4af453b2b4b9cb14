"""Findings: what a person should look at in a turn. One module a family of rules."""

from inspector.turns.findings import (
    calls,
    daydreams,
    faults,
    prompt_structure,
    prompt_text,
    references,
    response_form,
)
from inspector.turns.findings.rule import Context, Rule
from inspector.turns.turn import SEVERITIES, Finding, Place

__all__ = ["RULES", "Context", "Rule", "findings_of", "rule_named"]

RULES: tuple[Rule, ...] = (
    *response_form.RULES,
    *calls.RULES,
    *faults.RULES,
    *references.RULES,
    *daydreams.RULES,
    *prompt_structure.RULES,
    *prompt_text.RULES,
)
"""The catalogue of rules; findings of one severity come in this order."""

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
    return Finding("reading-failed", "warning", message, Place("turn"), hint, {"stage": rule.name})
