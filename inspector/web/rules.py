"""The rules' own pages: what a finding means and what to do."""

from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse
from django.views.decorators.http import require_safe

from inspector.store.models import Project
from inspector.turns.findings import RULES, rule_named
from inspector.turns.findings.rule import Rule
from inspector.web.crumbs import Crumb
from inspector.web.fragments import page_or_fragment
from inspector.web.person import signed_in
from inspector.web.query import address
from inspector.web.verdicts import CSS, WORDS

PROJECTS = 10
"""Projects in which a rule's turns are linked."""


def row_of(rule: Rule) -> dict[str, str]:
    """A rule as it is listed."""
    return {
        "name": rule.name,
        "title": rule.title,
        "css": CSS[rule.severity],
        "word": WORDS[rule.severity],
    }


@require_safe
@signed_in
def rules(request: HttpRequest) -> HttpResponse:
    """All rules."""
    return page_or_fragment(
        request,
        "rules/rules.html",
        {"rules_list": [row_of(rule) for rule in RULES], "crumbs": [Crumb("Rules")]},
    )


@require_safe
@signed_in
def rule(request: HttpRequest, name: str) -> HttpResponse:
    """One rule."""
    found = rule_named(name)
    if found is None:
        raise Http404("No such rule.")
    paragraphs = [" ".join(part.split()) for part in found.about.split("\n\n") if part.strip()]
    return page_or_fragment(
        request,
        "rules/rule.html",
        {
            "rule": row_of(found),
            "paragraphs": paragraphs,
            "places": [
                (
                    project.name,
                    f"{reverse('found-turns', args=[project.slug])}{address([('rule', name)], '')}",
                )
                for project in Project.objects.for_user(request.user)[:PROJECTS]
            ],
            "crumbs": [Crumb("Rules")],
        },
    )
