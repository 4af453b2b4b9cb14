"""The pure rooms stay pure, and the public faces hold what they say."""

import os
import subprocess
import sys

import pytest

import inspector.client
import inspector.turns
from tests.processes import ROOT

FOREIGN = ("django", "celery", "ninja", "sqlite3", "psycopg", "redis")


def loaded_by(*modules: str) -> set[str]:
    """Top-level names of all modules in a fresh interpreter after these imports."""
    return {name.split(".")[0] for name in modules_after(f"import {', '.join(modules)}")}


def modules_after(program: str) -> set[str]:
    """Names of all modules in a fresh interpreter after a program."""
    done = subprocess.run(
        [sys.executable, "-c", f"{program}\nimport sys; print(*sys.modules)"],
        cwd=ROOT,
        env={**os.environ, "DJANGO_SETTINGS_MODULE": "inspector.settings"},
        capture_output=True,
        text=True,
        check=True,
    )
    return set(done.stdout.split())


def test_turns_and_client_load_no_framework() -> None:
    assert not loaded_by("inspector.turns", "inspector.client") & set(FOREIGN)


def test_client_loads_nothing_but_the_standard_library() -> None:
    beyond = loaded_by("inspector.client") - loaded_by("sys") - set(sys.stdlib_module_names)
    assert beyond == {"inspector"}


def test_supervisor_loads_no_framework() -> None:
    assert not loaded_by("inspector.jobs.supervisor") & set(FOREIGN)


def test_preparing_a_start_loads_no_reading_and_no_api() -> None:
    # Half a second before the server can begin to load them itself.
    loaded = modules_after("import django; django.setup(); import inspector.jobs.management.commands.up")
    assert "inspector.store.models" in loaded
    assert not loaded & {"inspector.turns", "inspector.store.records", "inspector.api", "ninja"}


def test_embedded_server_loads_no_celery() -> None:
    assert not loaded_by("inspector.wsgi") & {"celery", "kombu", "redis"}


@pytest.mark.parametrize("room", [inspector.turns, inspector.client], ids=lambda room: str(room.__name__))
def test_public_names_exist(room: object) -> None:
    names = list(getattr(room, "__all__", []))
    assert names
    assert not [name for name in names if not hasattr(room, name)]
