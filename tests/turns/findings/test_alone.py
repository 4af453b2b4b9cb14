"""Rules that are said to look at one turn alone do, so that their words may be shared with it."""

import ast
from pathlib import Path

import pytest

from inspector.turns import findings
from inspector.turns.findings import ALONE, RULES

FOLDER = Path(findings.__file__).parent
BACK = {"earlier", "previous", "since"}


def modules_of(name: str, seen: set[str]) -> set[str]:
    """A module of this folder and those of it that it imports."""
    if name in seen:
        return seen
    seen.add(name)
    for node in ast.walk(ast.parse((FOLDER / f"{name}.py").read_text())):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("inspector.turns.findings."):
            modules_of(str(node.module).rsplit(".", 1)[1], seen)
    return seen


def looks_back(name: str) -> list[str]:
    tree = ast.parse((FOLDER / f"{name}.py").read_text())
    return [node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute) and node.attr in BACK]


@pytest.mark.parametrize("name", sorted(ALONE - {"reading-failed"}))
def test_no_rule_that_is_said_to_be_alone_looks_at_other_turns(name: str) -> None:
    (rule,) = (rule for rule in RULES if rule.name == name)
    home = rule.check.__module__.rsplit(".", 1)[1]
    # ``rule`` itself offers what is before; who uses it is seen in the modules around it.
    found = {module: looks_back(module) for module in modules_of(home, set()) - {"rule"}}
    assert not {module: names for module, names in found.items() if names}


def test_rules_over_time_are_not_among_them() -> None:
    assert {rule.name for rule in RULES} - ALONE
