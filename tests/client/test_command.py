"""``python -m inspector.client post``."""

import io
from pathlib import Path

import pytest

from inspector.client import __main__ as command
from tests.client.server import serving


def test_a_file_is_posted_and_counted(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "turns.jsonl"
    path.write_text('{"prompt": "a"}\n\n{"prompt": "bad"}\n{"prompt": "c"}\n')
    with serving() as server:
        assert command.main(["post", str(path), "--url", server.url, "--key", "pi_x", "--batch", "2"]) == 1
        assert [turn["prompt"] for turn in server.turns] == ["a", "c"]
    assert "2 kept, 1 refused, 0 not sent" in capsys.readouterr().out


def test_standard_input_is_posted(monkeypatch: pytest.MonkeyPatch) -> None:
    with serving() as server:
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b'{"prompt": "a"}')))
        assert command.main(["post", "-", "--url", server.url, "--key", "pi_x"]) == 0
        assert len(server.turns) == 1


def test_a_server_that_is_not_there_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "turns.jsonl"
    path.write_text('{"prompt": "a"}\n')
    assert command.main(["post", str(path), "--url", "http://127.0.0.1:9", "--key", "pi_x"]) == 2
    assert "not reached" in capsys.readouterr().err


def test_a_missing_file_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert command.main(["post", str(tmp_path / "no"), "--url", "http://127.0.0.1:9", "--key", "pi_x"]) == 2
    assert "No such file" in capsys.readouterr().err


def test_without_address_or_key_it_says_what_is_missing(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("INSPECTOR_URL", raising=False)
    assert command.main(["post", "-", "--key", "pi_x"]) == 2
    assert "INSPECTOR_URL" in capsys.readouterr().err
