"""The pure rooms stay pure, and the public faces hold what they say."""

import subprocess
import sys

import pytest

import inspector.client
import inspector.turns
from tests.processes import ROOT

FOREIGN = ("django", "celery", "ninja", "sqlite3", "psycopg", "redis")


def loaded_by(*modules: str) -> set[str]:
    """Top-level names of all modules in a fresh interpreter after these imports."""
    program = f"import {', '.join(modules)}, sys; print(*{{name.split('.')[0] for name in sys.modules}})"
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True
    )
    return set(done.stdout.split())


def test_turns_and_client_load_no_framework() -> None:
    assert not loaded_by("inspector.turns", "inspector.client") & set(FOREIGN)


def test_client_loads_nothing_but_the_standard_library() -> None:
    beyond = loaded_by("inspector.client") - loaded_by("sys") - set(sys.stdlib_module_names)
    assert beyond == {"inspector"}


def test_supervisor_loads_no_framework() -> None:
    assert not loaded_by("inspector.jobs.supervisor") & set(FOREIGN)


def test_embedded_server_loads_no_celery() -> None:
    assert not loaded_by("inspector.wsgi") & {"celery", "kombu", "redis"}


@pytest.mark.parametrize("room", [inspector.turns, inspector.client], ids=lambda room: str(room.__name__))
def test_public_names_exist(room: object) -> None:
    names = list(getattr(room, "__all__", []))
    assert names
    assert not [name for name in names if not hasattr(room, name)]
