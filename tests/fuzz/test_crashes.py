"""Inputs that once showed a fault show none, and the targets tell faults when there are some."""

from pathlib import Path

import pytest

from inspector.turns.sections import Sections
from tests.fuzz import crashes, holds, targets
from tests.fuzz.crashes import KEPT, fault_of, keep
from tests.fuzz.seeds import MAX_LENGTH, seeds
from tests.fuzz.targets import TARGETS

CASES = sorted(path for path in KEPT.glob("*/*") if path.is_file())


@pytest.mark.parametrize("path", CASES, ids=lambda path: f"{path.parent.name}-{path.name}")
def test_what_once_failed_does_not(path: Path) -> None:
    TARGETS[path.parent.name](path.read_bytes())


@pytest.mark.parametrize("name", TARGETS)
def test_seeds_hold(name: str) -> None:
    found = {fault_of(TARGETS[name], seed[: MAX_LENGTH[name]]) for seed in seeds(name)[::9]}
    assert found == {""}


def test_sections_that_leave_out_text_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(targets, "sections_of", lambda turn, dialect: Sections(()))
    assert "assert_whole" in fault_of(targets.prompt, b"0a text")


def test_hunk_that_is_lost_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(targets, "hunks", lambda old, new, limits: ())
    assert "AssertionError" in fault_of(targets.comparison, b"3a\nb\x1ea\nc")


def test_finding_of_no_rule_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(holds, "rule_named", lambda name: None)
    assert "assert_place" in fault_of(targets.response, b'0<action_call name="unknown">{}</action_call>')


def test_slow_input_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(crashes, "SLOW", 0.0)
    assert fault_of(lambda data: None, b"x") == "slow"


def test_fault_is_made_small_and_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(data: bytes) -> None:
        if b"<" in data:
            raise ValueError

    monkeypatch.setattr(crashes, "KEPT", tmp_path)
    data = b"some text with a < and more"
    path = keep("prompt", broken, data, fault_of(broken, data))
    assert path.read_bytes() == b"<"
    assert path.parent == tmp_path / "prompt"
