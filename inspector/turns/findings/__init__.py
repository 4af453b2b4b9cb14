"""Findings: what a person should look at in a turn. One module a family of rules; the list is the catalogue."""

from inspector.turns.findings import calls, references, response_form
from inspector.turns.findings.rule import Context, Rule
from inspector.turns.turn import SEVERITIES, Finding, Place

__all__ = ["RULES", "Context", "Rule", "findings_of", "rule_named"]

RULES: tuple[Rule, ...] = (*response_form.RULES, *calls.RULES, *references.RULES)

MAX_PER_RULE = 50
"""Findings of one rule on one turn that are kept; the count of all goes into the last one's data."""


def findings_of(context: Context) -> tuple[Finding, ...]:
    """All findings of a turn, errors first, each severity in the rules' order. A rule that raises is left out and named."""
    found: list[Finding] = []
    for rule in RULES:
        try:
            found.extend(_bounded(list(rule.check(context))))
        except Exception as error:  # a rule that stumbles over some content must not cost the others
            found.append(
                Finding(
                    "reading-failed",
                    "warning",
                    f"The rule “{rule.name}” failed on this turn ({type(error).__name__}).",
                    Place("turn"),
                    "The other rules are not affected. Please report it: this is our fault.",
                    {"stage": rule.name},
                )
            )
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
