"""Documentation that cannot fall behind: what the code knows, README, ARCHITECTURE and CHANGELOG name."""

import json
import os
import re
import shlex
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

import inspector
from inspector.turns.dialects import DIALECTS
from inspector.turns.findings import RULES
from inspector.turns.wires import WIRES
from tests.processes import ROOT

README = (ROOT / "README.md").read_text(encoding="utf-8")
ARCHITECTURE = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
CHANGELOG = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
ENV_EXAMPLE = (ROOT / "docker" / ".env.example").read_text(encoding="utf-8")
COMMANDS = sorted(path.stem for path in ROOT.glob("inspector/*/management/commands/[a-z]*.py"))
ROOMS = sorted(path.parent.name for path in (ROOT / "inspector").glob("*/__init__.py"))


def names(text: str) -> set[str]:
    """Settings named in a text."""
    return set(re.findall(r"\bINSPECTOR_[A-Z_]*[A-Z]\b", text))


def code() -> Iterator[tuple[Path, str]]:
    """Every module of the product."""
    for path in sorted((ROOT / "inspector").rglob("*.py")):
        yield path, path.read_text(encoding="utf-8")


def rows(heading: str) -> str:
    """The tables of README below a heading, up to the next one."""
    return re.split(r"^#", README.split(f"# {heading}\n", 1)[1], maxsplit=1, flags=re.MULTILINE)[0]


def test_every_setting_that_the_code_reads_is_in_the_readme_and_no_other() -> None:
    read = set().union(*(names(text) for _, text in code()))
    assert read == names(rows("Settings"))


def test_every_setting_of_the_server_is_in_the_example_for_teams() -> None:
    assert names((ROOT / "inspector/settings.py").read_text(encoding="utf-8")) <= names(ENV_EXAMPLE)


def test_every_command_is_in_the_readme_and_no_other() -> None:
    assert sorted(re.findall(r"^\| `(\w+)", rows("Commands"), flags=re.MULTILINE)) == COMMANDS


def test_every_wire_and_dialect_is_in_the_readme_and_no_other() -> None:
    listed = re.findall(r"^\| (`.*?) \|", rows("What it knows"), flags=re.MULTILINE)
    known = {*(wire.NAME for wire in WIRES), *(dialect.name for dialect in DIALECTS)}
    assert set(re.findall(r"`([^`]+)`", " ".join(listed))) == known


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: str(rule.name))
def test_every_rule_explains_itself(rule: object) -> None:
    title, about = str(getattr(rule, "title", "")), str(getattr(rule, "about", ""))
    assert title
    assert len(about.split()) >= 12, "say what it flags, why that matters and what to do"


def test_rules_have_different_names() -> None:
    assert len({rule.name for rule in RULES}) == len(RULES)


@pytest.mark.parametrize("room", ROOMS)
def test_every_room_is_on_the_map(room: str) -> None:
    assert re.search(rf"^  {room}/ ", ARCHITECTURE, flags=re.MULTILINE)
    assert room in (inspector.__doc__ or "")


def test_changelog_begins_with_this_version() -> None:
    found = re.search(r"^## (\S+)", CHANGELOG, flags=re.MULTILINE)
    assert found
    assert found[1] == inspector.__version__


@pytest.mark.parametrize("document", [README, ARCHITECTURE], ids=["README", "ARCHITECTURE"])
def test_every_file_that_is_linked_exists(document: str) -> None:
    links = re.findall(r"\]\(([^)#:]+)\)", document)
    assert links
    assert not [link for link in links if not (ROOT / link).exists()]


def test_every_make_target_says_what_it_does() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    declared = re.search(r"^\.PHONY: (help .*)$", makefile, flags=re.MULTILINE)
    assert declared
    listed = subprocess.run(["make", "-s"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    for target in declared[1].split():
        assert re.search(rf"^  make {target} +\S", listed, flags=re.MULTILINE), target
    for target in re.findall(r"`make (\w+)", README + ARCHITECTURE):
        assert target in declared[1].split(), target


def test_the_readmes_first_turn_is_json_that_the_api_takes() -> None:
    command = re.search(r"^curl .*?(?=^```)", README, flags=re.MULTILINE | re.DOTALL)
    assert command
    words = shlex.split(command[0].replace("\\\n", " "))
    turn = json.loads(words[words.index("-d") + 1])
    assert {"session", "prompt", "response"} <= set(turn)


def test_the_readmes_python_compiles() -> None:
    snippets = re.findall(r"```python\n(.*?)```", README, flags=re.DOTALL)
    assert snippets
    for snippet in snippets:
        compile(snippet, "README.md", "exec")


def test_screenshots_are_small() -> None:
    pictures = list((ROOT / "docs" / "screenshots").glob("*"))
    assert pictures
    assert not [path.name for path in pictures if path.stat().st_size > 300_000]


def test_lock_files_name_no_index_and_hash_everything() -> None:
    for path in sorted((ROOT / "requirements").glob("*.txt")):
        text = path.read_text(encoding="utf-8")
        assert "://" not in text
        assert "--index" not in text
        assert "--find-links" not in text
        pinned = re.findall(r"^[a-z0-9][\w.\[\]-]*==", text, flags=re.MULTILINE)
        followed = re.findall(r"^[a-z0-9][\w.\[\]-]*==.*\\\n    --hash=sha256:", text, flags=re.MULTILINE)
        assert len(pinned) == len(followed) > 10, os.fspath(path)
