"""What `make` stands on: a Python is found, servers of the tests' own leave nothing behind."""

import os
import subprocess
import sys
from pathlib import Path

import psutil
import pytest

from tests import run, services
from tests.processes import ROOT


def find_python(tmp_path: Path, **more: str) -> subprocess.CompletedProcess[str]:
    """The finder, where nothing but a folder of our own and the system's programs are looked at."""
    env = {"PATH": f"{tmp_path}:/usr/bin:/bin", "HOME": str(tmp_path), "PYENV_ROOT": str(tmp_path), **more}
    return subprocess.run([ROOT / ".ci" / "python"], env=env, capture_output=True, text=True, timeout=60)


def program(path: Path, text: str) -> None:
    """An executable script."""
    path.write_text(text, encoding="utf-8")
    path.chmod(0o755)


def test_a_shim_that_does_not_run_is_passed_over(tmp_path: Path) -> None:
    program(tmp_path / "python3.13", "#!/bin/sh\necho 'no such version' >&2\nexit 127\n")
    program(tmp_path / "python3.14", f'#!/bin/sh\nexec {sys.executable} "$@"\n')
    done = find_python(tmp_path)
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == sys.executable


def test_a_version_managers_folder_is_looked_into(tmp_path: Path) -> None:
    folder = tmp_path / "versions" / "3.12.9" / "bin"
    folder.mkdir(parents=True)
    for name in ("python3.13", "python3.14", "python3.12", "python3.15", "python3", "python"):
        program(tmp_path / name, "#!/bin/sh\nexit 127\n")
    program(folder / "python3.12", f'#!/bin/sh\nexec {sys.executable} "$@"\n')
    assert find_python(tmp_path).stdout.strip() == sys.executable


def test_a_python_that_cannot_serve_is_refused_with_advice(tmp_path: Path) -> None:
    program(tmp_path / "old", "#!/bin/sh\nexit 1\n")
    done = find_python(tmp_path, PYTHON=str(tmp_path / "old"))
    assert done.returncode == 1
    assert "3.12" in done.stderr


def test_servers_and_their_data_are_gone_afterwards(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    before = set(psutil.Process().children())
    with services.redis():
        started = set(psutil.Process().children()) - before
        assert started
        assert list(tmp_path.iterdir())
    assert not [process for process in started if process.is_running()]
    assert not list(tmp_path.iterdir())


def test_runs_see_nobodys_settings_and_leave_no_home(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("INSPECTOR_HOME", "/somebody/else")
    monkeypatch.setenv("INSPECTOR_DATABASE_URL", "postgresql://precious")
    with run.surroundings(servers=False) as env:
        home = env["INSPECTOR_HOME"]
        assert os.path.isdir(home)
        assert "INSPECTOR_DATABASE_URL" not in env
    assert not os.path.exists(home)
