"""The server calls nobody, and its audit is only ever added to."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.processes import ROOT

NETWORK = {"socket", "ssl", "http", "urllib", "ftplib", "smtplib", "requests", "httpx", "aiohttp", "urllib3"}
HARMLESS = {"urllib.parse", "http.client.responses"}
ALLOWED = {
    "inspector/jobs/supervisor.py": "looks whether its own port is free",
}
"""Files outside the client that may use a network module, and why."""


def sources() -> Iterator[tuple[str, ast.Module]]:
    for path in sorted((ROOT / "inspector").rglob("*.py")):
        name = path.relative_to(ROOT).as_posix()
        if not name.startswith("inspector/client/"):
            yield name, ast.parse(Path(path).read_text(encoding="utf-8"))


def imported(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            names = {f"{node.module}.{alias.name}" for alias in node.names}
            yield from () if names <= HARMLESS else (node.module,)


def calling(trees: Iterator[tuple[str, ast.Module]]) -> set[str]:
    return {
        name
        for name, tree in trees
        for module in imported(tree)
        if module.split(".")[0] in NETWORK and module not in HARMLESS
    }


def test_no_room_but_the_client_can_call_another_host() -> None:
    assert calling(sources()) == set(ALLOWED)


@pytest.mark.parametrize(
    "line", ["import socket", "from urllib.request import urlopen", "from http import client"]
)
def test_a_call_would_be_noticed(line: str) -> None:
    assert calling(iter([("x.py", ast.parse(line))])) == {"x.py"}


def test_nothing_changes_or_deletes_an_entry_of_the_audit() -> None:
    found = []
    for name, tree in sources():
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
                chain = ast.unparse(node.func)
                if "Audit.objects" in chain and chain.endswith(
                    (".update", ".delete", "_raw_delete", ".save")
                ):
                    found.append(f"{name}:{node.lineno}")
    assert found == []
